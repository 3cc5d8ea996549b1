"""`:exportApp`: the draft or a version as a ZIP."""

import base64
import io
import re
import zipfile
from dataclasses import dataclass, field
from typing import Any

from cesplan.emulator.archive import layout
from cesplan.emulator.archive.texts import dump_json
from cesplan.emulator.contract import Field, load
from cesplan.emulator.documents import dump_yaml, load_document
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.http.calls import Call
from cesplan.emulator.openapi.operations import one_underscore
from cesplan.emulator.resources.core import Methods
from cesplan.emulator.rules.references import kinds_by_type
from cesplan.emulator.schema.messages import Body, without_transport
from cesplan.emulator.storage import objects

# Output-only fields that appear in exports anyway: by name, or in one message.
_LEAKED = frozenset({"displayName", "invalid"})
_LEAKED_IN = frozenset({("PythonFunction", "description")})
_SORTED_SINCE = "2026-08"
_NAMED_SINCE = "2026-01"
# The same time for all files, so that equal apps give equal archives.
_MOMENT = (1980, 1, 1, 0, 0, 0)


class Exporting(Methods):
    """Writes archives."""

    def export(self, call: Call) -> str:
        """Export an app, or one of its versions."""
        app = self._core.lookup.resource(call.target.name)
        request = self._core.request_body(call)
        version = request.get("appVersion", "")
        whole = self._version(version, app.name) if version else self._draft(app.name, call)
        files = self.files(whole, yaml=request["exportFormat"] == "YAML", version=call.target.version)
        data = zipped(layout.stem(whole["app"].get("displayName", "")), files)
        if "gcsUri" not in request:
            return self._core.operations.started(call, {"appContent": base64.b64encode(data).decode()})
        objects.write(self._core.store, request["gcsUri"], data)
        return self._core.operations.started(call, {"appUri": request["gcsUri"]})

    def _draft(self, app: str, call: Call) -> Body:
        kinds = [k for k in layout.FOLDERS if call.target.version in load().kinds[k].versions]
        stored = self._core.answers.stored
        whole: Body = {"app": stored(self._core.lookup.resource(app))}
        for kind in kinds:
            whole[kind] = [stored(row) for row in self._core.store.children(app, kind)]
        return whole

    def _version(self, name: str, app: str) -> Body:
        row = self._core.lookup.resource(name)
        if (row.kind, row.parent) != ("versions", app):
            raise invalid("appVersion", f"'{name}' is not a version of the app")
        found: Body = row.body["snapshot"]
        return found

    def files(self, whole: Body, *, yaml: bool, version: str) -> dict[str, str]:
        """Return the texts of an archive by path, without the root folder."""
        names = {
            item["name"]: item.get("displayName", "") for kind in layout.FOLDERS for item in whole.get(kind, [])
        }
        writer = _Writer(names, self._core.switches.as_of, version)
        suffix = "yaml" if yaml else "json"
        dump = dump_yaml if yaml else dump_json
        app = _without_empty_settings(whole)
        writer.files[f"app.{suffix}"] = dump(writer.resource("App", app, "apps", ""))
        for kind in layout.FOLDERS:
            items = whole.get(kind, [])
            for item, stem in zip(items, layout.stems(i.get("displayName", "") for i in items), strict=True):
                folder = f"{kind}/{stem}"
                body = writer.resource(load().kinds[kind].message, item, kind, f"{folder}/")
                writer.files[f"{folder}/{stem}.{suffix}"] = dump(body)
        if writer.environment:
            writer.files[layout.ENVIRONMENT] = dump_json(writer.environment)
        return writer.files


def zipped(root: str, files: dict[str, str]) -> bytes:
    """Return a ZIP of the files in one root folder."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"{root}/{path}", _MOMENT), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


@dataclass(slots=True)
class _Writer:
    """Converts resources to files and an environment."""

    display_names: dict[str, str]
    as_of: str
    version: str
    files: dict[str, str] = field(default_factory=dict)
    environment: Body = field(default_factory=dict)

    def resource(self, message: str, body: Body, kind: str, folder: str) -> Body:
        environment: Body = {}
        shown = self._message(message, without_transport(body), folder, environment)
        if environment and kind == "apps":
            self.environment["app"] = environment
        elif environment:
            self.environment.setdefault(kind, {})[body.get("displayName", "")] = environment
        name = {"name": body["name"].rpartition("/")[2]} if self.as_of >= _NAMED_SINCE else {}
        return name | shown

    def _message(self, message: str, body: Body, folder: str, environment: Body) -> Body:
        shown: Body = {}
        numbered = load().order.get(message) or tuple(load().messages[message])
        place = {name: index for index, name in enumerate(numbered)}
        keys = sorted(body, key=lambda key: place.get(key, len(place)))
        for key in keys:
            value = body[key]
            spec = load().messages[message].get(key)
            if spec is None or (spec.only_in and spec.only_in != self.version):
                continue
            if spec.output_only and key not in _LEAKED and (message, key) not in _LEAKED_IN:
                continue
            shown[key] = self._field(message, spec, value, folder, environment)
        return shown

    def _field(self, message: str, spec: Field, value: Any, folder: str, environment: Body) -> Any:
        file = layout.file_name(message, spec.name)
        if file and isinstance(value, str):
            return self._filed(f"{folder}{file}", spec, value, environment)
        if layout.is_environment(message, spec.name):
            environment[spec.name] = value
            return [layout.PLACEHOLDER] * len(value) if spec.repeated else layout.PLACEHOLDER
        if spec.reference in kinds_by_type():
            return self._referred(message, spec, value)
        if (message, spec.name) == ("EvaluationPersona", "name"):
            return value.rpartition("/")[2]
        if spec.name == "toolIds":
            return [one_underscore(item) for item in value]
        inner = spec.value or spec.type
        if inner not in load().messages:
            return value
        return self._inner(inner, spec, value, folder, environment)

    def _inner(self, inner: str, spec: Field, value: Any, folder: str, environment: Body) -> Any:
        """
        Convert the contents of a message, or of a list or map of messages, and do the same for the environment.
        """
        place = f"{folder}{layout.snake(spec.name)}/"
        if spec.is_map:
            return {key: self._message(inner, item, f"{place}{key}/", {}) for key, item in value.items()}
        if not spec.repeated:
            below: Body = {}
            shown = self._message(inner, value, place, below)
            environment |= {spec.name: below} if below else {}
            return shown
        belows: list[Body] = [{} for _ in value]
        same = layout.snake(spec.name)
        items = [
            self._message(inner, item, f"{place}{same}_{n:02}/", below)
            for n, (item, below) in enumerate(zip(value, belows, strict=True), start=1)
        ]
        environment |= {spec.name: belows} if any(belows) else {}
        return sorted(items, key=lambda i: i.get("name", "")) if spec.name == "variableDeclarations" else items

    def _filed(self, path: str, spec: Field, text: str, environment: Body) -> str:
        if spec.name == "openApiSchema":
            text, url = _without_server(text)
            environment |= {"url": url} if url else {}
        self.files[path] = text
        return path

    def _referred(self, message: str, spec: Field, value: Any) -> Any:
        if not spec.repeated:
            return self._display_name(value)
        names = [self._display_name(item) for item in value]
        is_set = (message, spec.name) in {("Agent", "tools"), ("Agent", "childAgents")}
        return sorted(names) if is_set and self.as_of >= _SORTED_SINCE else names

    def _display_name(self, name: str) -> str:
        return self.display_names.get(name) or name.rpartition("/")[2]


def _without_empty_settings(whole: Body) -> Body:
    """Return the app without empty data-store settings, unless one of its tools has a data store."""
    app: Body = dict(whole["app"])
    if not app.get("dataStoreSettings") and not any("dataStoreTool" in tool for tool in whole.get("tools", [])):
        app.pop("dataStoreSettings", None)
    return app


def _without_server(text: str) -> tuple[str, str]:
    """Return an OpenAPI document with a placeholder for its only server, and the URL of that server."""
    try:
        document = load_document(text)
    except Refused:
        return text, ""
    servers = document.get("servers", []) if isinstance(document, dict) else []
    url = servers[0].get("url", "") if len(servers) == 1 and isinstance(servers[0], dict) else ""
    if not url:
        return text, ""
    place = re.compile(rf"(url['\"]?:\s*)(['\"]?){re.escape(url)}\2")
    return place.sub(lambda found: f"{found[1]}{found[2]}{layout.PLACEHOLDER}{found[2]}", text, count=1), url
