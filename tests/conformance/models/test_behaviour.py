"""
The marks of the models say what the API's field behaviors say.

Google's client drops the annotations of the protos, so the judge is the emulator's contract, which is taken
mechanically from the public descriptions. Where we differ, a reason is here, and is checked for need.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cesplan
from cesplan.model.kinds import KINDS
from cesplan.model.marks import Etag, Identifier, InputOnly, OutputOnly, Required
from cesplan.model.spec import FieldSpec, message_names, message_spec

CONTRACT = Path(cesplan.__file__).parent / "emulator" / "contract.json"
"""Read as data; per field `t` is its type and `f` its flags: q required, x output, i input, n identifier."""

EXCEPTIONS = {
    "InstagramCredentials.conversationProfileId: q only here": "required in the protos, optional in discovery",
    "WhatsAppCredentials.conversationProfileId: q only here": "required in the protos, optional in discovery",
}
SPELLED_APART = {"DataStoreTool.SnippetsConfig": "DataStoreToolSnippetsConfig"}
"""Messages that discovery alone has, and for which it has no dots."""

UNANNOTATED = {
    "LanguageSettings.fallbackAction: ours tools": "a tool or a word, by its comment",
    "PersonaRunConfig.persona: ours evaluationPersonas": "a persona of the app, by its comment",
    "WidgetTool.DataMapping.sourceToolName: ours tools": "a tool, by its comment",
    "RunEvaluationRequest.app: theirs apps": "filled from the place of the file, so files hold no reference",
}


def test_marks_and_behaviours_agree() -> None:
    """Required, output-only, input-only and identifier fields are the same, and every exception is needed."""
    contract = json.loads(CONTRACT.read_text(encoding="utf-8"))["messages"]
    found = {line for name in message_names() for line in _differences(name, contract.get(name, {}))}
    assert sorted(found) == sorted(EXCEPTIONS)


def test_every_field_and_value_of_the_contract_is_modelled() -> None:
    """A field, or a value of an enum, that a newer description brings is missing here until it is modelled."""
    contract = json.loads(CONTRACT.read_text(encoding="utf-8"))
    found = {line for name in message_names() for line in _missing(name, contract)}
    assert sorted(found) == []


def _missing(message: str, contract: dict[str, Any]) -> Iterator[str]:
    spec = message_spec(message)
    theirs = contract["messages"][SPELLED_APART.get(message, message)]
    for name, there in theirs.items():
        field = spec.fields.get(spec.renamed.get(name, name))
        if field is None:
            yield f"{message}.{name}"
        elif field.enum and not field.is_output:
            values = contract["enums"][there["v"] if there["t"] == "map" else there["t"]]
            ours = dict(zip(field.enum, field.numbers, strict=True))
            yield from (f"{message}.{name}: {value}" for value in values if ours.get(value) != values[value])


def test_references_lead_where_the_annotations_lead() -> None:
    """A field names the kind that the descriptions annotate; what only comments say is listed."""
    contract = json.loads(CONTRACT.read_text(encoding="utf-8"))["messages"]
    found = {line for name in message_names() for line in _other_targets(name, contract.get(name, {}))}
    assert sorted(found) == sorted(UNANNOTATED)


def _other_targets(message: str, theirs: dict[str, Any]) -> Iterator[str]:
    kinds = {f"ces.googleapis.com/{kind.class_name}": kind.name for kind in KINDS.values()}
    for field in message_spec(message).settable:
        there = kinds.get(theirs.get(field.name, {}).get("ref", ""), "")
        ours = ",".join(field.reference.kinds) if field.reference else ""
        if ours != there:
            yield f"{message}.{field.name}: " + (f"ours {ours}" if ours else f"theirs {there}")


def _differences(message: str, theirs: dict[str, Any]) -> Iterator[str]:
    for field in message_spec(message).fields.values():
        flags = theirs.get(field.name, {}).get("f", "")
        for flag, ours in _flags(field).items():
            if ours != (flag in flags):
                yield f"{message}.{field.name}: {flag} {'only here' if ours else 'only there'}"


def _flags(field: FieldSpec) -> dict[str, bool]:
    if field.mark(Etag):
        return {}  # output-only on some kinds, nothing on others; always transport for us
    marks = {"q": Required, "x": OutputOnly, "i": InputOnly, "n": Identifier}
    return {flag: field.mark(kind) is not None for flag, kind in marks.items()}
