"""
The lease: a key in an app's metadata that says which apply is running, and when its lease expires.

The lease is not part of the applied state: stamps, digests, drift, and comparisons with a plan ignore it.
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
    """`holder` is the random id of one apply. `until` is when the lease expires, in Unix seconds."""

    holder: str
    until: int

    def __str__(self) -> str:
        return f"{self.holder} {self.until}"


def read_lease(metadata: object) -> Lease | None:
    """The lease in an app's metadata; None if the key is absent or malformed."""
    text = metadata.get(LEASE) if isinstance(metadata, Mapping) else None
    found = _TEXT.fullmatch(text) if isinstance(text, str) else None
    return Lease(holder=found[1], until=int(found[2])) if found else None


def without_lease(body: Body, field_name: str) -> Body:
    """The body of an app without its lease. `field_name` is the name of the metadata field."""
    metadata = body.get(field_name)
    if not isinstance(metadata, dict) or LEASE not in metadata:
        return body
    kept = {key: value for key, value in metadata.items() if key != LEASE}
    rest = {key: value for key, value in body.items() if key != field_name}
    return {**rest, field_name: kept} if kept else rest


@dataclass(slots=True, kw_only=True, eq=False)
class HeldLeases:
    """
    The leases that a run holds, by the full resource name of the app.

    `metadata` is always written as a whole, so every write to it takes `lock` and includes the lease again.
    """

    leases: dict[str, Lease] = field(default_factory=dict)
    lock: RLock = field(default_factory=RLock)

    def keys_of(self, app_name: str) -> dict[str, str]:
        """The keys that any write to the metadata of an app must keep."""
        lease = self.leases.get(app_name)
        return {LEASE: str(lease)} if lease else {}
