"""
The JSON Schema of a field's value: its type, its limits, and what may replace it.

Texts that contain `${name}` are always accepted, because a format applies only to the expanded text.
"""

from typing import Any, TypeAlias

from cesplan.model.marks import (
    CONTEXT_VARIABLE,
    AtMost,
    Choices,
    Form,
    OwnName,
    Secrecy,
    Within,
)
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec

JsonSchema: TypeAlias = dict[str, Any]

_NULL: JsonSchema = {"type": "null"}
_VARIABLE: JsonSchema = {"$ref": "#/$defs/variable"}
_FILE: JsonSchema = {"$ref": "#/$defs/file"}
_REFERENCE: JsonSchema = {"$ref": "#/$defs/reference"}
_EXPANDED: JsonSchema = {"$ref": "#/$defs/expanded"}
_TEXTS = (Scalar.STRING, Scalar.BYTES, Scalar.DURATION, Scalar.TIMESTAMP, Scalar.ENUM)

_PLAIN: dict[Scalar, JsonSchema] = {
    Scalar.STRING: {"type": "string"},
    Scalar.BOOL: {"type": "boolean"},
    Scalar.INT32: {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1},
    Scalar.INT64: {"type": ["integer", "string"], "pattern": "^-?[0-9]+$"},
    Scalar.FLOAT: {"type": "number"},
    Scalar.DOUBLE: {"type": "number"},
    Scalar.BYTES: {"type": "string", "contentEncoding": "base64"},
    Scalar.DURATION: {"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,9})?s$"},
    Scalar.TIMESTAMP: {"type": "string", "format": "date-time"},
    Scalar.STRUCT: {"type": "object"},
    Scalar.VALUE: {},
    Scalar.OPAQUE: {},
}


SHARED: dict[str, JsonSchema] = {
    "set": {"not": _NULL},
    "text": {"anyOf": [{"type": "string"}, _VARIABLE, _FILE, _NULL]},
    "key": {"anyOf": [{"type": "string"}, _VARIABLE, _REFERENCE, _NULL]},
    "flag": {"anyOf": [_PLAIN[Scalar.BOOL], _VARIABLE, _NULL]},
    "integer": {"anyOf": [_PLAIN[Scalar.INT32], _VARIABLE, _NULL]},
    "number": {"anyOf": [_PLAIN[Scalar.DOUBLE], _VARIABLE, _NULL]},
}
"""The most common values, for `$defs`, to keep the schemas small and readable."""


def value_schema(field: FieldSpec) -> JsonSchema:
    """The values that a file may have for this field, including null."""
    limit = field.mark(AtMost)
    match field.cardinality:
        case Cardinality.LIST:
            many = {"type": "array", "items": _any_of(_element(field)), **_limited("maxItems", limit)}
            return _any_of([many, _VARIABLE, _NULL])
        case Cardinality.MAP:
            entries = {"type": "object", "additionalProperties": _any_of(_element(field))}
            return _any_of([{**entries, **_limited("maxProperties", limit)}, _VARIABLE, _NULL])
        case Cardinality.ONE:
            return _shared(_any_of([*_element(field), _NULL]))


def _element(field: FieldSpec) -> list[JsonSchema]:
    """The alternatives for one value: the value itself, or a directive in its place."""
    if field.scalar is Scalar.VALUE:
        return [{}]
    if field.scalar is Scalar.MESSAGE:
        return [{"$ref": f"#/$defs/{field.message_name}"}, _VARIABLE]
    if field.secrecy is Secrecy.SECRET:
        return [_VARIABLE, _EXPANDED, {"const": ""}]
    kinds = field.reference.kinds if field.reference else ()
    places = [_VARIABLE, *([_REFERENCE] if kinds else [])]
    if (field.scalar is Scalar.STRING and not kinds) or field.scalar is Scalar.BYTES:
        places.append(_FILE)
    return [*_itself(field), *places]


def _itself(field: FieldSpec) -> list[JsonSchema]:
    """The plain value with its limits. A text with a format may contain variables, and zero unsets a number."""
    schema = {**_plain(field), **_form(field), **_range(field)}
    if field.cardinality is Cardinality.ONE and field.scalar is Scalar.STRING:
        schema |= _limited("maxLength", field.mark(AtMost))
    if field.scalar in _TEXTS and schema.keys() - {"type", "contentEncoding"}:
        return [schema, _EXPANDED]
    if "minimum" in schema and field.zero_is_unset and not schema["minimum"] <= 0 <= schema["maximum"]:
        return [schema, {"const": 0}]
    return [schema]


def _plain(field: FieldSpec) -> JsonSchema:
    if field.scalar is Scalar.ENUM:
        return {"$ref": f"#/$defs/{field.enum_name}"}
    return _PLAIN[field.scalar]


def _form(field: FieldSpec) -> JsonSchema:
    """The documented format of a text. Without presence, an empty text means unset."""
    form, choices = field.mark(Form), field.mark(Choices)
    unset = field.zero_is_unset
    if choices:
        return {"enum": [*choices.values, *([""] if unset else [])]}
    if form:
        return {"pattern": _whole(form.pattern, unset)}
    if field.secrecy is Secrecy.VARIABLE_ONLY:
        return {"pattern": _whole(CONTEXT_VARIABLE, unset)}
    own = field.mark(OwnName)
    return {"pattern": f"^(?:{own.collection}/)?[^@/$]+$"} if own else {}


def _range(field: FieldSpec) -> JsonSchema:
    within = field.mark(Within)
    return {"minimum": within.low, "maximum": within.high} if within else {}


def _whole(pattern: str, unset: bool) -> str:
    return f"^(?:{pattern}{'|' if unset else ''})$"


def _limited(keyword: str, limit: AtMost | None) -> JsonSchema:
    return {keyword: limit.count} if limit else {}


def _shared(schema: JsonSchema) -> JsonSchema:
    name = next((name for name, known in SHARED.items() if known == schema), "")
    return {"$ref": f"#/$defs/{name}"} if name else schema


def _any_of(alternatives: list[JsonSchema]) -> JsonSchema:
    """Combine alternatives into one schema, unwrapped if there is only one, or if one allows everything."""
    if {} in alternatives:
        return {}
    return alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}
