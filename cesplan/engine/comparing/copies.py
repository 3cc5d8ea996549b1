"""
Copies: what a version would copy, recorded in a plan file and checked when the file is applied.

A version is a snapshot of the whole app, so a plan that creates one covers everything in the app: whatever the
plan does not write must still be as it was at planning. The file has a digest of each resource. There is no
digest of a body with a secret, or with unknown fields that might be one. For such a body the etag, or else the
time of the last change, shows whether it has changed.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping

from cesplan.domain.address import Address, AppKey, Key, app_address
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.plan import Operation, Plan
from cesplan.domain.reviewed import Copied, Moved, Movement
from cesplan.domain.value import Body, canonical_text, holds_secret
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.stamp import without_stamp
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.model.kinds import Kind, kind_of
from cesplan.model.spec import MessageSpec
from cesplan.model.walk import FieldWalk

_SENSITIVE = FieldWalk(lambda _, known: known.secrecy is not None)


def copied_of(plan: Plan) -> dict[AppKey, dict[Address, Copied]]:
    """The live resources at planning that versions would copy or that are deleted with their apps."""
    redactor = ValueRedactor(plan.secrets)
    return {
        app: dict(copies(base, app, plan.namings[app], redactor))
        for app, base in {**plan.snapshot_base, **plan.contents}.items()
    }


def copies(
    base: Iterable[LiveResource], app: AppKey, naming: Naming, redactor: ValueRedactor
) -> Iterator[tuple[Address, Copied]]:
    """Each live resource by address, as recorded in a plan file."""
    for item in base:
        yield address_of(item, app, naming), _copied(kind_of(item.kind), item.body, naming, redactor)


def address_of(item: LiveResource, app: AppKey, naming: Naming) -> Address:
    """The address of a live resource, with the key that the plan has for its id."""
    if kind_of(item.kind).container:
        return app_address(app)
    return Address(app=app, kind=item.kind, key=Key(naming.key_of(item.kind, item.id)))


def moved_copies(
    version: Operation,
    then: Mapping[Address, Copied],
    base: Iterable[LiveResource],
    naming: Naming,
    written: Iterable[Address],
    redactor: ValueRedactor,
) -> Iterator[Moved]:
    """
    What a version would copy now that was not reviewed.

    `base` is what it would copy now. Resources `written` by the plan are checked elsewhere.
    """
    app = version.address.app
    ours = set(written)
    live = {address_of(item, app, naming): item for item in base}
    now = dict(copies(live.values(), app, naming, redactor))
    for address in sorted({*then, *now} - ours):
        movement = _movement(then.get(address), now.get(address))
        if movement is not None:
            body: Body = live[address].body if address in live else {}
            yield Moved(
                operation=version,
                movement=movement,
                resource=str(body.get("name") or _name(address, naming)),
                updated=str(body.get("updateTime") or ""),
                copied=address,
            )


def contents_of(live: LiveApp) -> tuple[LiveResource, ...]:
    """Everything that is deleted with an app, except what the service creates itself, by name."""
    found = (item for items in live.children.values() for item in items)
    return tuple(sorted(filter(_counts, found), key=lambda item: item.name))


def by_id(contents: Iterable[LiveResource]) -> Mapping[tuple[str, str], LiveResource]:
    """The contents by kind and id, because resource names can spell a project in two ways."""
    return {(item.kind, item.id): item for item in contents}


def moved_contents(
    then: Mapping[Address, Copied],
    contents: Iterable[LiveResource],
    app: AppKey,
    naming: Naming,
    redactor: ValueRedactor,
) -> Mapping[Address, Body]:
    """The contents of an app that have changed, with their current bodies; empty for deleted ones."""
    live = {address_of(item, app, naming): item for item in contents}
    now = dict(copies(live.values(), app, naming, redactor))
    found = (item for item in sorted({*then, *now}) if _movement(then.get(item), now.get(item)) is not None)
    return {address: live[address].body if address in live else {} for address in found}


def is_unmoved(
    then: Mapping[Address, Copied], now: Mapping[Address, Copied], written: Collection[Address]
) -> bool:
    """True if a version would copy the same under two plans, apart from resources that are `written`."""
    return all(
        _movement(then.get(address), now.get(address)) is None
        for address in {*then, *now}
        if address not in written
    )


def _counts(item: LiveResource) -> bool:
    return not kind_of(item.kind).is_made_by_service(item.body)


def _movement(then: Copied | None, now: Copied | None) -> Movement | None:
    if then is None:
        return Movement.COPIED_CREATED
    if now is None:
        return Movement.COPIED_DELETED
    return None if _is_same(then, now) else Movement.COPIED_CHANGED


def _is_same(then: Copied, now: Copied) -> bool:
    if then.digest and now.digest:
        return then.digest == now.digest
    if then.etag or now.etag:
        return then.etag == now.etag
    return bool(now.updated) and then.updated == now.updated


def _copied(kind: Kind, body: Body, naming: Naming, redactor: ValueRedactor) -> Copied:
    found = normalize(kind.spec, body, naming)
    plain = {name: value for name, value in without_stamp(found.body).items() if name != kind.lock_field}
    is_plain = not found.unknown and not _is_secret(kind.spec, redactor.redact(plain))
    return Copied(
        digest=hashlib.sha256(canonical_text(plain).encode()).hexdigest() if is_plain else "",
        etag=str(body.get("etag") or ""),
        updated=str(body.get("updateTime") or ""),
    )


def _is_secret(spec: MessageSpec, body: Body) -> bool:
    """True if a body contains one of our secrets, or anything in a field that may hold one."""
    sensitive = _SENSITIVE.visits(spec, body)
    return holds_secret(body) or any(visit.value for visit in sensitive)


def _name(address: Address, naming: Naming) -> str:
    if address.is_app:
        return naming.app_name
    return naming.to_name(address.within_app)
