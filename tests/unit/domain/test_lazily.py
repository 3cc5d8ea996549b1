"""Modules that wait: executed once, at first use, whole for every thread, and again after an error."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import invalidate_caches
from pathlib import Path
from types import ModuleType

import pytest

import cesplan.cli
from cesplan.domain.lazily import lazily

SLOW = "import time\nRUNS = []\nRUNS.append(1)\ntime.sleep(0.05)\nLAST = __name__\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Modules in here are modules of `cesplan.cli`."""
    monkeypatch.setattr(cesplan.cli, "__path__", [*cesplan.cli.__path__, str(tmp_path)])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("cesplan.cli.waits_")]:
        del sys.modules[name]
        delattr(cesplan.cli, name.rpartition(".")[2])


def _bound(folder: Path, name: str, text: str) -> ModuleType:
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    invalidate_caches()
    with lazily():
        return __import__("cesplan.cli", fromlist=[name]).__dict__[name]  # type: ignore[no-any-return]


def test_a_module_is_executed_when_a_name_of_it_is_asked_for(folder: Path) -> None:
    """Nothing of it runs before, and it is an ordinary module afterwards, also for an ordinary import."""
    module = _bound(folder, "waits_once", "import sys\nsys.modules['waits_ran'] = sys\nX = 1\n")
    assert "waits_ran" not in sys.modules
    assert module.X == 1
    assert sys.modules.pop("waits_ran") is sys
    assert type(module) is ModuleType
    assert __import__("cesplan.cli.waits_once", fromlist=["X"]) is module


def test_threads_that_use_it_at_once_all_see_it_whole(folder: Path) -> None:
    module = _bound(folder, "waits_slow", SLOW)
    with ThreadPoolExecutor(8) as threads:
        names = list(threads.map(lambda _: module.LAST, range(8)))
    assert names == ["cesplan.cli.waits_slow"] * 8
    assert module.RUNS == [1]


def test_an_error_in_it_is_told_each_time(folder: Path) -> None:
    """As an import that fails is tried again."""
    module = _bound(folder, "waits_broken", "raise LookupError('broken')\n")
    for _ in range(2):
        with pytest.raises(LookupError, match="broken"):
            _ = module.X


def test_what_is_not_ours_does_not_wait() -> None:
    with lazily():
        import colorsys
    assert type(colorsys) is ModuleType
