"""Reading the files of a tree: only as UTF-8, and only inside the tree, even through symbolic links."""

import errno
import itertools
import os
import posixpath
import stat
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import TypeVar

from cesplan.config.manifest import Spot
from cesplan.config.report import Report, SourceFile, file_spot
from cesplan.config.suggestions import nearest
from cesplan.config.yaml.composing import YamlDocument, compose
from cesplan.config.yaml.nodes import At, Mapping, Sequence
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.words import in_sentence

LARGEST_FILE = 4 * 1024 * 1024
"""The maximum size of a file in bytes: far larger than any resource that the service accepts."""
MOST_DATA = 256 * 1024 * 1024
"""The maximum size of all files of a tree in bytes: CI machines have several times as much memory."""

MOST_ENTRIES = 200_000
"""The most files and folders to visit in a tree: four for each of 50,000 resources."""

BOM = "\ufeff"
_IGNORED = ("__pycache__",)
_Root = TypeVar("_Root", Mapping, Sequence)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listing:
    """`size` is how many entries a folder has, `shown` those that are not hidden, by name."""

    size: int
    shown: list[os.DirEntry[str]]
    no_links: set[str]


@dataclass(slots=True)
class Files:
    """
    The files under one root. `read` holds the paths of all files read so far, relative to the root.

    Unless a method says otherwise, it reports problems and then returns None.
    """

    root: Path
    report: Report
    read: set[str] = field(default_factory=set)
    _real_root: str = ""
    _real_folders: dict[str, str] = field(default_factory=dict)
    _links: dict[str, str] = field(default_factory=dict)
    _texts: dict[str, str | None] = field(default_factory=dict)
    _forgotten: set[str] = field(default_factory=set)
    _again: tuple[str, str] = ("", "")
    _left: int = -1
    _folders: dict[str, list[os.DirEntry[str]]] = field(default_factory=dict)
    _listings: dict[str, _Listing] = field(default_factory=dict)
    """What is in real folders: symbolic links may lead to one folder by a great many paths."""
    _no_links: dict[str, set[str]] = field(default_factory=dict)
    """What is in folders inside the root, by folder, but for symbolic links: certainly inside too."""
    _entries_left: int = -1

    def __post_init__(self) -> None:
        self._real_root = os.path.realpath(self.root)
        self._left = MOST_DATA
        self._entries_left = MOST_ENTRIES

    def inside(self, path: str) -> bool:
        """Whether a path is under the root after all symbolic links are followed."""
        return self._is_listed(path) or self._holds(self._real(path))

    def _holds(self, real: str) -> bool:
        """Whether a real path is under the root."""
        return real == self._real_root or real.startswith(self._real_root + os.sep)

    def _real(self, path: str) -> str:
        """Where a path leads after all symbolic links are followed."""
        folder, name = os.path.split(os.path.join(self.root, path))
        if folder not in self._real_folders:
            self._real_folders[folder] = self._real_folder(folder)
        real = os.path.join(self._real_folders[folder], name)
        return os.path.realpath(real) if name == ".." else self._followed(real)

    def _is_listed(self, path: str) -> bool:
        """Whether a path was in a listed folder, and was no symbolic link."""
        folder, _, name = path.rpartition("/")
        return name in self._no_links.get(folder, ())

    def _real_folder(self, folder: str) -> str:
        """
        The real path of a folder, from that of its parent; resolving it from the top each time is too slow.
        """
        around, name = os.path.split(folder)
        known = self._real_folders.get(around)
        if known is None or name in ("", ".", ".."):
            return os.path.realpath(folder)
        return self._followed(os.path.join(known, name))

    def _followed(self, path: str) -> str:
        """Where a path leads whose folder has no links in it; each link is followed once."""
        if path not in self._links:
            if not os.path.islink(path):
                return path
            self._links[path] = os.path.realpath(path)
        return self._links[path]

    def entries(self, path: str) -> list[os.DirEntry[str]]:
        """The entries of a folder by name, except hidden ones; empty after an error, which is reported."""
        if path not in self._folders:
            self._folders[path] = self._listed(path)
        return self._folders[path]

    def _listed(self, path: str) -> list[os.DirEntry[str]]:
        if self._entries_left < 0:  # which is reported
            return []
        real = self._real(path)
        if not self._holds(real):
            self._lead_out(path)
            return []
        if real not in self._listings:
            try:
                self._listings[real] = self._list(real)
            except (OSError, ValueError) as error:
                reason = in_sentence(getattr(error, "strerror", None) or str(error))
                self.report.add("CES001", f"the folder cannot be read: {reason}", file_spot(path or "."))
                return []
        found = self._listings[real]
        if not self.spend(found.size):
            return []
        self._no_links[path] = found.no_links
        return [entry for entry in found.shown if self._leads_somewhere(entry, path)]

    def _list(self, real: str) -> _Listing:
        """Raises OSError, or ValueError for a path that no file can have."""
        with os.scandir(real) as entries:
            found = list(itertools.islice(entries, self._entries_left + 1))
        shown = [item for item in found if not item.name.startswith(".") and item.name not in _IGNORED]
        return _Listing(
            size=len(found),
            shown=sorted(shown, key=lambda entry: entry.name),
            no_links={entry.name for entry in shown if not entry.is_symlink()},
        )

    def spend(self, entries: int) -> bool:
        """Count files and folders. False, after reporting it, if the tree has too many."""
        self._entries_left = max(-1, self._entries_left - entries)
        if self._entries_left < 0:
            self.report.add(
                "CES001",
                f"the tree has more than {MOST_ENTRIES:,} files and folders",
                detail="This includes everything that cesplan searches for `apps` in cesplan.yaml. Name "
                "the folders instead of using wildcards.",
            )
        return self._entries_left >= 0

    def _leads_somewhere(self, entry: os.DirEntry[str], folder: str) -> bool:
        """Whether an entry can be resolved; reports a symbolic link loop."""
        try:
            entry.is_dir()
        except OSError as error:
            place = f"{folder}/{entry.name}".lstrip("/")
            reason = in_sentence(error.strerror or "")
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
        The content of a file.

        Raises OSError, also for a pipe or device, which might never end, and for a file that is too large.
        """
        no_link = self._is_listed(path)  # a link that was put there since leads nowhere
        if path in self._forgotten:  # it counts already
            return read_regular(os.path.join(self.root, path), LARGEST_FILE, no_link=no_link)
        data = read_regular(os.path.join(self.root, path), min(LARGEST_FILE, self._left), no_link=no_link)
        if len(data) > self._left:
            self._left = 0
            why = f"the files of this tree are larger than {MOST_DATA >> 20} MiB in total"
            raise OSError(errno.EFBIG, why, path)
        if len(data) > LARGEST_FILE:
            raise OSError(errno.EFBIG, f"it is larger than {LARGEST_FILE >> 20} MiB", path)
        self._left -= len(data)
        return data

    def text(self, path: str, *, mentioned_at: Spot | None = None, code: str = "CES001") -> str | None:
        """
        The text of a file, with its line endings.

        `mentioned_at` is the place to report, with this code, if there is no file.
        """
        if path not in self._texts:
            self._texts[path] = self._read(path, mentioned_at or file_spot(path), code)
        return self._texts[path]

    def sound_text(self, path: str) -> str | None:
        """The text of a file; None if it cannot be read, which is not reported."""
        if path not in self._texts and self.inside(path):
            left = self._left
            try:
                self._texts[path] = self.data(path).decode("utf-8")
            except (OSError, ValueError):
                self._left = left
                return None
            self.read.add(path)
        return self._texts.get(path)

    def forget(self, path: str) -> None:
        """Drop the text of a file that was fully read: all texts together take as much memory as the bodies."""
        if self._texts.pop(path, None) is not None:
            self._forgotten.add(path)

    def text_again(self, path: str) -> str:
        """The current text of a file that was read before; empty if it cannot be read."""
        if self._again[0] != path:
            self._again = path, self._texts.get(path) or self._read_again(path)
        return self._again[1]

    def _read_again(self, path: str) -> str:
        try:
            data = read_regular(os.path.join(self.root, path), LARGEST_FILE, no_link=self._is_listed(path))
            return data.decode("utf-8")
        except (OSError, ValueError):
            return ""

    def text_inside(self, path: str) -> str:
        """The text of a file in the tree; empty if it is outside or cannot be read."""
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
            reason = "the target of the symbolic link does not exist"
        elif isinstance(error, FileNotFoundError):
            folder = os.path.join(self.root, os.path.dirname(path))
            beside = os.listdir(folder) if os.path.isdir(folder) and self.inside(os.path.dirname(path)) else []
            suggestion = nearest(os.path.basename(path), beside)
        self.report.add(code, f"`{path}` cannot be read: {in_sentence(reason)}", spot, suggestion=suggestion)

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
        """The mapping in a YAML file."""
        found = self._document(path)
        return self._root(*found, Mapping, "Write `field: value` lines.") if found else None

    def sequence(self, path: str) -> tuple[SourceFile, Sequence] | None:
        """The list in a YAML file."""
        found = self._document(path)
        return self._root(*found, Sequence, "Write a list: `- …` lines.") if found else None

    def _document(self, path: str) -> tuple[SourceFile, YamlDocument] | None:
        if not self.inside(path):
            self._lead_out(path)
            return None
        text = self.text(path)
        if text is None:
            return None
        file = SourceFile(path, text.removeprefix(BOM))
        document = compose(file.text)
        self.report.add_all(document.problems, file)
        return file, document

    def _root(
        self, file: SourceFile, document: YamlDocument, node_type: type[_Root], how: str
    ) -> tuple[SourceFile, _Root] | None:
        root = document.root
        if isinstance(root, node_type):
            return file, root
        if not document.problems:
            is_empty = root is None or getattr(root, "value", 0) is None
            what = "is empty" if is_empty else f"contains no {node_type.__name__.lower()}"
            self.report.add("CES004", f"`{file.path}` {what}", file.spot(At(0, 0)), detail=how)
        return None


def named_beside(path: str, name: str) -> str:
    """The path of a file that another one names, relative to its own folder."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))


def read_regular(path: str | Path, most: int, *, no_link: bool = False) -> bytes:
    """
    Read up to `most` bytes of a file, plus one if it is larger.

    Raises OSError, also for a pipe or device, which might never end, and with `no_link` for a symbolic link.
    """
    # Not with `open`: it takes memory for as much as may be read, and three times as long for a small file.
    flags = _FLAGS | (getattr(os, "O_NOFOLLOW", 0) if no_link else 0)
    handle = os.open(path, flags)
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        data = os.read(handle, min(status.st_size, most) + 1)
        while len(data) <= most and (more := os.read(handle, min(_AT_ONCE, most + 1 - len(data)))):
            data += more
        return data
    finally:
        os.close(handle)


_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = 1 << 20
"""Bytes of a file that has grown since its size was asked."""
_T = TypeVar("_T")
_MOST_BYTES = 1 << 30
"""The maximum size of a report that is read back, with long texts of many apps."""


def read_report(path: Path, parse: Callable[[str], _T], what: str) -> _T:
    """
    Read a report that an earlier run wrote. `what` describes it, such as `a drift report`.

    Raises UsageError if the file cannot be read, or if `parse` raises ValueError.
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
