"""
Modules that are imported when they are first used.

A command names at its top what it may need, and pays for what it does need: its `--help` for none of it, and a
report in text not for the library that writes JSON. Everywhere else, an import is an import.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType


@contextmanager
def lazily() -> Iterator[None]:
    """
    `from package import module` in here binds a module of ours that is executed when a name of it is asked for.

    Only whole modules can wait: a name from inside one needs it at once.
    """
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname.startswith("cesplan.") else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec
