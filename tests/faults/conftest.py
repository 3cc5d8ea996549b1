"""Emulators for these tests, the same worlds as the properties have; and processes that start warm."""

from functools import partial
from pathlib import Path

import pytest

from tests.faults.processes import Begin, begin
from tests.properties.conftest import worlds
from tests.warm import Warm

__all__ = ["begun", "worlds"]


@pytest.fixture
def begun(warm: Warm, tmp_path: Path) -> Begin:
    """Begins a command; one at a time, for all write to the same two files."""
    return partial(begin, warm, tmp_path)
