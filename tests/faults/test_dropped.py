"""An apply whose caller drops it on the way: nothing of it goes on, then or when the garbage is collected."""

from contextlib import suppress
from pathlib import Path

from cesplan.domain.outcome import Started
from cesplan.emulator import EmbeddedEmulator
from cesplan.workflow.apply_plan import applying
from cesplan.workflow.connecting import Connection
from cesplan.workflow.planning import plan

EXAMPLE = Path(__file__).parents[2] / "examples/support-desk"


class _Gone(Exception):
    """The caller has left."""


def test_a_caller_that_leaves_ends_the_run() -> None:
    with EmbeddedEmulator() as service:
        connection = Connection(emulator=service.address)
        made = plan(EXAMPLE, connection=connection).plan
        with suppress(_Gone), applying(made, connection=connection) as events:
            assert isinstance(next(events), Started)
            raise _Gone
        assert [*events] == []
        assert plan(EXAMPLE, connection=connection).plan.operations
