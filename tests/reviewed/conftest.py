"""One emulator a module and position of its switches."""

from tests.properties.conftest import Worlds, worlds

__all__ = ["Worlds", "worlds"]
