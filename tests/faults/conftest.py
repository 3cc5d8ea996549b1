"""Emulators for these tests: the same worlds as the properties have."""

from tests.properties.conftest import worlds

__all__ = ["worlds"]
