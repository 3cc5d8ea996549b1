"""
The stamp: what the last complete apply leaves in the app's metadata (DESIGN §9).

It takes the place of a state file: from which commit live was applied, and the digest of what that asked
for. Its keys begin with `cesplan-`; they belong to us and never show up as a difference.
"""

import hashlib

from cesplan.domain.address import app_address
from cesplan.domain.desired import DesiredApp, Source
from cesplan.domain.field_path import MaskPath
from cesplan.domain.live import LiveApp
from cesplan.domain.plan import Action, Operation, Purpose, Reason, Step, StepId, Write
from cesplan.domain.settings import Settings
from cesplan.domain.stamp import PREFIX
from cesplan.domain.value import Body, canonical_text
from cesplan.model.kinds import kind_of


def has_stamp(live: LiveApp) -> bool:
    """True when a complete apply of ours has been here."""
    metadata = live.app.body.get(kind_of("apps").stamp_field)
    return isinstance(metadata, dict) and any(key.startswith(PREFIX) for key in metadata)


def stamped_digest(app: Body) -> str:
    """The digest that the last complete apply left on a live app; empty where none did."""
    metadata = app.get(kind_of("apps").stamp_field)
    return str(metadata.get(f"{PREFIX}digest", "")) if isinstance(metadata, dict) else ""


def without_stamp(body: Body) -> Body:
    """A canonical body of an app as it would be if no apply of ours had ever left its stamp."""
    name = kind_of("apps").stamp_field
    if not isinstance(body.get(name), dict):
        return body
    kept = {key: value for key, value in body[name].items() if not key.startswith(PREFIX)}
    rest = {key: value for key, value in body.items() if key != name}
    return {**rest, name: kept} if kept else rest


def digest(app: DesiredApp) -> str:
    """The SHA-256 of what the tree asks of an app, in hex; secrets count by name only."""
    content = {str(item.address): item.body for item in app.all()}
    return hashlib.sha256(canonical_text(content).encode()).hexdigest()


def stamp(app: DesiredApp, source: Source, settings: Settings) -> dict[str, str]:
    """The keys and values of the stamp; keys without a value are left out."""
    values = {
        "commit": source.commit,
        "dirty": "true" if source.dirty else "",
        "environment": settings.environment,
        "digest": digest(app),
    }
    return {PREFIX + name: value for name, value in values.items() if value}


def stamp_operation(
    app: DesiredApp,
    resource_id: str,
    live: LiveApp | None,
    metadata: Body,
    values: dict[str, str],
    after: tuple[StepId, ...],
) -> Operation:
    """The write that leaves the stamp; `metadata` is what the map holds when its turn has come."""
    name = kind_of("apps").stamp_field
    address = app_address(app.key)
    others = {key: value for key, value in metadata.items() if not key.startswith(PREFIX)}
    step = Step(
        id=StepId(address=address, purpose=Purpose.STAMP),
        write=Write.UPDATE,
        body={name: {**others, **values}},
        mask=(MaskPath((name,)),),
        after=after,
    )
    return Operation(
        address=address,
        action=Action.UPDATE,
        reason=Reason.STAMP,
        steps=(step,),
        resource_id=resource_id,
        before={name: dict(live.app.body.get(name) or {})} if live else None,
        after={name: {**others, **values}},
        seen=live.app.body if live else None,
        etag=live.app.etag if live else "",
        file=app.app.file,
    )
