"""
How a law is tried: on the same trees every run, as many as its test can afford.

Making a failing tree smaller takes minutes, so it is done on request only: SHRINK=1 pytest …
"""

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from tests.properties.dice import dice

_PHASES = [Phase.explicit, Phase.generate, *([Phase.shrink] if os.environ.get("SHRINK") else [])]


def steadily(examples: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A test that gets `throws`, so many times; no deadline, nothing kept on disk, no luck involved."""
    steady = settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        print_blob=False,
        phases=_PHASES,
        report_multiple_bugs=False,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.large_base_example,
            HealthCheck.filter_too_much,
        ],
    )
    return lambda test: steady(given(throws=dice())(test))
