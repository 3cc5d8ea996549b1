"""
Opening an export: the files of one app in a folder or ZIP, named relative to the folder of app.json.

Archives are untrusted: they are read into memory, within limits, and never unpacked. A file is JSON or
YAML; either becomes a mapping with source positions.
"""

import json
import os
import posixpath
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import field
from itertools import islice
from pathlib import Path
from typing import Any

from cesplan.config.files import BOM, LARGEST_FILE, MOST_DATA, MOST_ENTRIES, Files
from cesplan.config.report import Report, SourceFile, file_spot
from cesplan.config.yaml.composing import YamlDocument, compose
from cesplan.config.yaml.nodes import At, Scalar, node_of
from cesplan.config.yaml.nodes import Mapping as MappingNode
from cesplan.config.yaml.problems import YamlProblem
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.words import in_sentence
from cesplan.features.export_layout.detection import APP_FILES

_ENTRY = b"PK\x01\x02"
_NOISE = frozenset({"__MACOSX", "__pycache__", ".DS_Store", "Thumbs.db"})
_DETAIL = "An export is a ZIP file or a folder with app.json or app.yaml at its root or in one folder below it."
_PAIR = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_START = At(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFiles:
    """The files of one app; `names` are all of them, sorted, and `files` reads them."""

    files: Files
    names: tuple[str, ...]


@dataclass(slots=True)
class ArchiveFiles(Files):
    """Files in memory."""

    contents: Mapping[str, bytes] = field(default_factory=dict)

    def inside(self, path: str) -> bool:
        """Whether a path, as text, stays inside the archive, which has no links."""
        return not posixpath.isabs(path) and posixpath.normpath(path).split("/")[0] != ".."

    def data(self, path: str) -> bytes:
        """The contents of a file. Raises FileNotFoundError."""
        if path not in self.contents:
            raise FileNotFoundError(2, "no such file in the archive")
        return self.contents[path]


def open_export(path: Path, report: Report) -> ExportFiles | None:
    """The files of the single app in a ZIP or folder; None if it cannot be opened, which is reported."""
    if path.is_dir():
        found = _folder(path, report)
        if found is None or len(found.names) <= MOST_ENTRIES:
            return found
        report.add("CES036", f"`{path}` is not a usable export: it has more than {MOST_ENTRIES:,} files")
        return None
    if not path.exists():
        report.add("CES036", f"`{path}` does not exist", detail=_DETAIL)
        return None
    contents = _archive(path, report)
    if contents is None:
        return None
    root = _root(contents, str(path), report)
    if root is None:
        return None
    kept = {name.removeprefix(root): data for name, data in contents.items() if name.startswith(root)}
    return ExportFiles(files=ArchiveFiles(path, report, contents=kept), names=tuple(sorted(kept)))


def compose_json(text: str) -> YamlDocument:
    """
    The nodes of a JSON text, with their positions. Never raises.

    JSON is YAML 1.2, so the YAML reader is used after Python's parser has accepted the text as JSON. What only
    Python's parser can read (surrogate pairs, control characters that YAML forbids) has no positions.
    """
    try:
        value = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        return YamlDocument(None, (_problem(error),))
    except (ValueError, RecursionError) as error:
        return YamlDocument(None, (YamlProblem(code="CES002", start=_START, summary=f"not JSON: {error}"),))
    document = compose(_PAIR.sub(_joined, text))
    if document.root is None or any(item.code == "CES002" for item in document.problems):
        return _without_places(value, document)
    return document


def _folder(path: Path, report: Report) -> ExportFiles | None:
    inside = Files(path, report).inside
    tops = [
        entry.name
        for entry in path.iterdir()
        if entry.is_dir() and not _is_noise(entry.name) and inside(entry.name)
    ]
    near = [name for name in APP_FILES if (path / name).is_file()]
    near += [f"{top}/{name}" for top in tops for name in APP_FILES if (path / top / name).is_file()]
    root = _root(near, str(path), report)
    if root is None:
        return None
    folder = path / root
    return ExportFiles(
        files=Files(folder, report), names=tuple(sorted(islice(_walk(folder), MOST_ENTRIES + 1)))
    )


def _walk(folder: Path) -> Iterable[str]:
    """The paths of all files, and of links to folders, which are not followed."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not _is_noise(name)]
        within = Path(parent).relative_to(folder)
        links = (name for name in folders if os.path.islink(os.path.join(parent, name)))
        yield from ((within / name).as_posix() for name in (*names, *links) if not _is_noise(name))


def _root(names: Iterable[str], what: str, report: Report) -> str | None:
    """The folder of the app, with a slash at its end; empty for the top."""
    tops = {name.rpartition("/")[0] for name in names if posixpath.basename(name) in APP_FILES}
    found = sorted(top for top in tops if "/" not in top)
    if "" in found:
        return ""
    if len(found) == 1:
        return f"{found[0]}/"
    many = (
        f"`{what}` contains several apps: {', '.join(found)}" if found else f"`{what}` does not contain an app"
    )
    report.add("CES036", many, detail="Give the path of one of these folders." if found else _DETAIL)
    return None


_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    OSError,
    EOFError,
    MemoryError,  # a header asks for more memory than there is
    NotImplementedError,
    RuntimeError,
    ValueError,
    IndexError,
)
"""The exceptions of the standard library for archives that are damaged or unsupported."""


def _archive(path: Path, report: Report) -> dict[str, bytes] | None:
    try:
        _check_size(path)
        with zipfile.ZipFile(path) as archive:
            return _contents(archive)
    except (*_BROKEN, _Refused) as error:
        reason = getattr(error, "strerror", None) or str(error) or "it is damaged"
        report.add("CES036", f"`{path}` is not a usable export: {in_sentence(reason)}", detail=_DETAIL)
        return None


class _Refused(Exception):
    """An unusable archive: the text says why."""


def _check_size(path: Path) -> None:
    """
    Refuse an archive whose list of entries would fill the memory: zipfile reads the whole list at once.

    Entries are counted by the four bytes that each begins with.
    """
    size = path.stat().st_size
    if not path.is_file():
        raise _Refused("it is not a regular file")
    if size > MOST_DATA:
        raise _Refused(f"it is larger than {MOST_DATA >> 20} MiB")
    with path.open("rb") as opened:
        if opened.read().count(_ENTRY) > MOST_ENTRIES:
            raise _Refused(f"it has more than {MOST_ENTRIES:,} entries")


def _contents(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise _Refused(f"it has more than {MOST_ENTRIES:,} entries")
    contents: dict[str, bytes] = {}
    left = MOST_DATA
    for entry in entries:
        name = _checked_name(entry)
        if entry.is_dir() or _is_noise(*name.split("/")):
            continue
        if name in contents:
            raise _Refused(f"it has duplicate entries `{name}`")
        contents[name] = _bounded(archive, entry, min(LARGEST_FILE, left))
        left -= len(contents[name])
    return contents


def _bounded(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    """The bytes of an entry. The size in its header is not trusted."""
    with archive.open(entry) as opened:
        data = opened.read(limit + 1)
    if len(data) > limit:
        raise _Refused(f"`{entry.filename}` is too large")
    return data


def _checked_name(entry: zipfile.ZipInfo) -> str:
    name = entry.filename
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # zipfile unpacks whole blocks of other methods at once, and a kilobyte may become a gigabyte.
        raise _Refused(f"`{name}` is compressed with a method that exports do not use")
    if entry.flag_bits & 0x1:
        raise _Refused(f"`{name}` is encrypted")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise _Refused(f"`{name}` is a symbolic link")
    if not entry.flag_bits & 0x800:
        name = _unmarked(name)
    parts = name.rstrip("/").split("/")
    if name.startswith("/") or ".." in parts or "" in parts or "\\" in name or ":" in parts[0]:
        raise _Refused(f"`{name}` is not a safe path in an archive")
    return name


def _unmarked(name: str) -> str:
    """Decode a name that is not marked as UTF-8: many tools write UTF-8 anyway."""
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _is_noise(*parts: str) -> bool:
    return any(part in _NOISE or part.startswith(".") for part in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedFile:
    """
    A resource file that was read: `folder` is the name of its folder, `comments` are its notes.

    `left_alone` are fields with unknown values.
    """

    file: SourceFile
    root: MappingNode
    folder: str = ""
    comments: tuple[str, ...] = ()
    left_alone: tuple[FieldPath, ...] = ()


def read(source: ExportFiles, path: str) -> OpenedFile | None:
    """The mapping in a JSON or YAML file; None if it has problems, which are reported."""
    files = source.files
    if not files.inside(path):
        files.report.add("CES001", f"`{path}` is outside the export", file_spot(path))
        return None
    text = files.text(path)
    return composed(SourceFile(path, text.removeprefix(BOM)), files.report) if text is not None else None


def composed(file: SourceFile, report: Report) -> OpenedFile | None:
    """The mapping in the text of a file."""
    document = compose_json(file.text) if file.path.endswith(".json") else compose(file.text)
    report.add_all(document.problems, file)
    if isinstance(document.root, MappingNode):
        return OpenedFile(file=file, root=document.root)
    if not document.problems:
        report.add("CES004", f"`{file.path}` is not a mapping", file.spot(At(0, 0)))
    return None


def _without_places(value: Any, document: YamlDocument) -> YamlDocument:
    if any(item.code == "CES004" for item in document.problems):
        return document  # too deep or too long: the reader reports it
    return YamlDocument(node_of(value, Scalar(_START, _START, None, "")), ())


def _joined(found: re.Match[str]) -> str:
    high, low = int(found[2], 16), int(found[3], 16)
    return f"{found[1]}\\U{0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00):08X}"


def _refuse(name: str) -> Any:
    raise ValueError(f"`{name}` is not a JSON number")


def _problem(error: json.JSONDecodeError) -> YamlProblem:
    summary = in_sentence(error.msg)
    return YamlProblem(
        code="CES002", start=At(error.lineno - 1, error.colno - 1), summary=f"not JSON: {summary}"
    )
