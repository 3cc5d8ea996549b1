"""One emulator a module and position of its switches, emptied whenever a test or an example asks for it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.properties.world import World, world


@pytest.fixture(scope="module")
def worlds() -> Iterator[Callable[..., World]]:
    """Worlds by their switches."""
    known: dict[tuple[tuple[str, object], ...], World] = {}
    with ExitStack() as stack:

        def get(**switches: object) -> World:
            key = tuple(sorted(switches.items()))
            if key not in known:
                known[key] = stack.enter_context(world(**switches))
            return known[key].fresh()

        yield get
