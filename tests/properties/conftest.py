"""
Hypothesis as these tests want it: the same examples on every run, no deadline, nothing kept on disk.

The default run tries a few dozen trees a law; `-m slow` tries many more.
"""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.properties.world import World, world

settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=False,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.large_base_example,
        HealthCheck.function_scoped_fixture,
    ],
)


@pytest.fixture(scope="module")
def worlds() -> Iterator[Callable[..., World]]:
    """Worlds by their switches, each kept for the module; made fresh whenever one is asked for."""
    from contextlib import ExitStack

    known: dict[tuple[tuple[str, object], ...], World] = {}
    with ExitStack() as stack:

        def get(**switches: object) -> World:
            key = tuple(sorted(switches.items()))
            if key not in known:
                known[key] = stack.enter_context(world(**switches))
            return known[key].fresh()

        yield get
