"""
Announcing: each receiver is notified once when drift appears, once when it changes, and once when it is gone. A
run first claims the state, then posts, then records what was delivered and releases the claim. So two
concurrent runs never post the same message twice; a failed post is not recorded, so that the next run repeats
it. After a run that is killed between a delivery and the last write, the message is sent again: delivery is at
least once.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from typing import Protocol

from cesplan.domain.errors import CesplanError, Interrupted
from cesplan.domain.features.drift import DriftReport
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.times import timestamp
from cesplan.features.drift.alarm.announcement import Announcement, Occasion, announcement
from cesplan.features.drift.alarm.fingerprint import app_fingerprints
from cesplan.features.drift.alarm.memory import (
    AlarmMemory,
    Announced,
    Claim,
    Keeper,
    WrittenMeanwhile,
    read_memory,
)

POST_SECONDS = 60
"""How long one receiver may take, retries included; a claim lasts as long as all of them together."""
_PAUSE_SECONDS = 1.0
_MOST_RIVALS = 100
"""Writes that may come in between while a run tries to claim the memory."""


class Receiver(Protocol):
    """A receiver of messages."""

    @property
    def name(self) -> str:
        """Its host, never more of its URL."""
        ...

    def post(self, message: Announcement) -> str:
        """Send a message, with retries; return why it was not delivered, empty if it was."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The result of one message; `problem` is empty if it was delivered."""

    receiver: str
    occasion: Occasion
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Time:
    """
    `now` is the wall clock; `rest` sleeps for a number of seconds, and returns False if the run should end.
    """

    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    rest: Callable[[float], bool]


def announce(
    report: DriftReport, receivers: Sequence[Receiver], keeper: Keeper, time: Time
) -> tuple[Delivery, ...]:
    """
    Send each receiver what it has not received yet. Raises CesplanError if the state cannot be read or written,
    before anything is posted; if only the last write fails, the error says so. Raises Interrupted.
    """
    claimed = _claimed(report, receivers, keeper, time)
    if claimed is None:
        return ()
    memory, version, due = claimed
    announced = dict(memory.receivers)
    deliveries: list[Delivery] = []
    try:
        for receiver, message in due:
            problem = receiver.post(message)
            deliveries.append(Delivery(receiver=receiver.name, occasion=message.occasion, problem=problem))
            if not problem:
                announced[receiver.name] = Announced(at=timestamp(time.now()), apps=dict(message.apps))
    finally:
        _remember(keeper, AlarmMemory.of(announced), version)
    return tuple(deliveries)


_Due = Sequence[tuple[Receiver, Announcement]]


def _claimed(
    report: DriftReport, receivers: Sequence[Receiver], keeper: Keeper, time: Time
) -> tuple[AlarmMemory, str, _Due] | None:
    """The state, claimed for this run, with its version and the due messages; None if nothing is due."""
    found = app_fingerprints(report)
    for _ in range(_MOST_RIVALS):
        memory, version = _read(keeper)
        if memory.claim is not None and _due(report, found, receivers, memory):
            memory, version = _without_rival(keeper, time)
        due = _due(report, found, receivers, memory)
        if not due:
            return None
        claim = Claim(run=secrets.token_hex(8), at=timestamp(time.now()), seconds=POST_SECONDS * (1 + len(due)))
        try:
            return memory, keeper.write(AlarmMemory.of(memory.receivers, claim).text(), version), due
        except WrittenMeanwhile:
            continue
    raise CesplanError(summary=f"Other runs keep writing {keeper.name}. Nothing was posted.")


def _without_rival(keeper: Keeper, time: Time) -> tuple[AlarmMemory, str]:
    """The memory once no other run is posting, or has been for longer than it said."""
    memory, version = _read(keeper)
    first, waited = memory.claim, 0.0
    while (rival := memory.claim) is not None and rival.is_alive(time.now()):
        # By a clock that is ahead a claim would last too long, so it counts from when it was seen first, too.
        first, waited = (first, waited) if rival == first else (rival, 0.0)
        if waited >= rival.seconds:
            break
        if not time.rest(_PAUSE_SECONDS):
            raise Interrupted(summary="Interrupted while another run was posting. Nothing was posted.")
        waited += _PAUSE_SECONDS
        memory, version = _read(keeper)
    return memory, version


def _read(keeper: Keeper) -> tuple[AlarmMemory, str]:
    kept = keeper.read()
    return read_memory(kept, keeper.name), kept.version


def _due(
    report: DriftReport, found: Mapping[str, str], receivers: Sequence[Receiver], memory: AlarmMemory
) -> _Due:
    messages = []
    for receiver in receivers:
        last = memory.receivers.get(receiver.name) or Announced(at="", apps={})
        message = announcement(report, last.apps, last.at, found)
        if message is not None:
            messages.append((receiver, message))
    return messages


def _remember(keeper: Keeper, memory: AlarmMemory, version: str) -> None:
    try:
        keeper.write(memory.text(), version)
    except WrittenMeanwhile:
        raise CesplanError(
            summary=f"{keeper.name} was written by another run while this one posted.",
            detail="This run took longer than its claim. Messages may be posted twice.",
        ) from None
