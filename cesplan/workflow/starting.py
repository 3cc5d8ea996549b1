"""Starting: a small tree to begin with."""

import os
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from cesplan.config.writing.outputs import check_output_folder
from cesplan.config.writing.saving import save
from cesplan.domain.errors import UsageError

_SUFFIX = ".txt"
"""The files of the starter carry it so that no tool takes its Python for ours."""

_IGNORE = (Path(".gitignore"), ".cesplan/\n")


def start(folder: Path) -> tuple[Path, ...]:
    """
    Write a tree with one app into a folder, which is made when it is not there; return the files written.

    Raises UsageError, before anything is written, when one of them exists, and for a link that leads elsewhere.
    """
    check_output_folder(folder)
    wanted = dict(_starter(files("cesplan.workflow") / "starter", Path()))
    taken = sorted(str(path) for path in wanted if os.path.lexists(folder / path))
    if taken:
        listing = "\n".join(f"    {folder / name}" for name in taken)
        raise UsageError(summary="Nothing was written: a tree already exists.", detail=listing)
    path, text = _IGNORE
    if not os.path.lexists(folder / path):
        wanted[path] = text
    save(folder, {path.as_posix(): text for path, text in wanted.items()})
    return tuple(sorted(wanted))


def _starter(folder: Traversable, at: Path) -> Iterator[tuple[Path, str]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _starter(item, at / item.name)
        elif item.name.endswith(_SUFFIX):
            yield at / item.name.removesuffix(_SUFFIX), item.read_text(encoding="utf-8")
