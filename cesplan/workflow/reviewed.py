"""
Reviewed plans: read from a file, checked against live once more, and then applied exactly.

A file needs no tree. The variables of its secrets are given again, and it is for one place alone.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from cesplan.config.files import Files
from cesplan.config.project.project import find_root, read_project
from cesplan.config.project.variables import SECRET_PREFIX, given_values
from cesplan.config.report import Report
from cesplan.domain.errors import InvalidConfiguration, Refused
from cesplan.domain.options import ALL
from cesplan.domain.plan import Operation
from cesplan.domain.reviewed import Reviewed, Stale
from cesplan.domain.service.endpoint import endpoint_of
from cesplan.domain.settings import Settings
from cesplan.domain.value import Secret
from cesplan.engine.comparing.copies import is_unmoved
from cesplan.engine.comparing.snapshot import makes_version
from cesplan.engine.comparing.stamp import stamp_mark
from cesplan.engine.planning.guard import guard
from cesplan.engine.reviewing.recheck import Rechecked, recheck, secrets_of
from cesplan.features.history.written_since import with_editors, written_since
from cesplan.render.machine.digests import work_digest
from cesplan.render.machine.formats.plan_files.plan_file import PlanFile
from cesplan.render.machine.plan_file import open_plan_file, reviewed_plan
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.saving import read_text
from cesplan.workflow.secret_values import read_sources


def not_reviewed(planned: Reviewed, shown: Reviewed) -> tuple[Operation, ...]:
    """
    The operations of a plan that a reviewed plan, `shown`, does not have, in the order of the plan.

    What the reviewed plan has beyond them does not count: it may have come true since. Stamps do not count
    either, for they name the commit. A version copies the whole app, so it was reviewed where the rest of the
    app is what it was. Raises Refused if the two plans are for different places.
    """
    reasons = [
        f"This plan is for {_named(what, here)}; the reviewed plan is for {_named(what, there)}."
        for what, here, there in zip(_WHERE, _where(planned), _where(shown), strict=True)
        if here != there
    ]
    if reasons:
        raise Refused(
            summary="The plan and the reviewed plan are for different places.", reasons=tuple(reasons)
        )
    known = {work_digest(item) for item in shown.plan.shown}
    written = {item.address for item in shown.plan.shown}

    def is_known(item: Operation) -> bool:
        app = item.address.app
        then, now = shown.copied.get(app, {}), planned.copied.get(app, {})
        return work_digest(item) in known and (not makes_version(item) or is_unmoved(then, now, written))

    return tuple(item for item in planned.plan.shown if not is_known(item))


def load_reviewed(
    path: Path,
    *,
    variables: Mapping[str, str] | None = None,
    environ: Mapping[str, str] = os.environ,
    connection: Connection = GOOGLE,
    root: Path | None = None,
) -> Reviewed:
    """
    The content of a plan file with the values of its secret variables, from where a tree would take them.

    `root` is the folder of a tree, out of which no secret is read. Raises PlanFileError, InvalidConfiguration
    where a variable is missing, Refused for a secret from a source that is not allowed, and what Secret Manager
    answers.
    """
    file = open_plan_file(read_text(path))
    given = given_values(environ, variables or {})
    needed = file.apply.variables
    values = {name: value for name in needed if (value := given.secret(name)) is not None}
    origins = {name: text for name, text in file.apply.secret_sources.items() if name not in values}
    missing = [name for name in needed if name not in values and name not in origins]
    if missing:
        raise InvalidConfiguration(
            summary=f"The plan needs {_variables(missing)}. Nothing was written.",
            detail="A plan file contains no secrets. Provide each one again "
            f"as {SECRET_PREFIX}{missing[0]} in the environment.",
        )
    if origins:
        read = read_sources(origins, replace(connection, emulator=_emulated(file)), root)
        values |= {name: read[text] for name, text in origins.items()}
    reviewed = reviewed_plan(file, values)
    known = tuple(Secret((name,), value) for name, value in sorted({**values, **given.secrets}.items()))
    seen = replace(reviewed.plan.allowances, revert=frozenset((ALL,)))  # the file shows what it reverts
    return replace(reviewed, plan=replace(reviewed.plan, secrets=known, allowances=seen))


def _emulated(file: PlanFile) -> str:
    """Not empty for a plan that was made with an emulator."""
    return "emulator" if file.apply.settings.value().emulated else ""


def check_place(
    reviewed: Reviewed, *, root: Path, environment: str = "", endpoint: str = "", emulated: bool = False
) -> None:
    """
    A plan is for the place it was made for.

    `environment` and `endpoint` are what the person named (empty: nothing); around `root` there may be a
    tree, which then has the last word on where an environment lives. Raises Refused.
    """
    settings = reviewed.plan.settings
    reasons = [
        *_unlike("environment", settings.environment, environment),
        *_unlike_endpoint(settings, endpoint),
        *_unlike_service(settings.emulated, emulated),
        *_unlike_tree(settings, root),
    ]
    if reasons:
        raise Refused(summary="The plan is for a different place. Nothing was written.", reasons=tuple(reasons))


def rechecked(reviewed: Reviewed, *, connection: Connection = GOOGLE) -> Rechecked:
    """
    What is left to do of a reviewed plan, judged against what is live now. Writes nothing.

    Raises Refused for a plan with refusals, or that the guard refuses for what is live now, and Stale, with who
    did it, where live moved.
    """
    if reviewed.plan.blockers:
        raise Refused(reasons=reviewed.plan.blockers)
    with connected(
        connection, reviewed.plan.settings, read_only=True, secrets=secrets_of(reviewed.plan)
    ) as client:
        again = recheck(reviewed, client)
        moved = again.moved or tuple(written_since(reviewed.plan, again, client))
        if moved:
            raise Stale(plan=reviewed.plan, moved=tuple(with_editors(moved, client)))
    reasons = guard(again.plan, again.live, reviewed.plan.allowances)
    if reasons:
        raise Refused(
            summary="The plan is refused because of changes in live. Nothing was written.", reasons=reasons
        )
    # What was applied since the plan was made does not mix with it; what is applied from now on may.
    stamps = {str(key): stamp_mark(item.app.body, item.app.name) for key, item in again.live.apps.items()}
    return replace(again, plan=replace(again.plan, stamps={**again.plan.stamps, **stamps}))


_WHERE = ("place", "environment", "endpoint", "API version", "service")


def _where(reviewed: Reviewed) -> tuple[str, ...]:
    settings = reviewed.plan.settings
    service = "an emulator" if settings.emulated else "Google"
    return settings.place.name, settings.environment, settings.endpoint, settings.api_version, service


def _variables(names: list[str]) -> str:
    listed = ", ".join(f"`{name}`" for name in names)
    return f"the variable {listed}" if len(names) == 1 else f"the variables {listed}"


def _unlike(what: str, planned: str, given: str) -> Iterator[str]:
    if given and given != planned:
        yield f"It was made for {_named(what, planned)}, not for {_named(what, given)}."


def _named(what: str, value: str) -> str:
    return f"the {what} `{value}`" if value else f"no {what}"


def _unlike_endpoint(settings: Settings, given: str) -> Iterator[str]:
    location = settings.place.location
    planned, current = (
        endpoint_of(settings.endpoint, location),
        endpoint_of(given or settings.endpoint, location),
    )
    if planned != current:
        yield f"It was made for the endpoint {planned}, not for {current}."


def _unlike_service(planned: bool, now: bool) -> Iterator[str]:
    if planned and not now:
        yield "It was made with an emulator, not with the service."
    if now and not planned:
        yield "It was made with the service, not with an emulator."


def _unlike_tree(settings: Settings, root: Path) -> Iterator[str]:
    """Where a tree is around, and it knows the environment, both must mean the same place."""
    folder = find_root(root)
    project = read_project(Files(folder, Report()), settings.environment, {}, {}) if folder else None
    if project is None:
        return
    here = project.settings.place
    if here.project and here.location and here != settings.place:
        name = f"the environment `{settings.environment}`" if settings.environment else "cesplan.yaml"
        yield (f"It was made for {settings.place.short}, and {name} of the tree in {folder} is {here.short}.")
