"""
JSON Schema (2020-12) of the files of a tree, so that editors complete, explain, and check them.

There is one schema per kind, one for an environment's overlay on a file of that kind, and one each for patches
and `cesplan.yaml`. They describe files, not the wire: they have no transport fields and no output-only fields,
and they accept directives, `{$file}`, `{$var}`, and `{$ref}` in place of values, and null, which clears a
field, everywhere. With declared ownership they still require the required fields inside messages, which is
stricter than `validate`.
"""

import json
from collections.abc import Iterable

from cesplan.model.derive import all_enums, all_models
from cesplan.model.editor_schemas.directives import EXCLUDE, VALUE_DIRECTIVES, root_directives
from cesplan.model.editor_schemas.documentation import documentation_of
from cesplan.model.editor_schemas.patches import patch_schema
from cesplan.model.editor_schemas.project import project_schema
from cesplan.model.editor_schemas.values import SHARED, JsonSchema, value_schema
from cesplan.model.kinds import KINDS, Kind
from cesplan.model.marks import Deprecated, FilledFromPlace, Required
from cesplan.model.spec import FieldSpec, MessageSpec, message_spec, messages_inside

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, JsonSchema]:
    """
    All schemas by the paths of their files: `agents.schema.json`, …, `cesplan.schema.json`,
    `patch.schema.json`, and those of overlay files in `environments/`.
    """
    found = {
        "cesplan.schema.json": {"$schema": DIALECT, **project_schema()},
        "patch.schema.json": {"$schema": DIALECT, **patch_schema()},
    }
    for kind in KINDS.values():
        found[f"{kind.name}.schema.json"] = _kind_schema(kind)
        found[f"environments/{kind.name}.schema.json"] = _partial(_kind_schema(kind))
    return dict(sorted(found.items()))


def schema_text(schema: JsonSchema) -> str:
    """A schema as written to its file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _kind_schema(kind: Kind) -> JsonSchema:
    reached = [message_spec(name) for name in messages_inside(kind.spec.name, _in_files)]
    enums = sorted({field.enum_name for spec in reached for field in _in_files(spec) if field.enum_name})
    root = _message_schema(kind.spec)
    required = root.pop("required", [])
    return {
        "$schema": DIALECT,
        "title": kind.class_name,
        **root,
        "properties": {**root["properties"], **root_directives(kind)},
        **_required_unless_declared(required),
        "$defs": {
            **VALUE_DIRECTIVES,
            **SHARED,
            **{spec.name: _inner(_message_schema(spec)) for spec in reached if spec is not kind.spec},
            **{name: _enum_schema(name) for name in enums},
        },
    }


def _partial(schema: JsonSchema) -> JsonSchema:
    """
    The schema of an overlay file, in which nothing is required because the base file has it.

    The overlay may instead say that the environment does not have the resource.
    """
    whole = {name: item for name, item in schema.items() if name not in ("if", "else")}
    messages = {
        name: {key: value for key, value in item.items() if key != "required" or "properties" not in item}
        for name, item in schema["$defs"].items()
        if name not in VALUE_DIRECTIVES
    }
    return {
        **whole,
        "title": f"{schema['title']} in one environment",
        "properties": {**schema["properties"], **EXCLUDE},
        "$defs": {**schema["$defs"], **messages},
    }


def _required_unless_declared(required: list[str]) -> JsonSchema:
    """With declared ownership nothing is required: absent fields are not managed."""
    if not required:
        return {}
    declared = {"required": ["$ownership"], "properties": {"$ownership": {"const": "declared"}}}
    return {"if": declared, "else": {"required": required}}


def _message_schema(spec: MessageSpec) -> JsonSchema:
    documentation = documentation_of(all_models()[spec.name])
    fields = _in_files(spec)
    schema: JsonSchema = {
        "description": documentation.summary,
        "type": "object",
        "additionalProperties": False,
        "properties": {field.name: _field_schema(field, documentation.members) for field in fields},
    }
    required = [field.name for field in fields if (mark := field.mark(Required)) and mark.refused]
    if required:
        schema["required"] = required
    choices = [_at_most_one(members) for members in spec.oneofs.values() if len(members) > 1]
    return {**schema, **(choices[0] if len(choices) == 1 else {"allOf": choices} if choices else {})}


def _field_schema(field: FieldSpec, docs: dict[str, str]) -> JsonSchema:
    deprecated = field.mark(Deprecated)
    notes = [docs[field.name]]
    if deprecated:
        notes.append(f"Deprecated: use `{deprecated.instead}`." if deprecated.instead else "Deprecated.")
    if field.only_in:
        notes.append(f"Available only in {field.only_in}.")
    if field.reference and field.reference.pattern:
        notes.append(f"A full resource name: `{field.reference.pattern}`.")
    flags = {"deprecated": True} if deprecated else {}
    return {"description": " ".join(notes), **flags, **value_schema(field)}


def _inner(schema: JsonSchema) -> JsonSchema:
    """
    A schema for `$defs`. Its description becomes a comment, because editors show only one description, and that
    of the field is more specific.
    """
    return {("$comment" if name == "description" else name): value for name, value in schema.items()}


def _enum_schema(name: str) -> JsonSchema:
    """The schema of an enum. `enumDescriptions` is an editor keyword for the meaning of each value."""
    enum = all_enums()[name]
    documentation = documentation_of(enum)
    texts = [documentation.members.get(member.name, "") for member in enum]
    descriptions = {"enumDescriptions": texts} if any(texts) else {}
    return {"$comment": documentation.summary, "enum": [member.value for member in enum], **descriptions}


def _at_most_one(members: Iterable[str]) -> JsonSchema:
    """At most one member of a oneof is set: exactly one of `this one`, for each, and `none of them`."""
    each = [{"required": [member], "properties": {member: {"$ref": "#/$defs/set"}}} for member in members]
    return {"oneOf": [*each, {"not": {"anyOf": each}}]}


def _in_files(spec: MessageSpec) -> list[FieldSpec]:
    return [field for field in spec.settable if not field.mark(FilledFromPlace)]
