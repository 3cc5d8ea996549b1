"""A copy of a tree with changed files, to see the result of a change without writing to the tree."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cesplan.config.writing.saving import remove, save

_NOT_OF_THE_TREE = frozenset({".git", ".cesplan", ".venv", "node_modules", "__pycache__"})


@contextmanager
def changed_copy(
    root: Path, files: Mapping[str, str] | Mapping[str, bytes], removed: tuple[str, ...] = ()
) -> Iterator[Path]:
    """A copy of the tree at a root with these files, for the duration of the context. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="cesplan-") as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(root, copy, symlinks=True, ignore=_ignored, copy_function=_linked)
        save(copy, files)
        remove(copy, removed)
        yield copy


def _ignored(folder: str, names: list[str]) -> set[str]:
    """Entries that are never part of a tree, and those that cannot be copied: pipes, sockets, devices."""
    return {name for name in names if name in _NOT_OF_THE_TREE or _is_special(os.path.join(folder, name))}


def _is_special(path: str) -> bool:
    mode = os.lstat(path).st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def _linked(source: str, target: str) -> None:
    """Hard-link a file, which is free. Every write replaces the link with a separate file."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
