"""From an archive to parsed resources: texts put in place, the environment's values filled in."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cesplan.emulator.archive import layout
from cesplan.emulator.contract import Contract, Field
from cesplan.emulator.documents import load_document
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.messages import Body

_FORMATS = ("yaml", "json")  # where both are there, YAML wins
# The one type of which null is a value; elsewhere null is the same as nothing (ProtoJSON).
_NULLABLE = "google.protobuf.Value"
_PATH_ENDS = (".txt", ".py", ".yaml", ".yml", ".json", ".md")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """One resource of an archive: its kind, its own file, its body; what is wrong with it."""

    kind: str
    path: str
    body: Body
    fault: str = ""

    @property
    def display_name(self) -> str:
        return str(self.body.get("displayName", ""))


def read_archive(data: bytes, contract: Contract) -> tuple[Parsed, list[Parsed]]:
    """Return the app of an archive and its other resources. Raise Refused for what is no archive."""
    files = _files(data)
    environment = _environment(files)
    reader = _Reader(contract, files, environment)
    app = reader.parsed("apps", "app")
    if app is None:
        raise invalid("appContent", "the archive has neither app.yaml nor app.json")
    if app.fault:
        raise invalid("appContent", f"{app.path}: {app.fault}")
    return app, [found for kind in layout.FOLDERS for found in reader.folder(kind)]


def _files(data: bytes) -> dict[str, str]:
    """Return the texts of a ZIP by path below its root folder."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            texts = {name: archive.read(name).decode("utf-8") for name in names}
    except (zipfile.BadZipFile, UnicodeDecodeError, OSError, RuntimeError) as error:
        raise invalid("appContent", f"this is not a ZIP of text files: {error}") from error
    roots = sorted(
        (name.rpartition("app.")[0] for name in names if name.rpartition("/")[2] in ("app.json", "app.yaml")),
        key=len,
    )
    root = roots[0] if roots else ""
    return {name[len(root) :]: text for name, text in texts.items() if name.startswith(root)}


def _environment(files: dict[str, str]) -> Body:
    text = files.get(layout.ENVIRONMENT)
    found = load_document(text) if text else {}
    if not isinstance(found, dict):
        raise invalid(layout.ENVIRONMENT, "expected an object")
    return found


class _Reader:
    def __init__(self, contract: Contract, files: dict[str, str], environment: Body) -> None:
        self._contract = contract
        self._files = files
        self._environment = environment

    def folder(self, kind: str) -> Iterator[Parsed]:
        """Yield the resources of a kind, in the order of their folders."""
        prefix = f"{kind}/"
        names = {path[len(prefix) :].split("/")[0] for path in self._files if path.startswith(prefix)}
        for name in sorted(names):
            found = self.parsed(kind, f"{prefix}{name}/{name}")
            if found is not None:
                yield found

    def parsed(self, kind: str, stem: str) -> Parsed | None:
        """Return the resource in a file, None where there is no such file."""
        path = next((f"{stem}.{end}" for end in _FORMATS if f"{stem}.{end}" in self._files), None)
        if path is None:
            return None
        body: Any = {}
        try:
            body = load_document(self._files[path])
            if not isinstance(body, dict):
                raise invalid("document", "expected an object")
            environment = self._environment_of(kind, body)
            inlined = self._message(self._contract.kinds[kind].message, body, environment)
        except Refused as refused:
            kept = body if isinstance(body, dict) else {}
            return Parsed(kind=kind, path=path, body=kept, fault=refused.message)
        return Parsed(kind=kind, path=path, body=inlined)

    def _environment_of(self, kind: str, body: Body) -> Body:
        """Return the values of one resource: by display name, for the app also without it."""
        words = ("app", "apps") if kind == "apps" else (kind,)
        by_name: Any = next((self._environment[word] for word in words if word in self._environment), {})
        if not isinstance(by_name, dict):
            return {}
        found = by_name.get(str(body.get("displayName", "")), by_name if kind == "apps" else {})
        return _nested(found) if isinstance(found, dict) else {}

    def _message(self, message: str, body: Body, environment: Any) -> Body:
        specs = self._contract.messages[message]
        environment = environment if isinstance(environment, dict) else {}
        out: Body = {}
        for key, value in body.items():
            spec = specs.get(key)
            if key.startswith("_comment") or (value is None and spec and spec.type != _NULLABLE):
                continue
            if spec is None:
                out[key] = value
            else:
                out[key] = self._field(message, spec, value, environment)
        return out

    def _field(self, message: str, spec: Field, value: Any, environment: Body) -> Any:
        mine = environment.get(spec.name)
        inner = spec.value or spec.type
        if layout.file_name(message, spec.name) and isinstance(value, str):
            text = self._text(value)
            return text.replace(layout.PLACEHOLDER, str(environment["url"])) if "url" in environment else text
        if value == layout.PLACEHOLDER or value == [layout.PLACEHOLDER]:
            if mine is None:
                raise invalid(spec.name, f"{layout.ENVIRONMENT} has no value for it")
            return mine
        if inner not in self._contract.messages:
            return value
        if spec.is_map and isinstance(value, dict):
            return {
                key: self._message(inner, item, {}) for key, item in value.items() if isinstance(item, dict)
            }
        if isinstance(value, list):
            several = mine if isinstance(mine, list) else []
            padded = [*several, *[{}] * len(value)]
            pairs = zip(value, padded, strict=False)
            return [self._message(inner, item, one) if isinstance(item, dict) else item for item, one in pairs]
        return self._message(inner, value, mine) if isinstance(value, dict) else value

    def _text(self, value: str) -> str:
        """Return the text of a file, or the value itself where it is plainly no path."""
        if value in self._files:
            return self._files[value]
        if value.endswith(_PATH_ENDS) and not any(c.isspace() for c in value):
            raise invalid("document", f"the archive has no file '{value}'")
        return value


def _nested(found: Body) -> Body:
    """Return values given by dotted paths (`a.b`) as nested objects."""
    out: Body = {}
    for path, value in found.items():
        here = out
        *above, last = path.split(".")
        for part in above:
            here = here.setdefault(part, {})
            if not isinstance(here, dict):
                raise invalid(layout.ENVIRONMENT, f"'{path}' goes below a value")
        here[last] = value
    return out
