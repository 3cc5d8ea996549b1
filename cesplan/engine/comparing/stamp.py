"""
The stamp: what applies record in the app's metadata instead of a state file. Its values are in
`cesplan.domain.app_metadata.stamp`.

It says from which tree, environment, and commit live was applied, with a digest of the desired state. Its keys
belong to cesplan and never count as differences.
"""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from cesplan.domain.address import app_address
from cesplan.domain.app_metadata.names import TREE_NAME, others_keys
from cesplan.domain.app_metadata.stamp import Stamp, id_mark, read_stamp, stamp_texts
from cesplan.domain.app_metadata.wrote import Wrote
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource, Source
from cesplan.domain.field_path import MaskPath
from cesplan.domain.live import LiveApp
from cesplan.domain.plan import Action, Operation, Purpose, Reason, Step, StepId
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body, as_object, canonical_members, canonical_text
from cesplan.engine.comparing.match import Matched
from cesplan.engine.comparing.rotation import rotations_of
from cesplan.model.kinds import kind_of


def stamp_of(live: LiveApp, place: Place) -> Stamp:
    """The stamp of a live app; an empty one if it was never applied, or is a copy."""
    return read_stamp(live.app.body.get(kind_of("apps").stamp_field), place.app(live.app.id))


class Contact(StrEnum):
    """What the stamp of a live app says about earlier applies."""

    FIRST = "first"
    OURS = "ours"
    FOREIGN = "foreign"
    """Another tree, or this tree in another environment, was applied to this app."""


def contact_of(stamp: Stamp, desired: Desired) -> Contact:
    """Whether this tree was applied before in this environment. A tree without a name matches any tree."""
    if not stamp.is_complete:
        return Contact.FIRST
    return Contact.FOREIGN if unlike(stamp, desired) or stamp.is_newer else Contact.OURS


def unlike(stamp: Stamp, desired: Desired) -> tuple[str, ...]:
    """How the environment and tree in a stamp differ from these, in words; empty if they do not."""
    tree = tree_id(desired.settings, desired.source)
    found = []
    if stamp.environment != desired.settings.environment:
        found.append(_mismatch("environment", stamp.environment, desired.settings.environment))
    if stamp.tree and tree and stamp.tree != tree:
        found.append(_mismatch("tree", stamp.tree, tree))
    return tuple(found)


def _mismatch(what: str, stamped: str, ours: str) -> str:
    there = f"the {what} `{stamped}`" if stamped else f"no {what}"
    here = f"`{ours}`" if ours else "none"
    return f"{there} (this is {here})"


def without_stamp(body: Body) -> Body:
    """The canonical body of an app without the stamp."""
    name = kind_of("apps").stamp_field
    if not isinstance(body.get(name), dict):
        return body
    kept = others_keys(body[name])
    rest = {key: value for key, value in body.items() if key != name}
    return {**rest, name: kept} if kept else rest


def tree_id(settings: Settings, source: Source) -> str:
    """
    The name of a tree, the same in every checkout: `tree:` in cesplan.yaml, else its project and path in git.

    Empty outside git, where paths differ between machines, so that trees cannot be distinguished.
    """
    if settings.tree or source.path is None:
        return settings.tree
    named = quote(f"{settings.place.project}/{source.path}".rstrip("/"), safe="/:@+")
    return named if TREE_NAME.fullmatch(named) else hashlib.sha256(named.encode()).hexdigest()


def digest(app: DesiredApp) -> str:
    """The SHA-256 in hex of the desired state of an app, including directives. Secrets count only by name."""
    hasher = hashlib.sha256()
    for piece in canonical_members({str(item.address): _asked(item) for item in app.all()}):
        hasher.update(piece.encode())
    return hasher.hexdigest()


def _asked(item: DesiredResource) -> dict[str, Any]:
    directives = {
        "id": item.resource_id,
        "protect": item.protect,
        "ignore": sorted(map(str, item.ignore)),
        "ownership": item.ownership,
        "extra": dict(item.extra),
    }
    return {"body": item.body, "directives": directives}


def new_stamp(
    app: DesiredApp,
    desired: Desired,
    matched: Matched,
    sequence: int | None,
    wrote: Mapping[str, int] | None = None,
    made: Mapping[str, str] | None = None,
) -> Stamp:
    """The stamp after a complete apply of this tree. `wrote` are its writes by the marks of ids."""
    return Stamp(
        digest=digest(app),
        app=matched.naming.app_name,
        tree=tree_id(desired.settings, desired.source),
        environment=desired.settings.environment,
        commit=desired.source.commit,
        dirty=desired.source.dirty,
        sequence=sequence,
        protected=frozenset(
            f"{item.desired.address.kind}/{item.resource_id}"
            for item in matched.matches
            if item.desired.protect
        ),
        kinds=frozenset(app.folders),
        versions=frozenset(
            item.address.key for item in app.resources if kind_of(item.address.kind).is_snapshot
        ),
        ids=frozenset(
            id_mark(item.desired.address.kind, item.resource_id)
            for item in matched.matches
            if item.resource_id != item.desired.address.key and not item.is_new_id
        ),
        rotations=rotations_of(app, desired),
        wrote=Wrote.of(wrote or {}),
        made=dict(made or {}),
    )


def stamp_operation(
    app: DesiredApp,
    resource_id: str,
    live: LiveApp | None,
    metadata: Body,
    stamp: Stamp,
    after: tuple[StepId, ...],
) -> Operation:
    """The write of the stamp. `metadata` is the content of the map at that time."""
    name = kind_of("apps").stamp_field
    address = app_address(app.key)
    whole = {name: {**others_keys(metadata), **stamp_texts(stamp)}}
    step = Step(
        id=StepId(address=address, purpose=Purpose.STAMP),
        action=Action.UPDATE,
        body=whole,
        mask=(MaskPath((name,)),),
        after=after,
    )
    return Operation(
        address=address,
        action=Action.UPDATE,
        reason=Reason.STAMP,
        steps=(step,),
        resource_id=resource_id,
        before={name: dict(as_object(live.app.body.get(name)))} if live else None,
        after=whole,
        seen=live.app.body if live else None,
        etag=live.app.etag if live else "",
        file=app.app.file,
    )


def stamp_mark(app: Body, app_name: str) -> str:
    """A short text for the stamp of a live app, which changes with every complete apply."""
    stamp = read_stamp(app.get(kind_of("apps").stamp_field), app_name)
    texts = {key: value for key, value in stamp_texts(stamp).items() if not key.endswith(_MOVES)}
    return hashlib.sha256(canonical_text(texts).encode()).hexdigest() if stamp.is_complete else ""


_MOVES = ("-sequence", "-partial")
"""The suffixes of stamp keys that change without a complete apply."""
