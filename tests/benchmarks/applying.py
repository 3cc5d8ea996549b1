"""An apply in which every request takes a while, against the least time that its dependencies allow."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cesplan.config.tree.load import load
from cesplan.domain.desired import Desired
from cesplan.domain.options import ApplyOptions, PlanOptions
from cesplan.domain.outcome import Applied
from cesplan.domain.plan import Action, Plan, StepId, expected_seconds, steps_of
from cesplan.engine.applying.run import apply
from cesplan.engine.planning.plan import plan
from cesplan.model.kinds import kind_of
from cesplan.remote.calls import Call
from cesplan.remote.clock import Clock
from cesplan.remote.connecting import assemble, connect
from cesplan.remote.endpoints import emulator_endpoint
from cesplan.remote.pools import direct_pool
from cesplan.remote.throttle import Throttles
from cesplan.remote.transport import WRITING, Answer, Transport
from cesplan.workflow.reading import read_live
from tests.benchmarks.measuring import EXAMPLE, server
from tests.benchmarks.planning import Scene, scene

WORKERS = 8


class _Slow(Transport):
    """Every request takes `latency` seconds longer."""

    latency = 0.0

    def send(self, call: Call, headers: Mapping[str, str]) -> Answer:
        time.sleep(self.latency)
        return super().send(call, headers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Seconds that an apply took, and the least that its requests and the longest chain of them allow."""

    seconds: float
    bound: float
    requests: int
    chain: int

    @property
    def ratio(self) -> float:
        return self.seconds / self.bound


def measure(*, latency: float, runs: int) -> Measured:
    """The fastest of several first applies of the example."""
    desired = load(EXAMPLE, environ={}).desired
    assert desired is not None
    return min((_one(desired, latency) for _ in range(runs)), key=lambda item: item.seconds)


def _one(desired: Desired, latency: float) -> Measured:
    with server() as running:
        with connect(desired.settings, emulator=running.address) as reader:
            made = plan(desired, read_live(desired, reader), PlanOptions())
        wire = _Slow(
            endpoint=emulator_endpoint(running.address),
            pool=direct_pool(),
            methods=WRITING,
            api_version=desired.settings.api_version,
        )
        wire.latency = latency
        version = desired.settings.api_version
        with assemble(wire, credentials=None, api_version=version, clock=Clock()) as client:
            started = time.monotonic()
            events: list[Any] = [*apply(made, client, ApplyOptions(workers=WORKERS))]
            seconds = time.monotonic() - started
        outcomes = [event for event in events if isinstance(event, Applied)]
        assert len(outcomes) == len(made.operations)
        chain = longest_chain(made)
        bound = chain * latency + wire.requests / WORKERS * latency
        return Measured(seconds=seconds, bound=bound, requests=wire.requests, chain=chain)


def under_quota(writes: int = 150) -> tuple[float, int, int]:
    """
    Seconds that an apply of so many updates takes under the usual quota, the least that the quota allows, and
    their number.
    """
    with scene(Scene(size=8 * writes, edited_every=8)) as place:
        desired = load(place.root, environ={}).desired
        assert desired is not None
        with connect(desired.settings, emulator=place.address) as reader:
            made = plan(desired, read_live(desired, reader), PlanOptions(adopt=True))
        wire = Transport(
            endpoint=emulator_endpoint(place.address),
            pool=direct_pool(),
            methods=WRITING,
            api_version=desired.settings.api_version,
        )
        clock = Clock()
        throttles = Throttles(desired.settings.quotas, clock)
        with assemble(
            wire, credentials=None, api_version=desired.settings.api_version, clock=clock, throttles=throttles
        ) as client:
            started = time.monotonic()
            applied = [event for event in apply(made, client, ApplyOptions()) if isinstance(event, Applied)]
            seconds = time.monotonic() - started
        assert len(applied) == len(made.operations)
        return seconds, expected_seconds(made), len(steps_of(made))


def longest_chain(made: Plan) -> int:
    """The requests of the longest chain of steps of which each waits for the one before."""
    costs = {step.id: _requests_of(step.id, step.action) for step in steps_of(made)}
    waits = {step.id: step.after for step in steps_of(made)}
    found: dict[StepId, int] = {}

    def length(at: StepId) -> int:
        if at not in found:
            before = (length(item) for item in waits[at] if item in waits)
            found[at] = costs[at] + max(before, default=0)
        return found[at]

    return max(length(at) for at in costs)


def _requests_of(step: StepId, action: Action) -> int:
    """One to write, one before it to see what would be overwritten, one to hear of a long operation."""
    is_long = str(action) in kind_of(step.address.kind).long_running
    return 1 + (action is not Action.CREATE) + is_long
