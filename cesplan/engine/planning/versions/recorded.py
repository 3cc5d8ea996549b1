"""
Recorded versions: which live versions are the ones that complete applies recorded.

A version never changes, but it can be deleted and re-created with the same id and other content. The stamp has
a mark of when each version was created. A version that the last apply created has none yet; it is older than
that stamp.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping

from cesplan.domain.app_metadata.stamp import Stamp
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.plan import Operation
from cesplan.domain.text.times import moment
from cesplan.engine.comparing.match import Match
from cesplan.engine.comparing.normalize import references
from cesplan.model.kinds import kind_of

NEVER = "0" * 8
"""A mark that matches no version, for one that was re-created before its mark was recorded."""


def remade(
    matches: Iterable[Match], known: Collection[str], stamp: Stamp, live: LiveApp | None
) -> frozenset[str]:
    """The keys of version files `known` to the stamp whose version was re-created since."""
    if live is None:
        return frozenset()
    app = live.app
    return frozenset(
        key
        for key, version in _versions(matches).items()
        if key in known and _is_remade(key, version, stamp, app)
    )


def marks(
    matches: Iterable[Match], again: Collection[str], stamp: Stamp, named: Collection[str]
) -> dict[str, str]:
    """
    The marks of when versions were created, for the next stamp, by key.

    For a version that was re-created (`again`), the old mark is kept, unless the plan has compared or adopted
    the version because it will be `named`.
    """
    return {
        key: stamp.made.get(key, NEVER) if key in again and version_name not in named else mark_of(version)
        for key, version in _versions(matches).items()
        for version_name in [f"{version.kind}/{key}"]
    }


def mark_of(version: LiveResource) -> str:
    """A short mark for when a version was created."""
    return hashlib.sha256(str(version.body.get("createTime", "")).encode()).hexdigest()[:8]


def newly_named(operations: Iterable[Operation]) -> frozenset[str]:
    """The versions that operations will refer to, as in bodies: `versions/release-1`."""
    return frozenset(name for item in operations for name in _newly_named(item))


def named_versions(matches: Iterable[Match], operations: Iterable[Operation]) -> tuple[LiveResource, ...]:
    """The live versions that operations will refer to."""
    named = newly_named(operations)
    return tuple(item for key, item in sorted(_versions(matches).items()) if f"{item.kind}/{key}" in named)


def _newly_named(operation: Operation) -> set[str]:
    spec = kind_of(operation.address.kind).spec
    before, after = (
        {name for _, name in references(spec, body or {})} for body in (operation.before, operation.after)
    )
    return after - before


def _versions(matches: Iterable[Match]) -> Mapping[str, LiveResource]:
    """The live versions of the tree's files, by key."""
    return {
        match.desired.address.key: match.live
        for match in matches
        if match.live is not None and kind_of(match.desired.address.kind).is_snapshot
    }


def _is_remade(key: str, version: LiveResource, stamp: Stamp, app: LiveResource) -> bool:
    mark = stamp.made.get(key)
    if mark is not None:
        return mark != mark_of(version)
    made, stamped = moment(version.body.get("createTime")), moment(app.body.get("updateTime"))
    return made is not None and stamped is not None and made > stamped
