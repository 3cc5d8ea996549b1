"""A command line and a service for tests of exports."""

from tests.cli.conftest import cesplan, service
from tests.direct import directly

__all__ = ["cesplan", "directly", "service"]
