"""
Modules that are imported when they are first used.

A command imports at its top everything that it may need, and pays only for what it uses: `--help` for nothing,
a text report not for the library that writes JSON, and a plan without changes not for what explains changes.
Elsewhere, an import is a plain import.

`importlib.util.LazyLoader` does the same, but before Python 3.12 two threads that use a module for the first
time at once see it half executed.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader, MetaPathFinder
else:
    Loader = MetaPathFinder = (
        object  # the abstract classes are only for type checkers; importing them takes 5 ms
    )

_STATE = "__cesplan_waits__"


@contextmanager
def lazily() -> Iterator[None]:
    """
    Inside this context, `from package import module` binds a cesplan module that is executed at its first
    attribute access.

    Only whole modules can be lazy: importing a name from one executes it at once.
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
            spec.loader = _WaitingLoader(spec.loader)
        return spec


class _WaitingLoader(Loader):
    """Gives a module its real loader back, and delays its execution."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self.lock = RLock()
        self._is_running = False

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self._loader
        module.__dict__[_STATE] = self
        module.__class__ = _Waiting

    def execute(self, module: ModuleType, names: dict[str, Any]) -> None:
        """
        Execute the module, under the lock. Attribute access from the module itself sees what exists so far.
        """
        if self._is_running or _STATE not in names:
            return
        self._is_running = True
        try:
            self._loader.exec_module(module)
            module.__class__ = ModuleType
            del names[_STATE]
        finally:
            self._is_running = False


class _Waiting(ModuleType):
    def __getattribute__(self, name: str) -> Any:
        names = ModuleType.__getattribute__(self, "__dict__")
        loader = names.get(_STATE)
        if loader is not None:
            with loader.lock:
                loader.execute(self, names)
        return ModuleType.__getattribute__(self, name)  # not `super`: this may be another class by now
