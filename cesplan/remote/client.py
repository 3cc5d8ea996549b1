"""The client: what the rest of cesplan may ask of the service."""

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Self

from cesplan.domain.address import KindName
from cesplan.domain.errors import ApiError, NotFound
from cesplan.domain.field_path import MaskPath
from cesplan.domain.live import Keep, LiveResource, as_read
from cesplan.domain.resource_name import Place
from cesplan.domain.text.side_by_side import side_by_side
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
    Reads and writes CES resources under full names. Safe to share between threads.

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
        """How many HTTP requests were made of the service, repetitions and polls included."""
        return self._transport.requests

    def list_apps(self, place: Place) -> tuple[LiveResource, ...]:
        """All apps of a project and location, by name."""
        return self._fetching.all(kind_of("apps"), place.name)

    def list_children(
        self, app_name: str, kinds: Sequence[Kind], keep: Keep = as_read
    ) -> dict[KindName, tuple[LiveResource, ...]]:
        """
        All resources of these kinds in an app, each kind by name; the kinds are read concurrently.

        An app that is not there has no children; anything else that cannot be read is an error.
        """
        try:
            listed = self._listed(app_name, kinds, keep)
        except NotFound:
            if self._is_there(app_name):
                raise
            return {kind.name: () for kind in kinds}
        return dict(zip((kind.name for kind in kinds), listed, strict=True))

    def get_singleton(self, place: Place, kind: Kind) -> LiveResource:
        """A resource that a location has once, such as its security settings."""
        return LiveResource(kind=kind.name, body=self.get(kind, f"{place.name}/{kind.name}"))

    def list_changes(self, app_name: str, *, condition: str = "", at_most: int = 1000) -> tuple[Body, ...]:
        """
        The newest entries of an app's change log, newest first, as the service has them.

        `condition` is an AIP-160 filter on action, resource_type, resource_name, author or create_time. The
        resources that an entry repeats are left out. The coverage and retention of the log are not verified.
        """
        return self._fetching.changes(app_name, condition, at_most)

    def each_change(self, app_name: str) -> Iterator[Body]:
        """
        Every entry of an app's change log, newest first, a page of 1,000 at a time.

        What is not asked for is not read. The resources that an entry repeats are left out.
        """
        return self._fetching.each_change(app_name)

    def newest_changes(self, app_name: str) -> tuple[Body, ...] | None:
        """The few newest entries of an app's change log, newest first; None for a log that cannot be read."""
        try:
            return self._fetching.newest_changes(app_name)
        except ApiError:
            return None

    def list_runs(self, app_name: str, *, at_most: int) -> tuple[Body, ...]:
        """The newest evaluation runs of an app, newest first: what was evaluated, and the counts. v1beta."""
        return self._fetching.runs(app_name, at_most)

    def list_conversations(self, app_name: str, *, condition: str, at_most: int) -> tuple[Body, ...]:
        """
        Conversations of an app, in no particular order; whether their turns are listed is not established.

        `condition` is an AIP-160 filter; what it may name is not documented: InvalidRequest if not this.
        """
        return self._fetching.conversations(app_name, condition, at_most)

    def read_conversation(self, name: str) -> Body:
        """One conversation, whole."""
        return self._calling.call(calls.get_conversation(name))

    def start_run(self, app_name: str, body: Body) -> Body:
        """
        Start an evaluation run of an app, and return the long-running operation. v1beta.

        It is sent once: LostResponse if it cannot be known whether the service took it.
        """
        return self._calling.call(calls.run_evaluation(app_name, body))

    def run_session(self, session_name: str, body: Body) -> Body:
        """
        Say something to the agent of `<app>/sessions/<id>`, and return its answer (RunSessionResponse).

        It is sent once: LostResponse if it cannot be known whether the agent got it.
        """
        return self._calling.call(calls.run_session(session_name, body))

    def execute_tool(self, app_name: str, body: Body) -> Body:
        """Execute a tool of an app, once; it may have effects. Returns an ExecuteToolResponse."""
        return self._calling.call(calls.execute_tool(app_name, body))

    def retrieve_tools(self, toolset_name: str, tool_ids: Sequence[str]) -> tuple[Body, ...]:
        """The tools of a toolset that have these ids. Raises InvalidRequest for an id that it does not have."""
        answer = self._calling.call(calls.retrieve_tools(toolset_name, {"toolIds": [*tool_ids]}))
        found = answer.get("tools")
        return tuple(item for item in found if isinstance(item, dict)) if isinstance(found, list) else ()

    def read_operation(self, name: str) -> Body:
        """A long-running operation, as it is now."""
        return self._calling.call(calls.get_operation(name))

    def read_run(self, name: str) -> Body:
        """An evaluation run, whole. v1beta."""
        return self._calling.call(calls.get_run(name))

    def read_result(self, name: str) -> Body:
        """One result of an evaluation run, whole. v1beta."""
        return self._calling.call(calls.get_result(name))

    def read_change(self, name: str) -> Body:
        """One entry of a change log by its full name, with the resource as it was before and after."""
        return self._calling.call(calls.get_change(name))

    def get(self, kind: Kind, name: str) -> Body:
        """Read one resource, whole."""
        return self._calling.call(calls.get(kind, name))

    def create(
        self, kind: Kind, parent: str, resource_id: str, body: Body, waiting: Callable[[float], None]
    ) -> Body:
        """Create under a parent's resource name and return the resource as the server has it."""
        call = calls.create(kind, parent, resource_id, body)
        return self._written(call, waiting)

    def update(
        self,
        kind: Kind,
        name: str,
        body: Body,
        mask: tuple[MaskPath, ...],
        verify: Callable[[], str] | None = None,
    ) -> Body:
        """
        Update what the mask names; `body` holds `etag` where it is known.

        `verify` is called right before each time the request is sent and returns the etag to send; what it
        raises ends the update.
        """
        return self._calling.call(calls.update(kind, name, body, mask), verify)

    def delete(
        self,
        kind: Kind,
        name: str,
        etag: str,
        force: bool,
        waiting: Callable[[float], None],
        verify: Callable[[], str] | None = None,
    ) -> None:
        """Delete; an empty etag is not sent. `verify` as for an update."""
        self._written(calls.delete(kind, name, etag, force), waiting, verify)

    def restore_version(self, version_name: str, waiting: Callable[[float], None]) -> None:
        """
        Make the draft of an app what a version holds; the service saves the draft as a version first.

        It is sent once and awaited; `waiting` hears of the seconds. LostResponse if the end is not known.
        """
        call = calls.restore_version(version_name)
        self._long_running.result(call, self._calling.call(call), waiting)

    def interrupt(self) -> None:
        """
        Wait for nothing any more: what sleeps before another try, for its turn or for an operation gives up.

        What is asked for afterwards is sent at once, and tried once.
        """
        self._halt.ask()

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
        told: Callable[[float], None],
        verify: Callable[[], str] | None = None,
    ) -> Body:
        answer = self._calling.call(call, verify)
        if call.kind is None or call.verb not in call.kind.long_running:
            return answer
        return self._long_running.result(call, answer, told)

    def _listed(self, app_name: str, kinds: Sequence[Kind], keep: Keep) -> list[tuple[LiveResource, ...]]:
        if not kinds:
            return []
        with side_by_side(min(len(kinds), CONNECTIONS), self.interrupt) as executor:
            futures = [executor.submit(self._fetching.all, kind, app_name, keep) for kind in kinds]
            # In the order of the kinds, so that the error that is raised does not depend on timing.
            return [future.result() for future in futures]

    def _is_there(self, app_name: str) -> bool:
        try:
            self.get(KINDS[KindName("apps")], app_name)
        except NotFound:
            return False
        return True
