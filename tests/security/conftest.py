"""The command line, a tree and an emulator, as the tests of the command line have them."""

from tests.cli.conftest import cesplan, process, service, tree

__all__ = ["cesplan", "process", "service", "tree"]
