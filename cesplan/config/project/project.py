"""
The project in one environment: settings and variables from cesplan.yaml, the environment, and the command line.
"""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cesplan.config.files import Files
from cesplan.config.manifest import Spot
from cesplan.config.project.declarations import read_as
from cesplan.config.project.file import (
    FILE_NAME,
    PolicyReader,
    ProjectFile,
    Section,
    no_policy,
    read_project_file,
)
from cesplan.config.project.variables import MISSING, Declaration, Variables, given_values
from cesplan.config.report import Report, file_spot
from cesplan.config.suggestions import nearest, one_of
from cesplan.domain.features.policy import Rule
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import Place
from cesplan.domain.service.secret_source import parse_source
from cesplan.domain.settings import SETTINGS, Settings, settings_of
from cesplan.domain.value import UNREAD, Secret

if TYPE_CHECKING:
    from cesplan.domain.features.ignore_rules import IgnoreRule

_PLACE = ("project", "location", "endpoint")


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """
    One environment. `apps` are globs of app folders, `environments` the names of all environments.

    `policy` and `ignore_rules` (of the drift alarm) apply to all environments. `protect` are the protection
    patterns with their places. `twins` are the other environments in the same project, location, and endpoint.
    `spot` is where this one begins.
    """

    settings: Settings
    variables: Variables
    apps: tuple[str, ...]
    environments: frozenset[str]
    policy: tuple[Rule, ...] = ()
    ignore_rules: "tuple[IgnoreRule, ...]" = ()
    protect: Mapping[str, Spot] = field(default_factory=dict)
    twins: frozenset[str] = frozenset()
    spot: Spot | None = None


def find_root(start: Path) -> Path | None:
    """The nearest folder with a cesplan.yaml, from `start` upward."""
    folder = start.absolute()
    return next((item for item in (folder, *folder.parents) if (item / FILE_NAME).is_file()), None)


NOTHING_READ: Mapping[str, str] = {}


def environments_of(root: Path) -> tuple[str, ...]:
    """The environments in the cesplan.yaml of a folder, sorted; none if it cannot be read."""
    report = Report()
    found = Files(root, report).mapping(FILE_NAME)
    return tuple(sorted(read_project_file(*found, report, no_policy).environments)) if found else ()


def app_globs(root: Path) -> tuple[str, ...]:
    """The globs of app folders in the cesplan.yaml of a folder; none if it cannot be read."""
    report = Report()
    found = Files(root, report).mapping(FILE_NAME)
    if found is None:
        return ()
    return tuple(
        read_project_file(*found, report, no_policy).top.settings.get("apps", SETTINGS["apps"].default)
    )


def read_project(
    files: Files,
    environment: str,
    given: Mapping[str, str],
    environ: Mapping[str, str],
    read_policy: PolicyReader = no_policy,
    secrets: Mapping[str, str] = NOTHING_READ,
) -> Project | None:
    """
    The project in an environment (empty: none of them); None if cesplan.yaml is unusable.

    `secrets` are the values of secrets that were read, by source.
    """
    found = files.mapping(FILE_NAME)
    if found is None:
        return None
    project_file = read_project_file(*found, files.report, read_policy)
    if environment and environment not in project_file.environments:
        _unknown_environment(environment, project_file, files.report)
        return None
    section = project_file.environments.get(environment, Section())
    settings = _merged(project_file.top.settings, section.settings)
    _check_place(environment, settings, project_file, files.report)
    declared = {**project_file.top.variables, **section.variables}
    place = Place(project=settings.get("project", ""), location=settings.get("location", ""))
    return Project(
        settings=settings_of(place, environment, settings),
        variables=_variables(declared, given, environ, secrets, files.report),
        apps=tuple(settings.get("apps", SETTINGS["apps"].default)),
        environments=frozenset(project_file.environments),
        policy=project_file.policy,
        ignore_rules=project_file.ignore_rules,
        protect={**project_file.top.protect, **section.protect},
        twins=_twins(environment, project_file),
        spot=section.spot,
    )


def _twins(environment: str, project_file: ProjectFile) -> frozenset[str]:
    """The other environments with the same project, location, and endpoint; none without an environment."""
    places = {
        name: tuple({**project_file.top.settings, **section.settings}.get(key) for key in _PLACE)
        for name, section in project_file.environments.items()
    }
    here = places.pop(environment, ())
    return frozenset(name for name, place in places.items() if any(place) and place == here)


def _unknown_environment(environment: str, project_file: ProjectFile, report: Report) -> None:
    known = sorted(project_file.environments)
    report.add(
        "CES007",
        f"cesplan.yaml has no environment `{environment}`",
        file_spot(FILE_NAME),
        detail=f"It has {', '.join(known)}." if known else "The file has no `environments`; add it there.",
        suggestion=nearest(environment, known),
    )


def _check_place(environment: str, values: dict[str, Any], project_file: ProjectFile, report: Report) -> None:
    section = project_file.environments.get(environment, Section())
    for name in ("project", "location"):
        if values.get(name) or name in project_file.top.names | section.names:
            continue
        if environment:
            how = (
                f"Neither the environment `{environment}` nor the top level sets it. Add `{name}: …` "
                "to one of them."
            )
        else:
            how = "Set it at the top level" + _or_an_environment(project_file)
        report.add("CES006", f"`{name}` is missing", section.spot or file_spot(FILE_NAME), detail=how)


def _or_an_environment(project_file: ProjectFile) -> str:
    names = [f"-e {name}" for name in project_file.environments]
    return f", or choose an environment: {one_of(names, mark='')}." if names else "."


def _merged(top: Mapping[str, Any], environment: Mapping[str, Any]) -> dict[str, Any]:
    """The settings in an environment: its own values override the top level, and lists are joined."""
    lists = (key for key, said in environment.items() if isinstance(said, list) and key in top)
    return {**top, **environment, **{key: [*top[key], *environment[key]] for key in lists}}


def _variables(
    declared: Mapping[str, Declaration],
    given: Mapping[str, str],
    environ: Mapping[str, str],
    secrets: Mapping[str, str],
    report: Report,
) -> Variables:
    """The variables, including secrets read from their sources. Given values override those."""
    values = _values(declared, given, environ, report)
    origins: dict[str, str] = {}
    for name, item in declared.items():
        if not item.origin or name in values:
            continue
        origins[name] = item.origin
        text = secrets.get(item.origin)
        if text is not None and item.rotation != parse_source(item.origin).rotation:
            _check_marker(item, text, report)
        values[name] = Secret((name,), f"{UNREAD}{name}" if text is None else text)
    return Variables(declared, values, origins=origins)


def _values(
    declared: Mapping[str, Declaration], given: Mapping[str, str], environ: Mapping[str, str], report: Report
) -> dict[str, Any]:
    values = {name: item.value for name, item in declared.items() if item.value is not MISSING}
    found = given_values(environ, given)
    for name, declaration in declared.items():
        if declaration.secret:
            if (text := found.secret(name)) is not None:
                values[name] = Secret((name,), text)
                _check_marker(declaration, text, report)
        elif name in found.plain and name not in found.secrets:
            origin, text = found.plain[name]
            try:
                values[name] = read_as(declaration.type, text)
            except ValueError:
                report.add(
                    "CES029",
                    f"the value of `{origin}` does not match the type {declaration.type}",
                    declaration.spot,
                    detail=f"`{name}` is declared as {declaration.type}.",
                )
    # The command line may set a variable that no file declares, but the environment may not.
    values |= {name: text for name, text in given.items() if name not in declared}
    values |= {name: Secret((name,), text) for name, text in found.secrets.items()}
    return values


def _check_marker(declaration: Declaration, text: str, report: Report) -> None:
    """Report a marker that contains the secret: it is shown and stored in the app's metadata."""
    if text and text in declaration.rotation:
        report.add(
            "CES030",
            f"the rotation marker of `{declaration.name}` contains the secret",
            file_spot(FILE_NAME),  # no line, which would be shown
            detail="Use a label that changes with each new secret, such as '2026-11'.",
        )
