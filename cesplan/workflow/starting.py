"""Starting: a small tree to begin with, unless there is an app to begin with."""

import os
import shlex
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from cesplan.config.project.file import FILE_NAME
from cesplan.config.writing.outputs import check_output_folder
from cesplan.config.writing.saving import save
from cesplan.domain.errors import UsageError
from cesplan.domain.features.app_list import ListedApp, Standing
from cesplan.domain.resource_name import Place
from cesplan.features.export_layout.detection import is_export
from cesplan.workflow.connecting import GOOGLE, Connection
from cesplan.workflow.validating import TreeTarget
from cesplan.workflow.views.listing import list_apps

_SUFFIX = ".txt"
"""The files of the starter carry it so that no tool takes its Python for ours."""

_IGNORE = (Path(".gitignore"), ".cesplan/\n")


_PROJECT = "project: my-project        # your Google Cloud project\nlocation: us\n"
"""In the starter: where it is applied."""


def start(folder: Path, place: Place | None = None) -> tuple[Path, ...]:
    """
    Write a tree with one app into a folder, which is made when it is not there; return the files written.

    `place` is where the tree is applied; without one, a placeholder. Raises UsageError, before anything is
    written, when one of the files exists, for an app in the official export layout, and for a link that leads
    elsewhere.
    """
    check_output_folder(folder)
    if is_export(folder):
        raise UsageError(
            summary="Nothing was written: this folder is an app in the official export layout.",
            detail=f"To make a tree of it:\n\n    cesplan convert {shlex.quote(str(folder))} NEW-FOLDER",
        )
    texts = dict(_starter(files("cesplan.workflow") / "starter", Path()))
    if place is not None:
        settings = Path(FILE_NAME)
        header = f"project: {place.project}\nlocation: {place.location}\n"
        texts[settings] = texts[settings].replace(_PROJECT, header)
    existing = sorted(str(path) for path in texts if os.path.lexists(folder / path))
    if existing:
        listing = "\n".join(f"    {folder / name}" for name in existing)
        raise UsageError(summary="Nothing was written: a tree already exists.", detail=listing)
    path, text = _IGNORE
    if not os.path.lexists(folder / path):
        texts[path] = text
    save(folder, {path.as_posix(): text for path, text in texts.items()})
    return tuple(sorted(texts))


def existing_apps(place: Place, *, connection: Connection = GOOGLE) -> tuple[ListedApp, ...]:
    """
    The apps that live there and that no tree has applied: who has one wants a tree of it.

    Raises UsageError and what the service answers.
    """
    found = list_apps(TreeTarget(folder=Path()), place=place, connection=connection).apps
    return tuple(item for item in found if item.standing is Standing.UNMANAGED)


def _starter(folder: Traversable, at: Path) -> Iterator[tuple[Path, str]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _starter(item, at / item.name)
        elif item.name.endswith(_SUFFIX):
            yield at / item.name.removesuffix(_SUFFIX), item.read_text(encoding="utf-8")
