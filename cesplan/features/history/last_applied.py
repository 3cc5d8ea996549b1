"""
The last applied state, found without a state file. It is the tree at the commit in the stamp; else the earlier
states in the change log and, for what it lacks, the snapshot of a version that the tree created; else nothing.
Every source after the first says why the first could not be used.
"""

from dataclasses import replace
from datetime import datetime

from cesplan.config.committed import committed_at
from cesplan.domain.address import Address
from cesplan.domain.app_metadata.stamp import Stamp
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.text.times import moment, sortable
from cesplan.domain.text.words import some_of
from cesplan.domain.value import Body
from cesplan.engine.comparing.copies import address_of
from cesplan.engine.comparing.match import Matched
from cesplan.engine.comparing.snapshot import app_of_snapshot, snapshot_of
from cesplan.engine.comparing.stamp import digest, stamp_of
from cesplan.engine.pulling.keys import everything
from cesplan.features.history.base import Base, BaseApp, base_of_body, base_of_live, base_of_tree
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.sources import Sources
from cesplan.model.kinds import kind_of

_MOST_NAMES = 5
"""The most file names in one notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseQuery:
    """The input for finding a base."""

    sources: Sources
    tree: DesiredApp
    live: LiveApp
    matched: Matched
    naming: Naming
    log: EditLog


def find_base(query: BaseQuery) -> BaseApp:
    """The best base available."""
    stamp = stamp_of(query.live, query.naming.place)
    if stamp.is_complete and stamp.digest == digest(query.tree):
        same = base_of_tree(query.tree, query.tree, query.live, query.naming)
        at = f"the tree at {stamp.commit[:12]}" if stamp.commit and not stamp.dirty else "the tree as it is"
        return replace(same, source=f"{at}, which was applied last")
    found, why = _from_git(query, stamp)
    if found is not None:
        return found
    logged, version = _from_change_log(query, stamp), _from_version(query, stamp)
    if logged is not None and version is not None:
        return replace(logged.over(version), weaker=why)
    weaker = logged or version
    if weaker is not None:
        return replace(weaker, weaker=why)
    return BaseApp(source="none: resources on only one side count as new there", weaker=why)


def _from_git(query: BaseQuery, stamp: Stamp) -> tuple[BaseApp | None, str]:
    """The tree at the stamp's commit, or why it cannot be the base."""
    commit = stamp.commit
    if not stamp.is_complete:
        return None, "the app has no stamp of a complete apply"
    if not commit:
        return None, "the last apply ran outside git"
    if stamp.dirty:
        return None, f"the last apply ran with local changes that are not in {commit[:12]}"
    sources = query.sources
    then = sources.earlier.at(commit, stamp.environment or sources.environment, sources)
    if then.trouble:
        return None, then.trouble
    notices = _skipped(commit, then.skipped)
    old = _same_app(query, then.apps or ())
    if old is None:
        left_out = "".join(f". {notice}" for notice in notices)
        return None, f"the tree at {commit[:12]} cannot be read, or does not have this app{left_out}"
    base = base_of_tree(old, query.tree, query.live, query.naming)
    exact = stamp.digest == digest(old)
    note = "" if exact else "; variables had other values, or parts are omitted"
    source = f"the tree at {commit[:12]}, which was applied last{note}"
    return replace(base, source=source, notices=notices, exact=exact), ""


def _skipped(commit: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """A notice about files of a commit that the base leaves out."""
    if not paths:
        return ()
    text = (
        f"{some_of(paths, _MOST_NAMES)} of the commit {commit[:12]} omitted from the base: "
        "a link that points outside the tree, or an invalid file name"
    )
    return (text,)


def _same_app(query: BaseQuery, apps: tuple[DesiredApp, ...]) -> DesiredApp | None:
    by_key = next((app for app in apps if app.key == query.tree.key), None)
    by_id = (app for app in apps if query.live.app.id in (app.app.resource_id, app.key))
    return by_key or next(by_id, None)


def _from_version(query: BaseQuery, stamp: Stamp) -> BaseApp | None:
    """The snapshot of the newest version that has a file in the tree, and so was created by an apply."""
    ours = [
        match.live
        for match in query.matched.matches
        if match.live is not None and kind_of(match.live.kind).is_snapshot
    ]
    newest = max(ours, key=lambda item: sortable(item.body.get("createTime")), default=None)
    if newest is None:
        return None
    snapshot = snapshot_of(query.sources.client.get(kind_of(newest.kind), newest.name))
    if snapshot is None:
        return None
    then = app_of_snapshot(snapshot)
    base = base_of_live(everything(then), then.app, query.naming, query.tree)
    return replace(
        base, source=f"the snapshot of version {newest.id}; kinds outside snapshots are compared two-way"
    )


def _from_change_log(query: BaseQuery, stamp: Stamp) -> BaseApp | None:
    """What resources were before others changed them."""
    log = query.log
    if not log.entries and log.trouble:
        return None
    found: dict[Address, Base] = {}
    by_id: dict[tuple[str, str], Base] = {}
    for address, name, live, file in _resources(query):
        since = None
        if not stamp.is_complete:
            since = committed_at(query.sources.root, _paths(file)) if file else None
            if since is None:
                continue
        past = _past(log, name, since, live)
        if past is None:
            continue
        base = base_of_body(address.kind, past, query.naming) if past else Base(exists=False)
        if past:
            found[address] = base
        if live is not None:
            by_id[address.kind, live.id] = base
    if not found and not by_id:
        return None
    when = "since the last apply" if stamp.is_complete else "since the files were committed"
    return BaseApp(
        found=found,
        by_id=by_id,
        source=f"the change log (the state before the edits {when})",
    )


def _past(log: EditLog, name: str, since: datetime | None, live: LiveResource | None) -> Body | None:
    """
    A resource as the last apply left it (or as it was at a time), empty if it did not exist; None: unknown.

    The log may lack a change, so without an entry only the update time of the resource shows that it is
    unchanged.
    """
    entries = log.foreign(name) if since is None else _later(log.on(name), since)
    if entries and since is None and not log.is_complete:
        return None  # a lost entry may have changed it before
    if entries:
        whole = log.read(entries[-1])
        original = whole.get("originalResource")
        if isinstance(original, dict) and original:
            return {**original, "name": name}
        return {} if whole.get("newResource") else None
    then = since or log.stamp_time()
    updated = moment(live.body.get("updateTime")) if live else None
    return live.body if live and updated and then and updated <= then else None


def _later(entries: tuple[Body, ...], since: datetime) -> tuple[Body, ...]:
    return tuple(entry for entry in entries if (moment(entry.get("createTime")) or since) > since)


def _resources(
    query: BaseQuery,
) -> list[tuple[Address, str, LiveResource | None, DesiredResource | None]]:
    """Everything that the tree or live has: address, full name, live, file."""
    found: dict[str, tuple[Address, str, LiveResource | None, DesiredResource | None]] = {}
    for item in (query.live.app, *everything(query.live)):
        found[item.name] = (address_of(item, query.tree.key, query.naming), item.name, item, None)
    for match in query.matched.matches:
        address = match.desired.address
        name = match.live.name if match.live else query.naming.to_name(address.within_app)
        found[name] = (address, name, match.live, match.desired)
    return [found[name] for name in sorted(found)]


def _paths(file: DesiredResource) -> tuple[str, ...]:
    return (file.file, *sorted(set(file.files.values())))
