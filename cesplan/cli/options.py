"""
Options that several commands share, and the values they become.

The common ones may be before the command or after it; they are kept in the session. The others are
gathered into one value a group, so that a command receives `tree` and `choices` and not a dozen flags.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cesplan.cli.export_options import ExportChoice
from cesplan.cli.reports import stdout_format
from cesplan.cli.session import Session
from cesplan.config.cache.switch import OFF
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.service.endpoint import SERVICE, canonical_endpoint
from cesplan.domain.text.times import parse_since

if TYPE_CHECKING:
    from cesplan.workflow.validating import TreeTarget

with lazily():
    from cesplan.workflow import validating
    from cesplan.workflow.reference import completing, explaining

ENVIRONMENT = "CESPLAN_ENVIRONMENT"
"""The environment variable that replaces `-e`."""

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeChoice:
    """The environment of the tree and its variables; or an export instead of a tree."""

    environment: str = ""
    variables: Mapping[str, str]
    export: ExportChoice | None = None

    def target(self, folder: Path) -> "TreeTarget":
        """The tree around a folder."""
        return validating.TreeTarget(folder=folder, environment=self.environment, variables=self.variables)

    @property
    def words(self) -> list[str]:
        """The options as they would be typed again. Values are left out: they may be secrets."""
        words = self.export.words if self.export else []
        words += ["-e", self.environment] if self.environment else []
        return words + [word for name in self.variables for word in ("--var", f"{name}=…")]


def complete_environment(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Environments of cesplan.yaml."""
    return _beginning(incomplete, completing.environments(Path.cwd()))


def complete_address(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Addresses of what the tree has a file for."""
    return _beginning(incomplete, completing.addresses(Path.cwd()))


def complete_code(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Codes, in any case."""
    return _beginning(incomplete.upper(), explaining.all_codes())


def _beginning(start: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(start)]


class CommonOption(click.Option):
    """An option that every command has."""


def common_options(function: _F) -> _F:
    """The options of every command; their values go into the session."""
    return with_options(function, _COMMON)


def tree_options(function: _F) -> Callable[..., Any]:
    """`-e` and `--var`; the command receives them as `tree`."""
    return gathered(function, _TREE, "tree", _tree_choice)


def format_option(function: _F) -> _F:
    """`--format` of commands with one result; the session knows it as `json`."""
    decorated: _F = stdout_format("text", "json")(function)
    return decorated


def since_time(context: click.Context, parameter: click.Parameter, value: str | None) -> datetime | None:
    """The value of `--since`: a time, or a duration before now."""
    try:
        return parse_since(value, datetime.now(UTC)) if value else None
    except ValueError as error:
        raise click.BadParameter(f"{error}.", context, parameter) from error


def gathered(
    function: Callable[..., Any],
    options: tuple[Callable[[Any], Any], ...],
    name: str,
    kind: Callable[..., Any],
) -> Callable[..., Any]:
    """A command with these options; it receives their values as one value of `kind`, called `name`."""

    @wraps(function)
    def command(*args: Any, **kwargs: Any) -> Any:
        kwargs[name] = kind(**{parameter: kwargs.pop(parameter) for parameter in parameters})
        return function(*args, **kwargs)

    decorated = with_options(command, options)
    added = vars(decorated)["__click_params__"][-len(options) :]  # where the decorators of Click keep them
    parameters = [item.name for item in added]
    return decorated


def with_options(function: _F, options: Iterable[Callable[[Any], Any]]) -> _F:
    """A command with these options, in this order."""
    for option in reversed([*options]):
        function = option(function)
    return function


def refuse_combinations(*rules: tuple[str, object]) -> None:
    """Raise UsageError with the text of the first rule that applies."""
    for why, applies in rules:
        if applies:
            raise click.UsageError(why)


def _session(context: click.Context) -> Session:
    session = context.find_root().obj
    assert isinstance(session, Session)
    return session


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """
    Store the value in the session, unless the option was not given here: it may have been given before the
    command.
    """
    if value:
        setattr(_session(context), str(parameter.name), value)


def _keep_endpoint(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """In canonical form, so that it can be compared."""
    if not value:
        return
    try:
        _session(context).endpoint = canonical_endpoint(value) or str(SERVICE)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", context, parameter) from error


def _keep_environment(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Also for the reports, which must name it even if the tree cannot be read."""
    _session(context).reports.environment = value or ""
    return value


def _change_directory(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Change at once, so that every other path on the command line is relative to it."""
    if not value:
        return
    try:
        context.with_resource(contextlib.chdir(value))
    except OSError as error:
        raise click.BadParameter(f"{value}: {error.strerror}", context, parameter) from error
    session = _session(context)
    session.chdir = os.path.join(session.chdir, value)


def _without_cache(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Set the environment variable for the rest of the command."""
    if value:
        patched = contextlib.ExitStack()
        patched.callback(_set_in_environment, OFF, os.environ.get(OFF))
        os.environ[OFF] = "1"
        context.with_resource(patched)


def _set_in_environment(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _variables(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in value:
        name, equals, content = text.partition("=")
        if not equals or not name:
            # The text may be a secret without its name, so it is not repeated.
            raise click.BadParameter("write name=value.", context, parameter)
        found[name] = content
    return found


def _tree_choice(environment: str, variables: dict[str, str]) -> TreeChoice:
    return TreeChoice(environment=environment or "", variables=variables)


def _common(*names: str, callback: Callable[..., Any] = _keep, **attributes: Any) -> Callable[[Any], Any]:
    return click.option(
        *names,
        cls=CommonOption,
        expose_value=False,
        is_eager=callback is not _keep,
        callback=callback,
        **attributes,
    )


_COMMON = (
    _common("-C", "--chdir", metavar="DIR", callback=_change_directory, help="Run in this folder."),
    _common(
        "--emulator",
        is_flag=True,
        help="Use a local emulator with its data in .cesplan/. Needs no Google account.",
    ),
    _common(
        "--endpoint",
        metavar="HOST",
        callback=_keep_endpoint,
        help="Service endpoint; `regional` selects that of the location. Required, here or as "
        "CESPLAN_ENDPOINT, to confirm a host outside googleapis.com that a tree or a plan file names.",
    ),
    _common(
        "--impersonate-service-account",
        "impersonate",
        metavar="ACCOUNT",
        help="Impersonate this service account; a comma-separated list is a delegation chain.",
    ),
    _common("--quota-project", metavar="PROJECT", help="Project whose quota the requests use."),
    _common("--no-color", is_flag=True, help="Disable color. Setting NO_COLOR=1 does the same."),
    _common(
        "--no-cache",
        is_flag=True,
        callback=_without_cache,
        help="Read and check every file again. Setting CESPLAN_NO_CACHE=1 does the same.",
    ),
    _common("--debug", is_flag=True, help="Show each request, without secrets, and tracebacks."),
)

variables_option = click.option(
    "--var",
    "variables",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_variables,
    help="Set a variable; can be repeated. Set secrets as CESPLAN_SECRET_<name> in the environment.",
)
"""`--var`; the command receives `variables`."""

_TREE = (
    click.option(
        "-e",
        "--environment",
        metavar="ENV",
        envvar=ENVIRONMENT,
        show_envvar=True,
        callback=_keep_environment,
        shell_complete=complete_environment,
        help="An environment from cesplan.yaml.",
    ),
    variables_option,
)
