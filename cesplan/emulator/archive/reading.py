"""
From an archive to parsed resources: texts and the environment's values are inserted, and fields that the
service does not know are left out.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cesplan.emulator.archive import layout
from cesplan.emulator.contract import Field, load
from cesplan.emulator.documents import load_document
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.schema.messages import Body, Checker, spec_of

_FORMATS = ("yaml", "json")  # if both exist, YAML is used
# The only type with null as a value; elsewhere null means absent (ProtoJSON).
_NULLABLE = "google.protobuf.Value"
# More than three for each of 20,000 resources. Reading a directory of millions takes a minute.
_MOST_FILES = 100_000
_PATH_ENDS = (".txt", ".py", ".yaml", ".yml", ".json", ".md")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """
    One resource of an archive: its kind, its file, its body, and its fault. `dropped` are the paths of fields
    that the service does not know, which are not in the body.
    """

    kind: str
    path: str
    body: Body
    fault: str = ""
    dropped: tuple[str, ...] = ()

    @property
    def display_name(self) -> str:
        return str(self.body.get("displayName", ""))


def read_archive(data: bytes, checker: Checker, version: str, limit: int) -> tuple[Parsed, list[Parsed]]:
    """
    Return the app in an archive and its other resources, for a version of the API.

    Raise Refused for an invalid archive, and for one whose files have more than `limit` bytes.
    """
    files = _files(data, limit)
    environment = _environment(files)
    reader = _Reader(checker, version, files, environment)
    app = reader.parsed("apps", "app")
    if app is None:
        raise invalid("appContent", "the archive has neither app.yaml nor app.json")
    if app.fault:
        raise invalid("appContent", f"{app.path}: {app.fault}")
    return app, [found for kind in layout.FOLDERS for found in reader.folder(kind)]


def _files(data: bytes, limit: int) -> dict[str, str]:
    """
    Return the texts of a ZIP by path below its root folder.

    A file that is not a text (a compiled module, an image) is skipped, and so is one that cannot be unpacked.
    This is an error only if a resource needs it.
    """
    texts: dict[str, str] = {}
    left = limit
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) > _MOST_FILES:
                raise invalid("appContent", f"the archive has more than {_MOST_FILES} files")
            for info in archive.infolist():
                if info.is_dir() or not _is_readable(info):
                    continue
                raw = _unpacked(archive, info, left)
                # A damaged file counts with the size that it claims to have.
                left -= min(info.file_size, left + 1) if raw is None else len(raw)
                if left < 0:
                    raise invalid("appContent", f"the files of the archive have more than {limit} bytes")
                text = _text(raw)
                if text is not None:
                    texts[info.filename] = text
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise invalid("appContent", f"this is not a ZIP: {error}") from error
    roots = sorted(
        (name.rpartition("app.")[0] for name in texts if name.rpartition("/")[2] in ("app.json", "app.yaml")),
        key=len,
    )
    root = roots[0] if roots else ""
    return {name[len(root) :]: text for name, text in texts.items() if name.startswith(root)}


def _is_readable(info: zipfile.ZipInfo) -> bool:
    """
    Say whether a file is stored or deflated, and not encrypted. With other methods, zipfile unpacks whole
    blocks of any size at once.
    """
    return info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not info.flag_bits & 1


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, left: int) -> bytes | None:
    """
    Return the bytes of a file, at most one more than `left`; None for a damaged file.

    The size in the directory is only the archive's claim. zipfile reads no further, but there may be less.
    """
    try:
        with archive.open(info) as file:
            return file.read(left + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError):
        return None


def _text(raw: bytes | None) -> str | None:
    try:
        return None if raw is None else raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _environment(files: dict[str, str]) -> Body:
    text = files.get(layout.ENVIRONMENT)
    found = load_document(text) if text else {}
    if not isinstance(found, dict):
        raise invalid(layout.ENVIRONMENT, "expected an object")
    return found


class _Reader:
    def __init__(self, checker: Checker, version: str, files: dict[str, str], environment: Body) -> None:
        self._checker = checker
        self._version = version
        self._dropped: list[str] = []
        self._folders = _folders(files)
        self._files = files
        self._environment = environment

    def folder(self, kind: str) -> Iterator[Parsed]:
        """Yield the resources of a kind, in the order of their folders."""
        for name in sorted(self._folders.get(kind, ())):
            found = self.parsed(kind, f"{kind}/{name}/{name}")
            if found is not None:
                yield found

    def parsed(self, kind: str, stem: str) -> Parsed | None:
        """Return the resource in a file, None if there is no such file."""
        path = next((f"{stem}.{end}" for end in _FORMATS if f"{stem}.{end}" in self._files), None)
        if path is None:
            return None
        body: Any = {}
        self._dropped = []
        try:
            body = load_document(self._files[path])
            if not isinstance(body, dict):
                raise invalid("document", "expected an object")
            environment = self._environment_of(kind, body)
            inlined = self._message(load().kinds[kind].message, body, environment, "")
        except Refused as refused:
            kept = body if isinstance(body, dict) else {}
            return Parsed(kind=kind, path=path, body=kept, fault=refused.message)
        return Parsed(kind=kind, path=path, body=inlined, dropped=tuple(self._dropped))

    def _environment_of(self, kind: str, body: Body) -> Body:
        """Return the values of one resource, by display name; for the app also without it."""
        words = ("app", "apps") if kind == "apps" else (kind,)
        by_name: Any = next((self._environment[word] for word in words if word in self._environment), {})
        if not isinstance(by_name, dict):
            return {}
        found = by_name.get(str(body.get("displayName", "")), by_name if kind == "apps" else {})
        return _nested(found) if isinstance(found, dict) else {}

    def _message(self, message: str, body: Body, environment: Any, place: str) -> Body:
        """Return a message with JSON names. Raise Refused for a field that is set under two names."""
        environment = environment if isinstance(environment, dict) else {}
        out: Body = {}
        for key, value in body.items():
            where = f"{place}.{key}" if place else key
            spec = spec_of(message, key, self._version, proto_names=self._checker.proto_names)
            if key.startswith("_comment") or (value is None and spec and spec.type != _NULLABLE):
                continue
            if spec is None and (message, key) in self._checker.learned:
                out[key] = value
            elif spec is None:
                self._dropped.append(where)
            elif spec.name in out:
                raise invalid(where, "the field is set twice, under two names")
            else:
                out[spec.name] = self._field(message, spec, value, environment, where)
        return out

    def _field(self, message: str, spec: Field, value: Any, environment: Body, where: str) -> Any:
        mine = environment.get(spec.name)
        inner = spec.value or spec.type
        if layout.file_name(message, spec.name) and isinstance(value, str):
            text = self._text(value)
            return text.replace(layout.PLACEHOLDER, str(environment["url"])) if "url" in environment else text
        if value == layout.PLACEHOLDER or value == [layout.PLACEHOLDER]:
            if mine is None:
                raise invalid(spec.name, f"{layout.ENVIRONMENT} has no value for it")
            return mine
        if inner not in load().messages:
            return value
        if spec.is_map and isinstance(value, dict):
            return {
                key: self._message(inner, item, {}, f"{where}[{key}]")
                for key, item in value.items()
                if isinstance(item, dict)
            }
        if isinstance(value, list):
            several = mine if isinstance(mine, list) else []
            pairs = zip(value, [*several, *[{}] * len(value)], strict=False)
            return [
                self._message(inner, item, one, f"{where}[{index}]") if isinstance(item, dict) else item
                for index, (item, one) in enumerate(pairs)
            ]
        return self._message(inner, value, mine, where) if isinstance(value, dict) else value

    def _text(self, value: str) -> str:
        """Return the text of a file, or the value itself if it is clearly not a path."""
        if value in self._files:
            return self._files[value]
        if value.endswith(_PATH_ENDS) and not any(c.isspace() for c in value):
            raise invalid("document", f"the archive has no text file '{value}'")
        return value


def _folders(files: dict[str, str]) -> dict[str, set[str]]:
    """Return the folders of each kind."""
    found: dict[str, set[str]] = {}
    for path in files:
        kind, _, rest = path.partition("/")
        name, below, _ = rest.partition("/")
        if below:
            found.setdefault(kind, set()).add(name)
    return found


def _nested(found: Body) -> Body:
    """Return values given by dotted paths (`a.b`) as nested objects."""
    out: Body = {}
    for path, value in found.items():
        here = out
        *above, last = path.split(".")
        for part in above:
            here = here.setdefault(part, {})
            if not isinstance(here, dict):
                raise invalid(layout.ENVIRONMENT, f"'{path}' is below a value that is not an object")
        here[last] = value
    return out
