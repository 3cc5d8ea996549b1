"""
Partial applies: what an incomplete apply records in the stamp, so that its writes are recognized later.

An apply that was targeted, failed in part, or was rolled back records the digests of the bodies that it wrote.
A live resource that still has such a body was last written by cesplan, whatever the commit in the stamp.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from cesplan.domain.app_metadata.lease import LEASE
from cesplan.domain.app_metadata.names import others_keys
from cesplan.domain.app_metadata.stamp import Stamp, read_stamp, stamp_texts
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place, last_id
from cesplan.domain.value import ABSENT, Body, canonical_text
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.stamp import without_stamp
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.model.kinds import Kind
from cesplan.model.spec import FieldSpec
from cesplan.model.walk import Rewriting, Trail


def body_digest(kind: Kind, body: Body, place: Place, app_id: str, redactor: ValueRedactor) -> str:
    """
    The digest of a live resource for the stamp: 32 hex digits.

    References count by id, so that renaming files changes nothing. Secrets, and fields that may hold one, do
    not count.
    """
    found = normalize(kind.spec, body, Naming(place=place, app_id=app_id)).body
    shown = redactor.redact(without_stamp(found) if kind.stamp_field else found)
    kept = _WithoutSecrets().message(kind.spec, shown)
    text = canonical_text([kind.name, last_id(str(body.get("name", ""))), kept])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def was_written(stamp: Stamp, digest: str) -> bool:
    """Whether an incomplete apply left a resource with this digest."""
    return digest in stamp.partial


def with_partial(metadata: Body, app_name: str, digests: Iterable[str]) -> Body:
    """The metadata of an app after an incomplete apply that wrote bodies with these digests."""
    stamp = read_stamp(metadata, app_name)
    new = [*dict.fromkeys(digests)]
    partial = (*(item for item in stamp.partial if item not in new), *new)
    lease = {LEASE: metadata[LEASE]} if LEASE in metadata else {}
    return {**others_keys(metadata), **lease, **stamp_texts(replace(stamp, app=app_name, partial=partial))}


class _WithoutSecrets(Rewriting):
    """A canonical body without fields marked as secret, or as variables that may contain a secret."""

    def field(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        return ABSENT if known.may_hold_secret else super().field(known, value, at)

    def unknown(self, value: Any, at: Trail) -> Any:
        return ABSENT
