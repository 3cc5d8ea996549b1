"""What a person gave when starting the server, and one call of a tool within it."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path

from cesplan.config.tree.load import Loaded
from cesplan.domain.errors import Refused, UsageError
from cesplan.domain.frozen import dataclass
from cesplan.remote.connecting import Shared
from cesplan.workflow.connecting import Connection
from cesplan.workflow.validating import TreeTarget


class Approval:
    """The checksum of the plan that may be applied, once, by the first call. Thread-safe."""

    def __init__(self, checksum: str) -> None:
        self.checksum = checksum
        self._is_used = False
        self._lock = threading.Lock()

    def use(self) -> None:
        """Use it up. Raises Refused if it was used before."""
        with self._lock:
            if self._is_used:
                raise Refused(
                    summary="The approved plan was already applied: --allow-apply allows one apply.",
                    reasons=("To approve another plan, ask a person to restart the server with its checksum.",),
                )
            self._is_used = True

    def give_back(self) -> None:
        """Return it unused: nothing was written."""
        with self._lock:
            self._is_used = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """
    One tree and the places that it may be compared with; no tool reads outside of it. `environments` are those
    that a tool may name; the first is the default, and the empty name is the top level of cesplan.yaml.
    `most_bytes` is the maximum size of a result.
    """

    root: Path
    """Absolute, with links resolved."""
    environments: tuple[str, ...]
    variables: Mapping[str, str]
    connection: Connection
    most_bytes: int
    approval: Approval | None = None

    def environment(self, requested: str) -> str:
        """The environment that a client requests. Raises UsageError for one that the server does not have."""
        if not requested or requested in self.environments:
            return requested or self.environments[0]
        known = ", ".join(filter(None, self.environments)) or "none"
        raise UsageError(
            summary=f"The environment `{requested}` is not available here.",
            detail=f"This server was started for: {known}. To add one, a person starts it with another `-e`.",
        )

    def tree(self, environment: str) -> TreeTarget:
        """The tree in the environment that a client requests. Raises UsageError like `environment`."""
        return TreeTarget(folder=self.root, environment=self.environment(environment), variables=self.variables)

    def file(self, text: str) -> Path:
        """
        A file of the tree. Raises UsageError for a path that is outside, is not a file, or does not exist.
        """
        try:
            path = (self.root / text).resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            path = None
        if path is None or not path.is_relative_to(self.root) or not path.is_file():
            raise UsageError(
                summary=f"`{text}` is not a file of the tree.",
                detail="Name a file by its path from the root of the tree. Files outside it are not read.",
            )
        return path


@dataclass(slots=True)
class Call:
    """One call of a tool: once it is cancelled, it sends nothing more and does not wait."""

    workspace: Workspace
    shared: Shared = field(default_factory=Shared)
    _stops: list[Callable[[], None]] = field(default_factory=list)

    @property
    def connection(self) -> Connection:
        """The connection to the service for this call."""
        return replace(self.workspace.connection, shared=self.shared)

    def load(self, environment: str) -> Loaded:
        """The tree in a requested environment, with its findings. Raises UsageError."""
        return self.workspace.tree(environment).validate()

    def when_stopped(self, stop: Callable[[], None]) -> None:
        """Call `stop` in another thread once the client has cancelled."""
        self._stops.append(stop)
        if self.shared.clock.halt.is_requested:
            stop()

    def stop(self) -> None:
        """Stop the call: the client has cancelled, or is gone."""
        self.shared.clock.halt.request()
        for stop in [*self._stops]:
            stop()
