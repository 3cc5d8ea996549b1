"""
Options that several commands share, and the values they become.

The common ones may stand before the command or after it; they are kept in the session. The others are
gathered into one value a group, so that a command receives `tree` and `choices` and not a dozen flags.
"""

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar

import click

from cesplan.cli.export_options import ExportChoice
from cesplan.cli.reports import stdout_format
from cesplan.cli.session import Session
from cesplan.domain.address import parse_address
from cesplan.domain.choice import Choice
from cesplan.domain.options import Allowances, PlanOptions

COMMON = "common"
"""The mark of options that help shows in a section of their own."""

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeChoice:
    """Which environment of the tree, with which variables; or an export in its stead."""

    environment: str = ""
    variables: Mapping[str, str]
    export: ExportChoice | None = None

    @property
    def words(self) -> list[str]:
        """The options as they would be typed again. Values are left out: they may be secrets."""
        words = self.export.words if self.export else []
        words += ["-e", self.environment] if self.environment else []
        return words + [word for name in self.variables for word in ("--var", f"{name}=…")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChoice:
    """What may change a plan, and what the guard lets through."""

    options: PlanOptions
    allowances: Allowances

    @property
    def words(self) -> list[str]:
        """The options as they would be typed again, for commands that are suggested."""
        options, allowances = self.options, self.allowances
        words = ["--adopt"] if options.adopt else []
        words += [] if options.prune is None else ["--prune" if options.prune else "--no-prune"]
        words += [word for text in options.choice.only for word in ("--target", text)]
        words += [word for text in options.choice.exclude for word in ("--exclude", text)]
        for name, addresses in (
            ("--resend", options.resend),
            ("--force", options.force),
            ("--allow-delete", allowances.delete),
            ("--allow-policy", allowances.policy),
        ):
            words += [word for address in sorted(addresses) for word in (name, address)]
        flags = {
            "--allow-mass-delete": allowances.mass_delete,
            "--allow-empty": allowances.empty,
            "--allow-unlock": allowances.unlock,
            "--allow-drop-unknown": options.allow_drop_unknown,
        }
        return words + [name for name, given in flags.items() if given]

    @property
    def without_approvals(self) -> "PlanChoice":
        """What would change the plan itself: not that somebody approves what a rule wants approved."""
        return replace(self, allowances=replace(self.allowances, policy=frozenset()))


class CommonOption(click.Option):
    """An option of every command."""


def common_options(function: _F) -> _F:
    """The options of every command; what they say goes into the session."""
    for option in reversed(_COMMON):
        function = option(function)
    return function


def tree_options(function: _F) -> Callable[..., Any]:
    """`-e` and `--var`; the command receives them as `tree`."""
    return _gathered(function, _TREE, "tree", ("environment", "variables"), _tree_choice)


def plan_options(function: _F) -> Callable[..., Any]:
    """What may change a plan; the command receives it as `choices`."""
    return _gathered(function, _PLAN, "choices", _PLAN_NAMES, _plan_choice)


def format_option(function: _F) -> _F:
    """`--format` of commands with one result; the session knows it as `json`."""
    decorated: _F = stdout_format("text", "json")(function)
    return decorated


def _gathered(
    function: Callable[..., Any],
    options: tuple[Callable[[Any], Any], ...],
    name: str,
    parameters: tuple[str, ...],
    made: Callable[..., Any],
) -> Callable[..., Any]:
    @wraps(function)
    def command(*args: Any, **kwargs: Any) -> Any:
        kwargs[name] = made(**{parameter: kwargs.pop(parameter) for parameter in parameters})
        return function(*args, **kwargs)

    for option in reversed(options):
        command = option(command)
    return command


def _session(context: click.Context) -> Session:
    session = context.find_root().obj
    assert isinstance(session, Session)
    return session


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Into the session, unless the option was not given here: it may have been given before the command."""
    if value:
        setattr(_session(context), str(parameter.name), value)


def _keep_environment(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """For the reports too, which have to name it where the tree cannot even be read."""
    _session(context).reports.environment = value or ""
    return value


def _change_directory(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """At once, so that every other path on the command line is read from there."""
    if not value:
        return
    try:
        context.with_resource(contextlib.chdir(value))
    except OSError as error:
        raise click.BadParameter(f"{value}: {error.strerror}", context, parameter) from error
    session = _session(context)
    session.chdir = os.path.join(session.chdir, value)


def _variables(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in value:
        name, equals, content = text.partition("=")
        if not equals or not name:
            # The text may be a secret whose name was forgotten: it is not repeated.
            raise click.BadParameter("write name=value.", context, parameter)
        found[name] = content
    return found


def _addresses(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> frozenset[str]:
    for text in value:
        try:
            parse_address(text)
        except ValueError as error:
            raise click.BadParameter(str(error), context, parameter) from error
    return frozenset(value)


def _tree_choice(environment: str, variables: dict[str, str]) -> TreeChoice:
    return TreeChoice(environment=environment or "", variables=variables)


def _plan_choice(**given: Any) -> PlanChoice:
    return PlanChoice(
        options=PlanOptions(
            adopt=given["adopt"],
            prune=given["prune"],
            resend=given["resend"],
            force=given["force"],
            allow_drop_unknown=given["allow_drop_unknown"],
            allow_unlock=given["allow_unlock"],
            choice=Choice(only=given["target"], exclude=given["exclude"]),
        ),
        allowances=Allowances(
            delete=given["allow_delete"],
            mass_delete=given["allow_mass_delete"],
            unlock=given["allow_unlock"],
            empty=given["allow_empty"],
            policy=frozenset(given["allow_policy"]),
        ),
    )


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
    _common("-C", "--chdir", metavar="DIR", callback=_change_directory, help="Work in this folder."),
    _common(
        "--emulator",
        is_flag=True,
        help="Use an emulator on this machine, with its data in .cesplan/. Needs no Google account.",
    ),
    _common(
        "--endpoint", metavar="HOST", help="Another address of the service; `regional` for the location's own."
    ),
    _common(
        "--impersonate-service-account",
        "impersonate",
        metavar="ACCOUNT",
        help="Act as this service account; a list with commas is a chain of delegates.",
    ),
    _common("--quota-project", metavar="PROJECT", help="The project whose quota the requests use."),
    _common("--no-color", is_flag=True, help="No colour. NO_COLOR=1 in the environment does the same."),
    _common("--debug", is_flag=True, help="Show each request, without secrets, and where errors come from."),
)

variables_option = click.option(
    "--var",
    "variables",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_variables,
    help="A variable, once for each. Secrets better come as CESPLAN_VAR_<name> in the environment.",
)
"""`--var`; the command receives `variables`."""

_TREE = (
    click.option(
        "-e",
        "--environment",
        metavar="ENV",
        callback=_keep_environment,
        help="One of the environments in cesplan.yaml.",
    ),
    variables_option,
)

_PLAN = (
    click.option("--adopt", is_flag=True, help="Take over apps that no apply of cesplan has been to yet."),
    click.option(
        "--prune/--no-prune",
        default=None,
        help="Whether live resources that the tree does not have are deleted.  [default: as in cesplan.yaml]",
    ),
    click.option(
        "--target",
        multiple=True,
        metavar="PATTERN",
        help="Only these resources and what they depend on; `*` stands for anything inside one part.",
    ),
    click.option(
        "--exclude", multiple=True, metavar="PATTERN", help="Not these resources, nor what depends on them."
    ),
    click.option(
        "--resend",
        multiple=True,
        metavar="ADDRESS",
        callback=_addresses,
        help="Send fields again that never come back, such as credentials.",
    ),
    click.option(
        "--force",
        multiple=True,
        metavar="ADDRESS",
        callback=_addresses,
        help="Delete this although others refer to it: the service drops their references.",
    ),
    click.option(
        "--allow-delete",
        multiple=True,
        metavar="ADDRESS",
        callback=_addresses,
        help="Let this app, deployment or other guarded resource be deleted.",
    ),
    click.option("--allow-mass-delete", is_flag=True, help="Let many resources of one kind be deleted."),
    click.option("--allow-empty", is_flag=True, help="Let an app be emptied by an empty tree."),
    click.option("--allow-unlock", is_flag=True, help="Open the lock of a locked app, and close it again."),
    click.option(
        "--allow-drop-unknown",
        is_flag=True,
        help="Let replaced lists lose fields newer than this version knows.",
    ),
    click.option(
        "--allow-policy",
        multiple=True,
        metavar="RULE",
        help="Approve what this rule of the policy in cesplan.yaml wants approved.",
    ),
)
_PLAN_NAMES = (
    "adopt",
    "prune",
    "target",
    "exclude",
    "resend",
    "force",
    "allow_delete",
    "allow_mass_delete",
    "allow_empty",
    "allow_unlock",
    "allow_drop_unknown",
    "allow_policy",
)
