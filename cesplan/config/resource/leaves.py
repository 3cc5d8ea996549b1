"""
Leaves: single values, checked against the type and the marks of their field.

Every function returns the value for the body, or None after it has reported an invalid value.
"""

from typing import Any

from cesplan.config.resource.references import Dangling
from cesplan.config.resource.scalars import Misfit, fit
from cesplan.config.resource.values import Context
from cesplan.config.suggestions import guess
from cesplan.config.yaml.nodes import Scalar, kind_of
from cesplan.domain.address import FORBIDDEN_IN_KEYS
from cesplan.domain.value import Secret
from cesplan.model.marks import CONTEXT_PREFIX, OwnName, Reference, Secrecy
from cesplan.model.scalars import Scalar as ScalarType
from cesplan.model.spec import Cardinality, FieldSpec

WANTS = {
    ScalarType.BOOL: "true or false",
    ScalarType.INT32: "an integer",
    ScalarType.INT64: "an integer",
    ScalarType.FLOAT: "a number",
    ScalarType.DOUBLE: "a number",
}
"""The expected value of a scalar type, in words; default: a string."""


def called(field: FieldSpec) -> str:
    """The name of a field, or of its elements, for a message."""
    return f"`{field.name}`" if field.cardinality is Cardinality.ONE else f"an element of `{field.name}`"


def leaf(field: FieldSpec, node: Scalar, context: Context) -> Any:
    """A value of any scalar type except an enum."""
    if field.secrecy is Secrecy.SECRET:
        return _secret(field, node, context)
    if field.secrecy is Secrecy.VARIABLE_ONLY:
        _hide_token(node, context)
    if isinstance(node.value, Secret):
        return _hidden_text(field, node, context)
    if node.is_reference and field.reference is None:
        context.report_problem(
            "CES022", f"`{field.name}` is not a reference field", node, detail="Write the value itself."
        )
        return None
    value = _fitted(field, node, context)
    if value is None or field.scalar is not ScalarType.STRING or not field.marks:
        return value
    if field.reference is not None:
        return _reference(field, field.reference, value, node, context)
    own = field.mark(OwnName)
    return _own_name(own, value, node, context) if own is not None else value


def enum_value(field: FieldSpec, node: Scalar, context: Context) -> str | None:
    """A value of an enum, by its name."""
    value = node.value
    if isinstance(value, str) and value in field.enum:
        return value
    if isinstance(value, Secret):
        _no_secret(field, node, context)
        return None
    words = [item for item in field.enum if not item.endswith("_UNSPECIFIED")]
    context.report_problem(
        "CES014",
        f"{called(field)} cannot be `{_short(node.text)}`",
        node,
        detail=f"It must be one of {', '.join(words)}.",
        correction=guess(node.text, words),
    )
    return None


def _fitted(field: FieldSpec, node: Scalar, context: Context) -> Any:
    try:
        return fit(field.scalar, node.value)
    except Misfit as misfit:
        _report_misfit(field, node, misfit, context)
        return None


def _report_misfit(field: FieldSpec, node: Scalar, misfit: Misfit, context: Context) -> None:
    actual = kind_of(node) if misfit.is_type else f"`{_short(node.text)}`"
    detail, suggestion = "", ""
    if field.scalar is ScalarType.STRING and not node.verbatim and node.value is not None:
        suggestion = f"'{node.text}'"
    elif field.scalar is ScalarType.STRING:
        detail = 'To use a variable in a string, write "${name}".'
    elif node.text.startswith("${"):
        detail = (
            f"`${{…}}` gives a string. To use a variable with its type, write "
            f"`{{$var: {node.text[2:].rstrip('}')}}}`."
        )
    elif isinstance(node.value, str) and node.quoted and misfit.is_type:
        detail = "Quotes make the value a string. Remove them."
    context.report_problem(
        "CES013" if misfit.is_type else "CES017",
        f"{called(field)} must be {misfit.wants}, but this is {actual}",
        node,
        detail=detail,
        suggestion=suggestion,
    )


def _secret(field: FieldSpec, node: Scalar, context: Context) -> Any:
    if isinstance(node.value, Secret) or node.value == "":
        return node.value
    context.report.hide(context.file, node)
    context.report_problem(
        "CES030",
        f"`{field.name}` is a secret, but this is plaintext",
        node,
        detail="Declare a variable with `name: {secret: true}` in cesplan.yaml, and write `{$var: name}` here.",
    )
    return None


def _hide_token(node: Scalar, context: Context) -> None:
    """Hide a value where only a variable name is allowed: it may be a token in plain text."""
    if not str(node.value).startswith(CONTEXT_PREFIX):
        context.report.hide(context.file, node)


def _hidden_text(field: FieldSpec, node: Scalar, context: Context) -> Any:
    if field.scalar is ScalarType.STRING and not field.is_resource_name:
        return node.value
    _no_secret(field, node, context)
    return None


def _no_secret(field: FieldSpec, node: Scalar, context: Context) -> None:
    context.report_problem(
        "CES013",
        f"`{field.name}` cannot hold a secret",
        node,
        detail="Only a string field can hold a secret.",
    )


def _reference(field: FieldSpec, reference: Reference, text: str, node: Scalar, context: Context) -> str | None:
    found = context.resolve(reference, text, explicit=node.is_reference)
    if not isinstance(found, Dangling):
        return found
    summary = found.summary
    if field.secrecy is not None:
        # A value in place of a secret's name may be the secret itself.
        context.report.hide(context.file, node)
        summary = f"`{field.name}` must be the name of a secret version"
    context.report_problem(
        found.code, summary, node, detail=found.detail, suggestion=found.suggestion, correction=found.correction
    )
    return None


def _own_name(own: OwnName, text: str, node: Scalar, context: Context) -> str | None:
    key = text.removeprefix(f"{own.collection}/")
    if not key or set(key) & FORBIDDEN_IN_KEYS:
        context.report_problem(
            "CES009",
            f"`{text}` is not a valid key",
            node,
            detail="The key names this element inside its app. cesplan adds the project and the app "
            "when it sends it.",
        )
        return None
    return f"{own.collection}/{key}"


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
