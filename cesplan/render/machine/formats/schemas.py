"""The JSON Schemas of the shapes, of which `schemas/reports` and `docs/reports.md` are made."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from cesplan.model.editor_schemas.files import DIALECT
from cesplan.render.machine.formats.base import Document
from cesplan.render.machine.formats.events import EVENTS


class _Schema(GenerateJsonSchema):
    """Without a title on each member: it would only repeat the name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def document_schema(model: type[Document]) -> dict[str, Any]:
    """The schema of a whole output."""
    return {"$schema": DIALECT, **model.model_json_schema(schema_generator=_Schema)}


def events_schema() -> dict[str, Any]:
    """The schema of one line of JSON Lines. A type that is not known may have any members."""
    models = dict.fromkeys(shape for shapes in EVENTS.values() for shape in shapes)
    refs, found = models_json_schema([(model, "validation") for model in models], schema_generator=_Schema)
    return {
        "$schema": DIALECT,
        "title": "Event",
        "description": "One line of `--format jsonl`.",
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string", "examples": [*EVENTS]}},
        "allOf": [
            {
                "if": {"properties": {"type": {"const": type_}}},
                "then": {"anyOf": [refs[shape, "validation"] for shape in shapes]},
            }
            for type_, shapes in EVENTS.items()
        ],
        "$defs": found["$defs"],
    }
