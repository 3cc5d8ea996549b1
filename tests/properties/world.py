"""
The world of a property: the emulator, the real client, and a look behind the counter.

What an apply sent is taken from the emulator's journal, what is there from its store; neither is asked
through the code under test.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qs

from cesplan.domain.desired import Desired
from cesplan.domain.live import Live
from cesplan.domain.options import ApplyOptions, PlanOptions
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Started, Unknown, Waiting
from cesplan.domain.plan import Plan
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body
from cesplan.emulator import EmbeddedEmulator, Switches
from cesplan.engine.applying.run import apply
from cesplan.model.kinds import app_kinds
from cesplan.remote.client import Client
from cesplan.remote.clock import Clock
from cesplan.remote.connecting import assemble
from cesplan.remote.transport import READING, WRITING
from cesplan.workflow.planning import read_and_plan
from cesplan.workflow.reading import read_live
from tests.properties.direct import Direct
from tests.properties.trees import WHERE

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One write as the server saw it: method, resource (for a create with the new id), mask, status."""

    method: str
    resource: str
    mask: str = ""
    status: int = 200

    def __str__(self) -> str:
        return " ".join(filter(None, (self.method, self.resource, self.mask)))


class World:
    """An emulator and the clients of one test module."""

    def __init__(self, emulator: EmbeddedEmulator, stack: ExitStack) -> None:
        self.emulator = emulator
        self._stack = stack
        self._clients: dict[tuple[str, bool], Client] = {}
        self._kept: dict[str, tuple[bytes, Any]] = {}

    def fresh(self) -> "World":
        """The same, with nothing in it."""
        self.emulator.reset()
        return self

    def once(self, name: str, bring_about: Callable[[], T]) -> T:
        """Bring about a state in an empty world, or restore it if it was; returns what came of it then."""
        self.fresh()
        if name in self._kept:
            self.emulator.store._db.deserialize(self._kept[name][0])
        else:
            made = bring_about()
            self._kept[name] = self.emulator.store._db.serialize(), made
        found: T = self._kept[name][1]
        return found

    def look(self, desired: Desired) -> Live:
        """What is live of a tree, read as a command reads it."""
        return read_live(desired, self.client(desired.settings, read_only=True))

    def plan(self, desired: Desired, **options: Any) -> Plan:
        """A plan of what is live now; the newest version is read where the question arises."""
        return read_and_plan(desired, self.client(desired.settings, read_only=True), PlanOptions(**options))[1]

    def apply(self, made: Plan, **options: Any) -> list[Outcome]:
        """Carry out a plan and return its outcomes."""
        service = self.client(made.settings, read_only=False)
        events = apply(made, service, ApplyOptions(**options))
        return [event for event in events if not isinstance(event, Started | Waiting)]

    def carry_out(self, desired: Desired, **options: Any) -> Plan:
        """Plan and apply, and insist that everything took; return the plan."""
        made = self.plan(desired, **options)
        assert not made.refusals, made.refusals
        insist(self.apply(made))
        return made

    def client(self, settings: Settings, *, read_only: bool) -> Client:
        wanted = (settings.api_version, read_only)
        if wanted not in self._clients:
            transport = Direct(
                self.emulator,
                methods=READING if read_only else WRITING,
                api_version=settings.api_version,
            )
            client = assemble(transport, credentials=None, api_version=settings.api_version, clock=Clock())
            self._clients[wanted] = self._stack.enter_context(client)
        return self._clients[wanted]

    def bodies(self) -> dict[str, Body]:
        """Everything that is there, by resource name, with etag and times as `@etag` and `@updateTime`."""
        rows = [*self.emulator.store.children(WHERE.name, "apps", "securitySettings")]
        apps = [row for row in rows if row.kind == "apps"]
        for app in apps:
            rows += self.emulator.store.children(app.name, *(kind.name for kind in app_kinds("v1beta")))
        return {row.name: {**row.body, "@etag": row.etag, "@updateTime": row.update_time} for row in rows}

    def forget(self) -> None:
        """Forget the requests so far."""
        self.emulator.journal.clear()

    def methods(self) -> set[str]:
        """The HTTP methods of the requests since the last `forget`."""
        return {entry.method for entry in self.emulator.journal.entries}

    def sent(self) -> list[Sent]:
        """The writes since the last `forget`, in the order in which the server answered them."""
        return [_sent(entry) for entry in self.emulator.journal.entries if entry.method != "GET"]


@contextmanager
def world(**switches: Any) -> Iterator[World]:
    """A world of its own; keep one for a test module, and make it `fresh` for each example."""
    with ExitStack() as stack:
        emulator = stack.enter_context(EmbeddedEmulator(switches=Switches(**switches)))
        yield World(emulator, stack)


def insist(outcomes: Sequence[Outcome]) -> None:
    """Every operation was applied, and the server took what was asked."""
    unhappy = [item for item in outcomes if not isinstance(item, Applied) or item.not_converged]
    assert not unhappy, "\n".join(map(_told, unhappy))


def _told(outcome: Outcome) -> str:
    match outcome:
        case Applied():
            why: object = f"not converged in {', '.join(outcome.not_converged)}"
        case Skipped():
            why = outcome.because
        case Failed() | Unknown():
            why = outcome.error
    return f"{type(outcome).__name__} {outcome.operation.address}: {why}"


def _sent(entry: Any) -> Sent:
    query = {key: values[0] for key, values in parse_qs(entry.query).items()}
    name = entry.path.split("/", 2)[2]
    created = next((value for key, value in query.items() if key.endswith("Id")), "")
    return Sent(
        method=entry.method,
        resource=f"{name}/{created}" if entry.method == "POST" else name,
        mask=",".join(sorted(query.get("updateMask", "").split(","))) if "updateMask" in query else "",
        status=entry.status,
    )
