"""A command line and a service for tests of exports."""

from tests.cli.conftest import cesplan, service

__all__ = ["cesplan", "service"]
