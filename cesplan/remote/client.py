"""The client: all requests to the service that the rest of cesplan can make."""

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Self

from cesplan.domain.address import KindName
from cesplan.domain.errors import ApiError, NotFound
from cesplan.domain.field_path import MaskPath
from cesplan.domain.live import Keep, LiveResource, as_read
from cesplan.domain.resource_name import Place
from cesplan.domain.service.side_by_side import result_of, side_by_side
from cesplan.domain.value import Body
from cesplan.model.kinds import KINDS, Kind, kind_of
from cesplan.remote import calls
from cesplan.remote.calling import Calling
from cesplan.remote.clock import Halt
from cesplan.remote.fetching import Fetching
from cesplan.remote.long_running import LongRunning
from cesplan.remote.pools import CONNECTIONS
from cesplan.remote.transport import Transport


class Client:
    """
    Reads and writes CES resources by resource name. Safe to share between threads.

    Every method raises the errors of `cesplan.domain.errors`. Close it, or use it as a context manager.
    """

    def __init__(
        self,
        *,
        transport: Transport,
        calling: Calling,
        fetching: Fetching,
        long_running: LongRunning,
        halt: Halt,
    ) -> None:
        self._transport = transport
        self._calling = calling
        self._fetching = fetching
        self._long_running = long_running
        self._halt = halt

    @property
    def requests(self) -> int:
        """The number of HTTP requests sent to the service, including retries and polls."""
        return self._transport.requests

    def list_apps(self, place: Place) -> tuple[LiveResource, ...]:
        """All apps of a project and location, by name."""
        return self._fetching.all(kind_of("apps"), place.name)

    def list_children(
        self, app_name: str, kinds: Sequence[Kind], keep: Keep = as_read
    ) -> dict[KindName, tuple[LiveResource, ...]]:
        """
        All resources of these kinds in an app, each kind sorted by name. The kinds are read concurrently.

        An app that does not exist has no children. Any other failure is an error.
        """
        try:
            listed = self._listed(app_name, kinds, keep)
        except NotFound:
            if self._is_there(app_name):
                raise
            return {kind.name: () for kind in kinds}
        return dict(zip((kind.name for kind in kinds), listed, strict=True))

    def get_singleton(self, place: Place, kind: Kind) -> LiveResource:
        """A resource that exists once per location, such as the security settings."""
        return LiveResource(kind=kind.name, body=self.get(kind, f"{place.name}/{kind.name}"))

    def list_changes(self, app_name: str, *, condition: str = "", at_most: int = 1000) -> tuple[Body, ...]:
        """
        The newest entries of an app's change log, newest first, as the service returns them.

        `condition` is an AIP-160 filter on action, resource_type, resource_name, author, or create_time. The
        copies of resources in the entries are left out. The coverage and retention of the log are unverified.
        """
        return self._fetching.changes(app_name, condition, at_most)

    def each_change(self, app_name: str) -> Iterator[Body]:
        """
        All entries of an app's change log, newest first, in pages of 1,000.

        Pages are read on demand. The copies of resources in the entries are left out.
        """
        return self._fetching.each_change(app_name)

    def newest_changes(self, app_name: str) -> tuple[Body, ...] | None:
        """The few newest entries of an app's change log, newest first; None if the log cannot be read."""
        try:
            return self._fetching.newest_changes(app_name)
        except ApiError:
            return None

    def list_runs(self, app_name: str, *, at_most: int) -> tuple[Body, ...]:
        """
        The newest evaluation runs of an app, newest first: what was evaluated, and the counts. v1beta only.
        """
        return self._fetching.runs(app_name, at_most)

    def list_conversations(self, app_name: str, *, condition: str, at_most: int) -> tuple[Body, ...]:
        """
        Conversations of an app, in no particular order. Whether lists include their turns is unverified.

        `condition` is an AIP-160 filter. The supported fields are not documented; raises InvalidRequest for
        others.
        """
        return self._fetching.conversations(app_name, condition, at_most)

    def read(self, name: str) -> Body:
        """
        What is not of a kind, with all fields: an entry of a change log with the resource before and after, a
        conversation, a long-running operation; an evaluation run or one of its results (v1beta only).
        """
        return self._calling.call(calls.get_other(name))

    def start_run(self, app_name: str, body: Body) -> Body:
        """
        Start an evaluation run of an app, and return the long-running operation. v1beta only.

        It is sent only once. Raises LostResponse if it is unknown whether the service accepted it.
        """
        return self._calling.call(calls.run_evaluation(app_name, body))

    def run_session(self, session_name: str, body: Body) -> Body:
        """
        Send a message to the agent in `<app>/sessions/<id>`, and return its reply (RunSessionResponse).

        It is sent only once. Raises LostResponse if it is unknown whether the agent got it.
        """
        return self._calling.call(calls.run_session(session_name, body))

    def execute_tool(self, app_name: str, body: Body) -> Body:
        """
        Execute a tool of an app, which may have effects, and return the ExecuteToolResponse.

        It is sent only once. Raises LostResponse if it is unknown whether the tool was executed.
        """
        return self._calling.call(calls.execute_tool(app_name, body))

    def retrieve_tools(self, toolset_name: str, tool_ids: Sequence[str]) -> tuple[Body, ...]:
        """The tools of a toolset with these ids. Raises InvalidRequest for an id that it does not have."""
        answer = self._calling.call(calls.retrieve_tools(toolset_name, {"toolIds": [*tool_ids]}))
        found = answer.get("tools")
        return tuple(item for item in found if isinstance(item, dict)) if isinstance(found, list) else ()

    def get(self, kind: Kind, name: str) -> Body:
        """Read one resource, with all fields."""
        return self._calling.call(calls.get(kind, name))

    def create(
        self, kind: Kind, parent: str, resource_id: str, body: Body, on_progress: Callable[[float], None]
    ) -> Body:
        """Create a resource under a parent and return it as the server stored it."""
        call = calls.create(kind, parent, resource_id, body)
        return self._written(call, on_progress)

    def update(
        self,
        kind: Kind,
        name: str,
        body: Body,
        mask: tuple[MaskPath, ...],
        verify: Callable[[], str] | None = None,
    ) -> Body:
        """
        Update the fields of the mask. `body` has the `etag`, if known.

        `verify` is called right before each attempt and returns the etag to send. An error that it raises ends
        the update.
        """
        return self._calling.call(calls.update(kind, name, body, mask), verify)

    def delete(
        self,
        kind: Kind,
        name: str,
        etag: str,
        force: bool,
        on_progress: Callable[[float], None],
        verify: Callable[[], str] | None = None,
    ) -> None:
        """Delete a resource. An empty etag is not sent. `verify` works as in `update`."""
        self._written(calls.delete(kind, name, etag, force), on_progress, verify)

    def restore_version(self, version_name: str, on_progress: Callable[[float], None]) -> None:
        """
        Restore the draft of an app from a version. The service first saves the draft as a version.

        It is sent only once and awaited; `on_progress` is called with the seconds so far. Raises LostResponse
        if the outcome is unknown.
        """
        call = calls.restore_version(version_name)
        self._long_running.result(call, self._calling.call(call), on_progress)

    def interrupt(self) -> None:
        """
        Stop all waiting: for retries, for rate limits and for operations.

        Later requests are sent at once and not retried.
        """
        self._halt.request()

    def close(self) -> None:
        """Close all connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _written(
        self,
        call: calls.Call,
        on_progress: Callable[[float], None],
        verify: Callable[[], str] | None = None,
    ) -> Body:
        answer = self._calling.call(call, verify)
        if call.kind is None or call.verb not in call.kind.long_running:
            return answer
        return self._long_running.result(call, answer, on_progress)

    def _listed(self, app_name: str, kinds: Sequence[Kind], keep: Keep) -> list[tuple[LiveResource, ...]]:
        if not kinds:
            return []
        with side_by_side(min(len(kinds), CONNECTIONS), self.interrupt) as executor:
            futures = [executor.submit(self._fetching.all, kind, app_name, keep) for kind in kinds]
            # In the order of the kinds, so that which error is raised does not depend on timing.
            return [result_of(future) for future in futures]

    def _is_there(self, app_name: str) -> bool:
        try:
            self.get(KINDS[KindName("apps")], app_name)
        except NotFound:
            return False
        return True
