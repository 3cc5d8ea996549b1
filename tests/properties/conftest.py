"""One emulator a module and position of its switches, emptied whenever a test or an example asks for it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.properties.world import World, world

Worlds = Callable[..., World]


@pytest.fixture(scope="module")
def worlds() -> Iterator[Worlds]:
    """Worlds by their switches, each emptied when it is asked for."""
    known: dict[tuple[tuple[str, object], ...], World] = {}
    with ExitStack() as stack:

        def get(**switches: object) -> World:
            key = tuple(sorted(switches.items()))
            if key not in known:
                known[key] = stack.enter_context(world(**switches))
            return known[key].fresh()

        yield get
