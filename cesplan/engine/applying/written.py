"""The outcome of a step, and the case in which it is unknown."""

from cesplan.domain.errors import CesplanError
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body
from cesplan.engine.applying.forced_references import Referrer

ALREADY_GONE = "already gone"
ALREADY_AS_PLANNED = "already as planned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """
    A step that is done.

    `writes` counts what took effect (0 where there was nothing left to do); `answer` is the resource as the
    server has it, None after a delete, and `before` as this run saw it last before it wrote. `acknowledged`
    is False if the answer was lost and only a read of the resource showed its success. `dropped` are those
    out of which a delete by force took a reference, where a rollback may have to put it back. `taint` is why
    nothing may build on it. `refused` is why it still counts as failed: it took effect, and is not what was
    reviewed; without an `answer` it was taken back.
    """

    writes: int = 1
    answer: Body | None = None
    note: str = ""
    before: Body | None = None
    acknowledged: bool = True
    dropped: tuple[Referrer, ...] = ()
    taint: str = ""
    refused: CesplanError | None = None


@dataclass(kw_only=True, eq=False)
class Undetermined(Exception):
    """Sent, and neither the answer nor a look could tell whether it took effect."""

    error: CesplanError
