"""Translation of the display names in archives to the resource names on the server."""

from collections.abc import Mapping
from typing import Any

from cesplan.emulator.archive.reading import Parsed
from cesplan.emulator.contract import Field, load
from cesplan.emulator.resources.core import Core
from cesplan.emulator.rules.derived_fields import first_function, tool_display_name
from cesplan.emulator.rules.references import NEVER_CHECKED, kinds_by_type, without
from cesplan.emulator.rules.system_tools import SYSTEM_TOOLS
from cesplan.emulator.schema.messages import Body

# Marks a reference without a target until it is removed.
_NOWHERE = "//nowhere/"


def display_name_of(one: Parsed) -> str:
    """Return the display name of a resource. A tool gets it from its type."""
    if one.kind != "tools":
        return one.display_name
    code = first_function(str(one.body.get("pythonFunction", {}).get("pythonCode", "")))
    return tool_display_name(one.body) or (code.name if code else "") or one.display_name


class Linker:
    """Resolves the references of one import."""

    def __init__(self, core: Core, app: str, given: Mapping[str, Parsed]) -> None:
        self._app = app
        self._kinds = kinds_by_type()
        self._names: dict[tuple[str, str], str] = {}
        for kind in load().kinds:
            for row in core.store.children(app, kind):
                self._add(kind, row.display_name, row.name)
        for name, one in given.items():
            self._add(one.kind, display_name_of(one), name)
            self._add(one.kind, str(one.body.get("name", "")).rpartition("/")[2], name)

    def _add(self, kind: str, word: str, name: str) -> None:
        if word:
            self._names[kind, word] = name

    def linked(self, kind: str, body: Body, path: str, warnings: list[str]) -> Body:
        """
        Return a body with resource names instead of display names. Dangling references are dropped with a
        warning.
        """
        message = load().kinds[kind].message
        lost: list[str] = []
        found = self._message(message, body, lost)
        warnings += [f"{path}: there is no '{target}'; the reference is dropped." for target in lost]
        gone = {f"{_NOWHERE}{target}" for target in lost}
        return without(message, found, gone) if gone else found

    def _message(self, message: str, body: Body, lost: list[str]) -> Body:
        specs = load().messages[message]
        return {
            key: self._field(message, specs[key], value, lost) if key in specs else value
            for key, value in body.items()
        }

    def _field(self, message: str, spec: Field, value: Any, lost: list[str]) -> Any:
        if spec.output_only:
            return value
        inner = spec.value or spec.type
        if (message, spec.name) == ("EvaluationPersona", "name") and isinstance(value, str):
            return f"{self._app}/evaluationPersonas/{value.rpartition('/')[2]}"
        if isinstance(value, list):
            return [self._item(message, spec, item, lost) for item in value]
        if spec.is_map and isinstance(value, dict) and inner in load().messages:
            return {key: self._item(message, spec, item, lost) for key, item in value.items()}
        return self._item(message, spec, value, lost)

    def _item(self, message: str, spec: Field, item: Any, lost: list[str]) -> Any:
        inner = spec.value or spec.type
        if inner in load().messages and isinstance(item, dict):
            return self._message(inner, item, lost)
        kind = self._kinds.get(spec.reference)
        if kind is None or not isinstance(item, str):
            return item
        found = self._target(kind, item)
        if found is None and (message, spec.name) not in NEVER_CHECKED:
            lost.append(item)
            return f"{_NOWHERE}{item}"
        return found or item

    def _target(self, kind: str, word: str) -> str | None:
        if kind == "apps":
            return self._app
        if kind == "tools" and word in SYSTEM_TOOLS:
            return f"{self._app}/tools/{word}"
        found = self._names.get((kind, word)) or self._names.get((kind, word.rpartition("/")[2]))
        return found or (word if word.startswith(f"{self._app}/{kind}/") else None)
