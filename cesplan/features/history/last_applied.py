"""
Which state was last applied, found without a state file.

It is the tree at the commit in the stamp; else the snapshot of a version that the tree made; else what the
change log says about the time before others changed it; else nothing. Every source after the first says why
the ones before it could not be used.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from cesplan.config.committed import committed_at, extract_tree
from cesplan.config.tree.load import load
from cesplan.domain.address import Address, Key, KindName
from cesplan.domain.app_metadata.stamp import Stamp, read_stamp
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.errors import ApiError
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body
from cesplan.engine.comparing.match import Matched
from cesplan.engine.comparing.snapshot import app_of_snapshot, snapshot_of
from cesplan.engine.comparing.stamp import digest, stamp_of
from cesplan.engine.pulling.keys import everything
from cesplan.features.history.base import Base, BaseApp, base_of_body, base_of_live, base_of_tree
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client

_MOST_ENTRIES = 1000
_MOST_STAMPS = 20
_MOST_NAMES = 5
"""Names of files in one notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What finding a base needs."""

    root: Path
    tree: DesiredApp
    live: LiveApp
    matched: Matched
    naming: Naming
    environment: str
    variables: Mapping[str, str]
    client: Client


def find_base(asked: Asked) -> BaseApp:
    """The best base there is."""
    stamp = stamp_of(asked.live, asked.naming.place)
    found, why = _from_git(asked, stamp)
    if found is not None:
        return found
    for weaker in (_from_version, _from_change_log):
        if (base := weaker(asked, stamp)) is not None:
            return replace(base, weaker=why)
    return BaseApp(source="nothing: what only one side has is taken for new there", weaker=why)


def _from_git(asked: Asked, stamp: Stamp) -> tuple[BaseApp | None, str]:
    """The tree at the stamp's commit, or why it cannot be the base."""
    commit = stamp.commit
    if not stamp.is_complete:
        return None, "the app carries no stamp of a complete apply"
    if not commit:
        return None, "the last apply was made outside of git"
    if stamp.dirty:
        return None, f"the last apply was made from a tree with changes that were not in {commit[:12]}"
    with tempfile.TemporaryDirectory(prefix="cesplan-") as folder:
        extracted = extract_tree(asked.root, commit, Path(folder))
        if extracted.trouble:
            return None, extracted.trouble
        environment = stamp.environment or asked.environment
        loaded = load(Path(folder), environment=environment, variables=asked.variables)
    notices = _skipped(commit, extracted.skipped)
    old = _same_app(asked, loaded.desired.apps) if loaded.desired else None
    if old is None:
        left_out = "".join(f". {notice}" for notice in notices)
        return None, f"the tree at {commit[:12]} cannot be read, or does not have this app{left_out}"
    base = base_of_tree(old, asked.tree, asked.live, asked.naming)
    exact = stamp.digest == digest(old)
    note = "" if exact else "; variables had other values then, or parts were left out"
    source = f"the tree at {commit[:12]}, which was applied last{note}"
    return replace(base, source=source, notices=notices), ""


def _skipped(commit: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """A notice of what a commit holds and the base leaves out."""
    if not paths:
        return ()
    more = f" and {len(paths) - _MOST_NAMES:,} more" if len(paths) > _MOST_NAMES else ""
    text = (
        f"{', '.join(paths[:_MOST_NAMES])}{more} of the commit {commit[:12]} left out of the base: "
        "a link that leads out of the tree, or a name that no file can have"
    )
    return (text,)


def _same_app(asked: Asked, apps: tuple[DesiredApp, ...]) -> DesiredApp | None:
    by_key = next((app for app in apps if app.key == asked.tree.key), None)
    by_id = (app for app in apps if asked.live.app.id in (app.app.resource_id, app.key))
    return by_key or next(by_id, None)


def _from_version(asked: Asked, stamp: Stamp) -> BaseApp | None:
    """The snapshot of the newest version that the tree has a file for: what an apply of it had made."""
    ours = [
        match.live
        for match in asked.matched.matches
        if match.live is not None and kind_of(match.live.kind).after_all_writes
    ]
    newest = max(ours, key=lambda item: str(item.body.get("createTime", "")), default=None)
    if newest is None:
        return None
    snapshot = snapshot_of(asked.client.get(kind_of(newest.kind), newest.name))
    if snapshot is None:
        return None
    then = app_of_snapshot(snapshot)
    base = base_of_live(everything(then), then.app, asked.naming, asked.tree)
    return replace(base, source=f"the snapshot of the version {newest.id}; two-way for other kinds")


def _from_change_log(asked: Asked, stamp: Stamp) -> BaseApp | None:
    """What resources were before others changed them, since the stamp or since their files were committed."""
    try:
        entries = asked.client.list_changes(asked.live.app.name, at_most=_MOST_ENTRIES)
    except ApiError:
        return None
    if not entries:
        return None
    log = _Log(asked, entries)
    stamped = log.stamp_time(stamp)
    found: dict[Address, Base] = {}
    is_known = False
    for address, name, live, file in log.resources():
        since = stamped or (committed_at(asked.root, _paths(file)) if file else None)
        if since is None:
            continue
        past = log.past(name, since, live)
        is_known |= past is not None
        if past:
            found[address] = base_of_body(address.kind, past, asked.naming)
    if not is_known:
        return None
    when = "since the last apply" if stamped else "since the files were committed"
    return BaseApp(
        found=found,
        source=f"what the change log says it was before it was changed {when}; two-way where it says nothing",
    )


def _paths(file: DesiredResource) -> tuple[str, ...]:
    return (file.file, *sorted(set(file.files.values())))


class _Log:
    """The newest entries of an app's change log."""

    def __init__(self, asked: Asked, entries: tuple[Body, ...]) -> None:
        self._asked = asked
        self._by_name: dict[str, list[Body]] = {}
        for entry in entries:
            self._by_name.setdefault(str(entry.get("resource", "")), []).append(entry)

    def stamp_time(self, stamp: Stamp) -> datetime | None:
        """When the stamp was written: the last thing that an apply does."""
        if not stamp.is_complete:
            return None
        for entry in self._by_name.get(self._asked.live.app.name, [])[:_MOST_STAMPS]:
            whole = self._whole(entry)
            if (
                self._digest(whole.get("newResource"))
                == stamp.digest
                != self._digest(whole.get("originalResource"))
            ):
                return _time(entry)
        return None

    def past(self, name: str, since: datetime, live: LiveResource | None) -> Body | None:
        """
        A resource as it was at a time, empty where it did not exist; None where nobody knows.

        The log may be silent about a change, so without an entry only the resource's own update time
        says that it is still the same.
        """
        later = [entry for entry in self._by_name.get(name, []) if (_time(entry) or since) > since]
        if later:
            original = self._whole(later[-1]).get("originalResource")
            return {**original, "name": name} if isinstance(original, dict) and original else {}
        updated = _moment(live.body.get("updateTime")) if live else None
        return live.body if live and updated and updated <= since else None

    def resources(self) -> list[tuple[Address, str, LiveResource | None, DesiredResource | None]]:
        """Everything that the tree, live or the log knows: address, full name, live, file."""
        asked = self._asked
        found: dict[str, tuple[Address, str, LiveResource | None, DesiredResource | None]] = {}
        for item in (asked.live.app, *everything(asked.live)):
            found[item.name] = (self._address(item.kind, item.id), item.name, item, None)
        for match in asked.matched.matches:
            address = match.desired.address
            name = match.live.name if match.live else asked.naming.to_name(address.within_app)
            found[name] = (address, name, match.live, match.desired)
        return [found[name] for name in sorted(found)]

    def _address(self, kind: KindName, resource_id: str) -> Address:
        if kind == self._asked.tree.app.address.kind:
            return self._asked.tree.app.address
        key = self._asked.naming.key_of(kind, resource_id)
        return Address(app=self._asked.tree.key, kind=kind, key=Key(key))

    def _digest(self, resource: Any) -> str:
        metadata = resource.get("metadata") if isinstance(resource, dict) else None
        return read_stamp(metadata, self._asked.naming.app_name).digest

    def _whole(self, entry: Body) -> Body:
        return self._asked.client.read_change(str(entry.get("name", "")))


def _time(entry: Body) -> datetime | None:
    return _moment(entry.get("createTime"))


def _moment(text: Any) -> datetime | None:
    """A time of the API (RFC 3339)."""
    try:
        return datetime.fromisoformat(str(text))
    except ValueError:
        return None
