"""The two small ports that the engine needs to apply a plan, implemented by `remote`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from cesplan.domain.address import KindName
from cesplan.domain.field_path import MaskPath
from cesplan.domain.live import LiveResource
from cesplan.domain.value import Body
from cesplan.model.kinds import Kind

OnProgress = Callable[[float], None]
"""Called while a long-running operation is running, with the seconds since it was sent."""

Verify = Callable[[], str]
"""
Called right before each attempt of a write, after any waiting.

Returns the etag to send, empty for none. An exception ends the write: it is not sent, or not retried.
"""


class Reader(Protocol):
    """
    The standard methods that only read (AIP-131, 132), by resource name.

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
        Stop all waiting.

        A call that waits for the rate limit raises Interrupted, without being sent. A call that waits for a
        retry raises its last error, and one that waits for a long-running operation raises LostResponse.
        Requests in flight are completed, and later ones are sent at once.
        """
        ...


class Service(Reader, Protocol):
    """
    All standard methods (AIP-131 to 135).

    Secrets in bodies may be wrapped, and are revealed when they are sent. Methods raise Conflict (ABORTED),
    NotFound, AlreadyExists, PermissionDenied, LostResponse, … They wait for long-running operations.
    """

    def create(self, kind: Kind, parent: str, resource_id: str, body: Body, on_progress: OnProgress) -> Body:
        """Create a resource under a parent and return it as the server stored it."""
        ...

    def update(
        self, kind: Kind, name: str, body: Body, mask: tuple[MaskPath, ...], verify: Verify | None = None
    ) -> Body:
        """Update the fields of the mask. `body` has `name` and `etag`, or `verify` returns the etag."""
        ...

    def delete(
        self,
        kind: Kind,
        name: str,
        etag: str,
        force: bool,
        on_progress: OnProgress,
        verify: Verify | None = None,
    ) -> None:
        """Delete a resource. An empty etag is not sent. If `verify` is given, it returns the etag."""
        ...
