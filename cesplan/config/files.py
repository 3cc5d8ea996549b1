"""
Reading the files of a tree: as UTF-8, and only inside the tree, symbolic links included.
"""

import errno
import itertools
import os
import stat
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import TypeVar

from cesplan.config.manifest import Spot
from cesplan.config.report import Report, SourceFile, file_spot
from cesplan.config.suggestions import nearest
from cesplan.config.yaml.composing import Document, compose
from cesplan.config.yaml.nodes import At, Mapping, Sequence
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes of one file: hundreds of times the longest instruction. The service takes no resource as large."""
MOST_DATA = 256 * 1024 * 1024
"""Bytes of all files of a tree together: a machine that runs pipelines holds several times as much."""

MOST_ENTRIES = 200_000
"""Files and folders of a tree that are looked at: four for each of 50,000 resources."""

BOM = "\ufeff"
_IGNORED = ("__pycache__",)
_Root = TypeVar("_Root", Mapping, Sequence)


@dataclass(slots=True)
class Files:
    """
    The files under one root. `read` holds the paths of all that were read, relative to the root.

    Every method reports what is wrong and then returns None.
    """

    root: Path
    report: Report
    read: set[str] = field(default_factory=set)
    _real_root: str = ""
    _real_folders: dict[str, str] = field(default_factory=dict)
    _texts: dict[str, str | None] = field(default_factory=dict)
    _left: int = -1
    _folders: dict[str, list[os.DirEntry[str]]] = field(default_factory=dict)
    _entries_left: int = -1

    def __post_init__(self) -> None:
        self._real_root = os.path.realpath(self.root)
        self._left = MOST_DATA
        self._entries_left = MOST_ENTRIES

    def inside(self, path: str) -> bool:
        """Whether a path, with all symbolic links followed, lies under the root."""
        folder, name = os.path.split(os.path.join(self.root, path))
        if folder not in self._real_folders:
            self._real_folders[folder] = self._real_folder(folder)
        real = os.path.join(self._real_folders[folder], name)
        if name == ".." or os.path.islink(real):
            real = os.path.realpath(real)
        return real == self._real_root or real.startswith(self._real_root + os.sep)

    def _real_folder(self, folder: str) -> str:
        """Where a folder is, from where the one around it is: a walk from the top each time takes too long."""
        around, name = os.path.split(folder)
        known = self._real_folders.get(around)
        if known is None or name in ("", ".", ".."):
            return os.path.realpath(folder)
        real = os.path.join(known, name)
        return os.path.realpath(real) if os.path.islink(real) else real

    def entries(self, path: str) -> list[os.DirEntry[str]]:
        """The entries of a folder by name, without hidden ones; empty after an error, which is reported."""
        if path not in self._folders:
            self._folders[path] = self._listed(path)
        return self._folders[path]

    def _listed(self, path: str) -> list[os.DirEntry[str]]:
        if not self.inside(path):
            self._lead_out(path)
            return []
        try:
            with os.scandir(self.root / path) as entries:
                found = list(itertools.islice(entries, self._entries_left + 1))
        except (OSError, ValueError) as error:
            reason = (getattr(error, "strerror", None) or str(error)).lower()
            self.report.add("CES001", f"the folder cannot be read: {reason}", file_spot(path or "."))
            return []
        if not self.spend(len(found)):
            return []
        shown = [item for item in found if not item.name.startswith(".") and item.name not in _IGNORED]
        by_name = sorted(shown, key=lambda entry: entry.name)
        return [entry for entry in by_name if self._leads_somewhere(entry, path)]

    def spend(self, entries: int) -> bool:
        """Count so many files and folders; False, which is reported, where the tree has too many."""
        self._entries_left = max(-1, self._entries_left - entries)
        if self._entries_left < 0:
            self.report.add(
                "CES001",
                f"the tree has more than {MOST_ENTRIES:,} files and folders",
                detail="Those that `apps` in cesplan.yaml makes cesplan search count too: name the folders "
                "instead of using wildcards.",
            )
        return self._entries_left >= 0

    def _leads_somewhere(self, entry: os.DirEntry[str], folder: str) -> bool:
        """Whether one can look at an entry; reports a symbolic link that leads in a circle."""
        try:
            entry.is_dir()
        except OSError as error:
            place = f"{folder}/{entry.name}".lstrip("/")
            reason = (error.strerror or "").lower()
            self.report.add("CES001", f"`{place}` cannot be read: {reason}", file_spot(place))
            return False
        return True

    def _lead_out(self, path: str) -> None:
        self.report.add(
            "CES001",
            f"`{path}` leads out of the tree",
            file_spot(path),
            detail="A symbolic link must end inside the folder of cesplan.yaml.",
        )

    def data(self, path: str) -> bytes:
        """
        What a file holds.

        Raises OSError, also for a pipe or a device, which might never end, and for what is too large.
        """
        data = read_regular(os.path.join(self.root, path), min(LARGEST_FILE, self._left))
        if len(data) > self._left:
            self._left = 0
            why = f"the files of this tree are larger than {MOST_DATA >> 20} MiB in total"
            raise OSError(errno.EFBIG, why, path)
        if len(data) > LARGEST_FILE:
            raise OSError(errno.EFBIG, f"it is larger than {LARGEST_FILE >> 20} MiB", path)
        self._left -= len(data)
        return data

    def text(self, path: str, *, asked_at: Spot | None = None, code: str = "CES001") -> str | None:
        """
        The text of a file, line ends as they are.

        `asked_at` is the place to blame, with this code, where there is no file to show.
        """
        if path not in self._texts:
            self._texts[path] = self._read(path, asked_at or file_spot(path), code)
        return self._texts[path]

    def sound_text(self, path: str) -> str | None:
        """The same where nothing is wrong with the file; None where something is, which is not reported."""
        if path not in self._texts and self.inside(path):
            left = self._left
            try:
                self._texts[path] = self.data(path).decode("utf-8")
            except (OSError, ValueError):
                self._left = left
                return None
            self.read.add(path)
        return self._texts.get(path)

    def text_inside(self, path: str) -> str:
        """The same for a file of the tree; empty where it leads out, or cannot be read."""
        return (self.text(path) or "") if self.inside(path) else ""

    def _read(self, path: str, spot: Spot, code: str) -> str | None:
        try:
            data = self.data(path)
        except (OSError, ValueError) as error:
            self._unreadable(path, error, spot, code)
            return None
        self.read.add(path)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            self._not_utf8(path, data, error.start)
            return None

    def _unreadable(self, path: str, error: Exception, spot: Spot, code: str) -> None:
        reason = getattr(error, "strerror", None) or str(error)
        suggestion = ""
        if os.path.islink(os.path.join(self.root, path)) and isinstance(error, FileNotFoundError):
            reason = "what the symbolic link points to is not there"
        elif isinstance(error, FileNotFoundError):
            folder = os.path.join(self.root, os.path.dirname(path))
            beside = os.listdir(folder) if os.path.isdir(folder) and self.inside(os.path.dirname(path)) else []
            suggestion = nearest(os.path.basename(path), beside)
        self.report.add(code, f"`{path}` cannot be read: {reason.lower()}", spot, suggestion=suggestion)

    def _not_utf8(self, path: str, data: bytes, position: int) -> None:
        before = data[:position].decode("utf-8", "replace")
        shown = data.decode("utf-8", "replace")
        mark = At(before.count("\n"), position and len(before) - before.rfind("\n") - 1)
        self.report.add(
            "CES001",
            f"`{path}` is not UTF-8: byte 0x{data[position]:02x} is not allowed here",
            SourceFile(path, shown).spot(mark),
            detail="Save the file as UTF-8.",
        )

    def mapping(self, path: str) -> tuple[SourceFile, Mapping] | None:
        """The mapping that a YAML file holds."""
        found = self._document(path)
        return self._root(*found, Mapping, "Write `field: value` lines.") if found else None

    def sequence(self, path: str) -> tuple[SourceFile, Sequence] | None:
        """The list that a YAML file holds."""
        found = self._document(path)
        return self._root(*found, Sequence, "Write a list: `- …` lines.") if found else None

    def _document(self, path: str) -> tuple[SourceFile, Document] | None:
        if not self.inside(path):
            self._lead_out(path)
            return None
        text = self.text(path)
        if text is None:
            return None
        file = SourceFile(path, text.removeprefix(BOM))
        document = compose(file.text)
        for problem in document.problems:
            spot = file.spot(problem.start, problem.end)
            self.report.add(problem.code, problem.summary, spot, detail=problem.detail)
        return file, document

    def _root(
        self, file: SourceFile, document: Document, wanted: type[_Root], how: str
    ) -> tuple[SourceFile, _Root] | None:
        root = document.root
        if isinstance(root, wanted):
            return file, root
        if not document.problems:
            is_empty = root is None or getattr(root, "value", 0) is None
            what = "is empty" if is_empty else f"contains no {wanted.__name__.lower()}"
            self.report.add("CES004", f"`{file.path}` {what}", file.spot(At(0, 0)), detail=how)
        return None


def read_regular(path: str | Path, most: int) -> bytes:
    """
    At most one byte more than `most` of a file: who gets that many knows that it is larger.

    Raises OSError, also for a pipe or a device, which might never end.
    """
    with open(path, "rb", opener=_not_waiting) as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        return opened.read(most + 1)


_T = TypeVar("_T")
_MOST_BYTES = 1 << 30
"""Of one report that is read back: long texts of many apps."""


def read_report(path: Path, parse: Callable[[str], _T], what: str) -> _T:
    """
    A report that an earlier run wrote, read back; `what` it is, as `a drift report`.

    Raises UsageError for a file that cannot be read or is something else, which `parse` says with a ValueError.
    """
    try:
        data = read_regular(path, _MOST_BYTES)
        if len(data) > _MOST_BYTES:
            raise UsageError(summary=f"{path} is larger than {_MOST_BYTES >> 20} MiB.")
        return parse(data.decode("utf-8-sig"))
    except OSError as error:
        reason = error.strerror or os.strerror(error.errno or 0)
        raise UsageError(summary=f"Cannot read {path}: {reason}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(summary=f"{path} is not {what}.", detail="It is not UTF-8.") from error
    except ValueError as error:
        raise UsageError(summary=f"{path} is not {what}.", detail=str(error)) from error


def _not_waiting(path: str, flags: int) -> int:
    """Open without waiting for someone to write to a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
