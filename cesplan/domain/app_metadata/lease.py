"""
The lease: a key in an app's metadata that says who applies right now, and until when.

The lease is not part of the applied state: stamps, digests, drift and comparisons with a plan ignore it.
"""

import re
from collections.abc import Mapping
from dataclasses import field
from threading import RLock

from cesplan.domain.app_metadata.names import PREFIX
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body

LEASE = f"{PREFIX}lease"

_TEXT = re.compile(r"([0-9a-f]{32}) ([0-9]{1,12})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """`holder` is a random id of one apply, `until` when it ends by itself, in seconds since 1970."""

    holder: str
    until: int

    def __str__(self) -> str:
        return f"{self.holder} {self.until}"


def read_lease(metadata: object) -> Lease | None:
    """The lease in an app's metadata; None if there is none, or a text that is not one."""
    text = metadata.get(LEASE) if isinstance(metadata, Mapping) else None
    found = _TEXT.fullmatch(text) if isinstance(text, str) else None
    return Lease(holder=found[1], until=int(found[2])) if found else None


def without_lease(body: Body, field_name: str) -> Body:
    """The body of an app without its lease; `field_name` is its metadata field."""
    metadata = body.get(field_name)
    if not isinstance(metadata, dict) or LEASE not in metadata:
        return body
    kept = {key: value for key, value in metadata.items() if key != LEASE}
    rest = {key: value for key, value in body.items() if key != field_name}
    return {**rest, field_name: kept} if kept else rest


@dataclass(slots=True, kw_only=True, eq=False)
class Held:
    """
    The leases that a run holds, by the full name of the app.

    Metadata are written whole, so every write of them takes `lock` and puts the lease in again.
    """

    leases: dict[str, Lease] = field(default_factory=dict)
    lock: RLock = field(default_factory=RLock)

    def keys_of(self, app_name: str) -> dict[str, str]:
        """What the metadata of an app must go on to hold."""
        lease = self.leases.get(app_name)
        return {LEASE: str(lease)} if lease else {}
