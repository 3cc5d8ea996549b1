"""What the engine asks of the world while it applies a plan: two small ports, implemented by `remote`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from cesplan.domain.address import KindName
from cesplan.domain.field_path import MaskPath
from cesplan.domain.live import LiveResource
from cesplan.domain.value import Body
from cesplan.model.kinds import Kind

OnProgress = Callable[[float], None]
"""Called while a long-running operation goes on, with the seconds since it was sent."""

Verify = Callable[[], str]
"""
Called right before a write is sent: once its turn has come, and again before each time it is sent again.

Returns the etag to send with it, empty for none. An exception ends the write: it is not sent, or not again.
"""


class Reader(Protocol):
    """
    The standard methods that only read (AIP-131, 132), under full resource names.

    Bodies are in the API's JSON names. All methods raise the errors of `cesplan.domain.errors`.
    """

    def get(self, kind: Kind, name: str) -> Body:
        """Read one resource."""
        ...

    def list_children(
        self, app_name: str, kinds: Sequence[Kind]
    ) -> Mapping[KindName, tuple[LiveResource, ...]]:
        """Read all resources of these kinds in an app."""
        ...

    def interrupt(self) -> None:
        """
        Wait for nothing any more.

        What waits for its turn raises Interrupted and was not sent; what waits before another try raises
        why it needs one; what waits for a long-running operation raises LostResponse. Requests that are under
        way are finished, and later ones sent at once.
        """
        ...


class Service(Reader, Protocol):
    """
    All standard methods (AIP-131 to 135).

    Secrets in bodies may be wrapped, and are revealed where they are sent. Raises Conflict (ABORTED),
    NotFound, AlreadyExists, PermissionDenied, LostResponse, … Long-running operations are awaited inside.
    """

    def create(self, kind: Kind, parent: str, resource_id: str, body: Body, waiting: OnProgress) -> Body:
        """Create under a parent's resource name and return the resource as the server has it."""
        ...

    def update(
        self, kind: Kind, name: str, body: Body, mask: tuple[MaskPath, ...], verify: Verify | None = None
    ) -> Body:
        """Update what the mask names; `body` holds `name` and `etag`, or `verify` returns the etag."""
        ...

    def delete(
        self,
        kind: Kind,
        name: str,
        etag: str,
        force: bool,
        waiting: OnProgress,
        verify: Verify | None = None,
    ) -> None:
        """Delete; an empty etag is not sent. `verify` returns the etag where it is given."""
        ...
