"""
Reviewed plans: read from a file, checked against live once more, and then applied exactly.

A file needs no tree. The variables of its secrets are given again, and it is for one place alone.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cesplan.config.files import Files
from cesplan.config.project.project import find_root, read_project
from cesplan.config.project.variables import SECRET_PREFIX, given_values
from cesplan.config.report import Report
from cesplan.domain.address import AppKey
from cesplan.domain.endpoint import endpoint_of
from cesplan.domain.errors import CesplanError, InvalidConfiguration, Refused
from cesplan.domain.options import ALL
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.domain.resource_name import parse_name
from cesplan.domain.reviewed import Edit, Moved, Movement, Reviewed, Stale
from cesplan.domain.settings import Settings
from cesplan.domain.value import Secret
from cesplan.engine.comparing.copies import is_unmoved
from cesplan.engine.comparing.resource_names import target_of
from cesplan.engine.comparing.snapshot import makes_version
from cesplan.engine.comparing.stamp import stamp_mark
from cesplan.engine.planning.guard import guard
from cesplan.engine.reviewing.logged import is_logged, undoes
from cesplan.engine.reviewing.recheck import Rechecked, recheck, secrets_of
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client
from cesplan.render.machine.digests import work_digest
from cesplan.render.machine.plan_file import open_plan_file, read_plan_file, reviewed_plan
from cesplan.workflow.connecting import Connection, connected
from cesplan.workflow.saving import read_text

_GOOGLE = Connection()
_SLACK = timedelta(seconds=5)
"""An entry of the change log may be written a little before or after the resource that it tells of."""


_MOST_NAMES = 20
_MOST_ENTRIES = 1000
"""Of the change log since a plan was made. A longer one counts as one that cannot be read."""


def show(path: Path) -> Reviewed:
    """The content of a plan file, secrets left out. Raises PlanFileError."""
    return read_plan_file(read_text(path))


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
    path: Path, *, variables: Mapping[str, str] | None = None, environ: Mapping[str, str] = os.environ
) -> Reviewed:
    """
    The content of a plan file with the values of its secret variables, from where a tree would take them.

    Raises PlanFileError, and InvalidConfiguration where a variable is missing.
    """
    file = open_plan_file(read_text(path))
    given = given_values(environ, variables or {})
    wanted = file.apply.variables
    missing = [name for name in wanted if given.secret(name) is None]
    if missing:
        raise InvalidConfiguration(
            summary=f"The plan needs {_variables(missing)}. Nothing was written.",
            detail="A plan file contains no secrets. Provide each one again "
            f"as {SECRET_PREFIX}{missing[0]} in the environment.",
        )
    values = {name: value for name in wanted if (value := given.secret(name)) is not None}
    reviewed = reviewed_plan(file, values)
    known = tuple(Secret((name,), value) for name, value in sorted(given.secrets.items()))
    seen = replace(reviewed.plan.allowances, revert=frozenset((ALL,)))  # the file shows what it reverts
    return replace(reviewed, plan=replace(reviewed.plan, secrets=known, allowances=seen))


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


def rechecked(reviewed: Reviewed, *, connection: Connection = _GOOGLE) -> Rechecked:
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
        moved = again.moved or tuple(_written_since(reviewed.plan, again, client))
        if moved:
            raise Stale(plan=reviewed.plan, moved=tuple(_with_edits(moved, client)))
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
    planned, asked = endpoint_of(settings.endpoint, location), endpoint_of(given or settings.endpoint, location)
    if planned != asked:
        yield f"It was made for the endpoint {planned}, not for {asked}."


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
        yield (
            f"It was made for {settings.place.project}/{settings.place.location}, "
            f"and {name} of the tree in {folder} is {here.project}/{here.location}."
        )


def _written_since(plan: Plan, again: Rechecked, client: Client) -> Iterator[Moved]:
    """
    What is left of a plan and would take back what was written since it was made, by the change log.

    Where the log cannot tell, and another complete apply has been there, all of it may.
    """
    addresses = {item.address for item in filter(is_logged, again.plan.operations)}
    left: dict[AppKey, list[Operation]] = {}
    for operation in filter(is_logged, plan.operations):  # with all their steps, also those that are done
        if operation.address in addresses:
            left.setdefault(operation.address.app, []).append(operation)
    for key, operations in sorted(left.items()):
        app = again.live.apps.get(key)
        if app is None:
            continue
        entries = _entries_since(plan.sequences.get(key), app.app.name, client)
        whole = [item for item in operations if _takes_all(item)]
        if whole:
            yield from (_gone_with(plan, item, entries) for item in whole if entries or entries is None)
            continue
        is_applied = stamp_mark(app.app.body, app.app.name) != plan.stamps.get(key, "")
        if entries is None or (is_applied and not any(_is_about(item, app.app.name) for item in entries)):
            if is_applied:
                yield from (_moved(plan, item, Movement.APPLIED) for item in operations)
            continue
        for operation in operations:
            yield from _written(plan, operation, entries, client)


def _takes_all(operation: Operation) -> bool:
    """True for the deletion of an app, which takes along everything in it."""
    return operation.action is Action.DELETE and kind_of(operation.address.kind).container is not None


def _gone_with(plan: Plan, operation: Operation, entries: Sequence[Mapping[str, Any]] | None) -> Moved:
    """What was written in an app since its deletion was reviewed, or may have been."""
    if not entries:
        return _moved(plan, operation, Movement.UNCLEAR)
    edit = Edit(author=str(entries[0].get("author", "")), time=str(entries[0].get("createTime", "")))
    names = tuple(sorted({"/".join(str(item.get("resource", "")).split("/")[-2:]) for item in entries}))
    return replace(_moved(plan, operation, Movement.CONTENT_CHANGED), names=names[:_MOST_NAMES], edit=edit)


def _entries_since(sequence: int | None, app_name: str, client: Client) -> tuple[Mapping[str, Any], ...] | None:
    """The entries of an app's change log after one, newest first; None if they are not all known."""
    if sequence is None:
        return None
    try:
        entries = client.list_changes(app_name, at_most=_MOST_ENTRIES)
    except CesplanError:
        return None
    numbers = [_number(item) for item in entries]
    if -1 in numbers or (len(numbers) >= _MOST_ENTRIES and min(numbers) > sequence):
        return None
    return tuple(item for item, number in zip(entries, numbers, strict=True) if number > sequence)


def _number(entry: Mapping[str, Any]) -> int:
    said = str(entry.get("sequenceNumber", ""))
    return int(said) if said.isascii() and said.isdecimal() else -1


def _written(
    plan: Plan, operation: Operation, entries: Iterable[Mapping[str, Any]], client: Client
) -> Iterator[Moved]:
    """The newest entry that an operation would take back."""
    target = target_of(plan, operation)
    for entry in entries:
        if _is_about(entry, target.name) and undoes(operation, target, client.read_change(str(entry["name"]))):
            edit = Edit(author=str(entry.get("author", "")), time=str(entry.get("createTime", "")))
            yield replace(_moved(plan, operation, Movement.WRITTEN), edit=edit)
            return


def _moved(plan: Plan, operation: Operation, movement: Movement) -> Moved:
    return Moved(operation=operation, movement=movement, resource=target_of(plan, operation).name)


def _is_about(entry: Mapping[str, Any], name: str) -> bool:
    return _tail(str(entry.get("resource", ""))) == _tail(name)


def _with_edits(moved: Iterable[Moved], client: Client) -> Iterator[Moved]:
    """Each with who did it, as far as the change log tells."""
    logs: dict[str, tuple[Mapping[str, Any], ...]] = {}
    for item in moved:
        app = _app_of(item.resource)
        if app and app not in logs:
            logs[app] = _log(client, app)
        yield item if item.edit else replace(item, edit=_edit(item, logs.get(app, ())))


def _log(client: Client, app: str) -> tuple[Mapping[str, Any], ...]:
    """The newest entries of an app's change log; none where it cannot be read: the news is bad enough."""
    try:
        return client.list_changes(app)
    except CesplanError:
        return ()


def _edit(moved: Moved, entries: Iterable[Mapping[str, Any]]) -> Edit | None:
    """The newest entry that tells of what happened; entries come newest first."""
    for entry in entries:
        if _tail(str(entry.get("resource", ""))) == _tail(moved.resource) and _tells(entry, moved):
            return Edit(author=str(entry.get("author", "")), time=str(entry.get("createTime", "")))
    return None


def _tells(entry: Mapping[str, Any], moved: Moved) -> bool:
    is_delete = "delete" in str(entry.get("action", "")).lower()
    if moved.movement in (Movement.DELETED, Movement.REFERENCE_GONE, Movement.COPIED_DELETED):
        return is_delete
    when, since = _time(str(entry.get("createTime", ""))), _time(moved.updated)
    return not is_delete and when is not None and since is not None and when >= since - _SLACK


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _app_of(name: str) -> str:
    return "/".join(name.split("/")[:6]) if (parts := parse_name(name)) and parts.app else ""


def _tail(name: str) -> str:
    """A resource name without its project, which has two spellings."""
    return name.partition("/locations/")[2]
