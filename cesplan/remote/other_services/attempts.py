"""Retries of a request to a service that is not CES."""

from collections.abc import Callable, Collection

from cesplan.domain.frozen import dataclass
from cesplan.remote.clock import Backoff, Clock, Tries
from cesplan.remote.statuses import TRANSIENT, read_status
from cesplan.remote.transport import Answer, NoAnswer, NotSent


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """The result of all attempts: the last response, if there was one, and what is wrong with it."""

    answer: Answer | None
    why: str
    count: int
    interrupted: bool

    @property
    def status(self) -> int:
        """The HTTP status; 0 if there was no response."""
        return self.answer.status if self.answer else 0


def with_retries(
    send: Callable[[int], Answer], clock: Clock, backoff: Backoff, transient: Collection[int] = TRANSIENT
) -> Attempts:
    """
    Send a request until a retry cannot help, or there have been enough of them.

    `send` gets the number of the attempt, and may raise NotSent or NoAnswer. `transient` are statuses.
    """
    tries = Tries(backoff, clock)
    while True:
        answer, at_least = None, 0.0
        try:
            answer = send(tries.count)
        except (NotSent, NoAnswer) as error:
            why, is_final = str(error), error.permanent
        else:
            why, is_final = f"it answered {answer.status}", answer.status not in transient
            at_least = 0.0 if is_final else read_status(answer, clock.wall()).retry_after or 0.0
        delay = None if is_final else tries.next_delay(at_least)
        if delay is None or not clock.rest(delay):
            return Attempts(answer=answer, why=why, count=tries.count, interrupted=delay is not None)
