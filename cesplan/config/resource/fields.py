"""
Fields of a message in a file: whether they are allowed, whether they can be combined, and which are missing.
"""

from collections.abc import Set
from functools import cache

from cesplan.config.resource.values import Context
from cesplan.config.suggestions import Guess
from cesplan.config.yaml.nodes import Mapping, Node, Scalar
from cesplan.model.marks import Deprecated, Etag, FilledFromPlace, Identifier, Mark, OutputOnly, Required
from cesplan.model.spec import FieldSpec, MessageSpec, message_spec

_NOT_FOR_FILES: dict[type[Mark], tuple[str, str]] = {
    Identifier: (
        "`{0}` cannot be set in files",
        "The name of the file identifies the resource. If its id on the server differs, set `$id`.",
    ),
    Etag: (
        "`{0}` cannot be set in files",
        "It identifies one state of the live resource, and cesplan sends it when needed.",
    ),
    OutputOnly: ("`{0}` is set by the service", "It cannot be set in a file. Remove it."),
    FilledFromPlace: ("`{0}` is derived from the location of the file", "Remove it."),
}


def check_field(spec: MessageSpec, field: FieldSpec, node: Mapping, context: Context) -> bool:
    """Whether a field of a message may be in a file. Reports why not, and notices about the field."""
    key = node.entries[field.name][0]
    for mark in field.marks:
        refusal = _NOT_FOR_FILES.get(type(mark))
        if refusal:
            summary, detail = refusal
            context.report_problem("CES016", summary.format(field.name), key, detail=detail)
            return False
        if isinstance(mark, Deprecated):
            instead = f"Use `{mark.instead}`." if mark.instead else "The service still accepts it."
            correction = Guess(
                field.name, mark.instead, sure=_is_renamed(field, spec.fields.get(mark.instead), node)
            )
            context.report_problem(
                "CES019",
                f"`{field.name}` is deprecated",
                key,
                detail=instead,
                correction=correction if correction.sure else None,
            )
    return True


def may_be_in_files(field: FieldSpec) -> bool:
    """Whether there is nothing to say about a field that is in a file."""
    return not any(type(mark) in _NOT_FOR_FILES or isinstance(mark, Deprecated) for mark in field.marks)


def _is_renamed(field: FieldSpec, newer: FieldSpec | None, node: Mapping) -> bool:
    """Whether a newer field takes the same values and is not set yet."""
    if newer is None or newer.name in node.entries:
        return False
    alike = ("scalar", "cardinality", "message_name", "enum")
    return all(getattr(field, name) == getattr(newer, name) for name in alike)


def is_left_out(field: FieldSpec, api_version: str) -> bool:
    """Whether the API version lacks a field."""
    return bool(field.only_in) and field.only_in != api_version


def check_message(
    spec: MessageSpec, node: Mapping, context: Context, *, requires: bool, misspelled: Set[str]
) -> None:
    """
    Report two members of one oneof, and required fields that are missing (if `requires`).

    `misspelled` are fields that are present under a misspelled name.
    """
    if spec.oneofs:
        _check_oneofs(spec, node, context)
    if requires:
        for field, mark in required_fields(spec.name):
            if not _is_set(node, field.name) and field.name not in misspelled:
                _missing(spec, field, mark, node, context)


def _check_oneofs(spec: MessageSpec, node: Mapping, context: Context) -> None:
    for members in spec.oneofs.values():
        present = [name for name in node.entries if name in members and _is_set(node, name)]
        for name in present[1:]:
            context.report_problem(
                "CES015",
                f"`{name}` and `{present[0]}` cannot both be set",
                node.entries[name][0],
                detail=f"At most one of {', '.join(members)} can be set. Keep one of them.",
            )


def _is_set(node: Mapping, name: str) -> bool:
    value = node.get(name)
    return value is not None and not (isinstance(value, Scalar) and value.value is None)


@cache
def required_fields(message: str) -> tuple[tuple[FieldSpec, Required], ...]:
    """The fields that a message should have, with their marks."""
    found = ((field, field.mark(Required)) for field in message_spec(message).fields.values())
    return tuple((field, mark) for field, mark in found if mark is not None and field.is_compared)


def _missing(spec: MessageSpec, field: FieldSpec, mark: Required, node: Mapping, context: Context) -> None:
    code, detail = (
        ("CES018", f"{spec.name} requires this field.")
        if mark.refused
        else (
            "CES020",
            f"The API documents it as required in {spec.name}, although live apps exist without it.",
        )
    )
    if field.name in node.entries:
        key: Node = node.entries[field.name][0]
        context.report_problem(code, f"`{field.name}` is cleared by `null`", key, detail=detail)
        return
    first: Node = next((key for key, _ in node.entries.values()), node)
    context.report_problem(code, f"`{field.name}` is missing", first, detail=detail)
