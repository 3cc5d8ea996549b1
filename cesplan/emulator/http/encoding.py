"""
Rendering rows: the text of a resource in the requested version and encoding.

Usually, stored JSON texts are joined without parsing. Int enums, partial responses, and the few messages that
differ between versions need parsing.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from cesplan.emulator.contract import Field, Kind, load
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.schema.names import kind_of, parent_of
from cesplan.emulator.storage.store import Row
from cesplan.emulator.switches import Switches

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """
    The requested form of a response: the API version, and whether enums are numbers (`enum-encoding=int`).
    """

    version: str
    int_enums: bool = False


class Answers:
    """Renders rows for callers."""

    def __init__(self, switches: Switches) -> None:
        self._switches = switches

    def resource_text(self, row: Row, form: Form) -> str:
        """Return the JSON text of a resource."""
        kind = load().kinds[row.kind]
        if form.int_enums or (form.version == "v1" and _differs_in_v1(kind.message)):
            return _ENCODE(self.resource(row, form))
        head = _ENCODE(self._transport(row, kind))[:-1]
        return f"{head}}}" if row.text == "{}" else f"{head},{row.text[1:]}"

    def resource(self, row: Row, form: Form) -> Body:
        """Return a resource as a value."""
        kind = load().kinds[row.kind]
        return self.message(kind.message, self.stored(row), form)

    def stored(self, row: Row) -> Body:
        """Return a resource as a value that is independent of version and encoding."""
        return self._transport(row, load().kinds[row.kind]) | row.body

    def message(self, name: str, body: Body, form: Form) -> Body:
        """Return a message with the fields of a version and in the requested enum encoding."""
        if not form.int_enums and not (form.version == "v1" and _differs_in_v1(name)):
            return body
        return self._message(name, body, form)

    def _transport(self, row: Row, kind: Kind) -> Body:
        specs = load().messages[kind.message]
        body = {"name": row.name}
        if row.create_time and "createTime" in specs:
            body["createTime"] = row.create_time
        if row.update_time and "updateTime" in specs:
            body["updateTime"] = row.update_time
        if row.kind == "changelogs":
            body["sequenceNumber"] = str(row.seq)
        if row.etag and "etag" in specs and (row.kind != "deployments" or self._switches.deployment_etags):
            body["etag"] = row.etag
        return body

    def _message(self, name: str, body: Body, form: Form) -> Body:
        specs = load().messages.get(name)
        if specs is None:
            return body
        out: Body = {}
        for key, value in body.items():
            spec = specs.get(key)
            if spec is None:
                out[key] = value
            elif not spec.only_in or spec.only_in == form.version:
                out[self._spelled(name, key, form)] = self._value(spec, value, form)
        return out

    def _spelled(self, message: str, key: str, form: Form) -> str:
        if (message, key, form.version) == ("AgentTool", "agent", "v1"):
            return self._switches.v1_agent_tool_field
        return key

    def _value(self, spec: Field, value: Any, form: Form) -> Any:
        inner = spec.value or spec.type
        if spec.is_map:
            return {key: self._item(inner, item, form) for key, item in value.items()}
        if spec.repeated:
            return [self._item(inner, item, form) for item in value]
        return self._item(inner, value, form)

    def _item(self, inner: str, item: Any, form: Form) -> Any:
        enum: Mapping[str, int] | None = load().enums.get(inner)
        if enum is not None:
            return enum.get(item, item) if form.int_enums else item
        return self._message(inner, item, form) if inner in load().messages else item


def row_of(name: str, body: Body, *, etag: str = "", created: str = "", updated: str = "") -> Row:
    """Return the row of a resource; its parent, kind, and display name follow from the name and the body."""
    return Row(
        name=name,
        parent=parent_of(name),
        kind=kind_of(name),
        display_name=body.get("displayName", ""),
        etag=etag,
        create_time=created,
        update_time=updated,
        text=encode(body),
    )


def encode(value: Any) -> str:
    """Return JSON text."""
    return _ENCODE(value)


@cache
def _differs_in_v1(message: str) -> bool:
    """Say whether a message has, at any depth, a field that only one version has."""
    seen: set[str] = set()
    pending = [message]
    while pending:
        name = pending.pop()
        if name in seen or name not in load().messages:
            continue
        seen.add(name)
        specs = load().messages[name].values()
        if any(spec.only_in for spec in specs):
            return True
        pending += [spec.value or spec.type for spec in specs]
    return False
