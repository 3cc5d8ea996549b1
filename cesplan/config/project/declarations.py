"""
Declarations of variables in cesplan.yaml, and parsing texts as the declared type.

`name: value` declares a default and its type. `name: {secret: true}` declares a secret, whose value is never in
a file. `name: {secret: {rotation: '2026-11'}}` adds a marker to change when the secret is rotated. `name:
{secret: {from: projects/…}}` declares a secret that is read from Secret Manager or a file when needed. `name:`
declares a text without a default. `name: {type: …, default: …, secret: …, description: …}` is the full form.
"""

import re
from collections.abc import Mapping as MappingOf
from dataclasses import replace
from typing import Any

from cesplan.config.manifest import Spot
from cesplan.config.project.variables import MISSING, NAME, Declaration
from cesplan.config.report import FileReport
from cesplan.config.suggestions import guess_key, nearest, one_of
from cesplan.config.yaml.core_schema import resolve
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, kind_of, plain
from cesplan.domain.service.secret_source import parse_source
from cesplan.domain.text.json_text import decoded
from cesplan.domain.value import as_text

TYPES = ("text", "integer", "number", "boolean", "list", "mapping")
_KEYS = ("default", "description", "secret", "type")
_SECRET_KEYS = ("rotation", "from")
_MARKER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,63}")
"""A rotation marker: a date, a number, a version. It is stored in the app's metadata and shown."""


def read_declarations(
    node: Node, report: FileReport, declared: MappingOf[str, Declaration] | None
) -> dict[str, Declaration]:
    """The variables of one section. `declared` are those at the top level, None if this is the top level."""
    if not isinstance(node, Mapping):
        if plain(node) is not None:
            report.problem(node, f"`variables` must be a mapping, but this is {kind_of(node)}")
        return {}
    report = replace(report, code="CES029")
    found = {}
    for name, key, value in node:
        if not NAME.fullmatch(name):
            report.problem(key, f"`{name}` is not a valid name for a variable", "Use letters, digits, and `_`.")
        elif declared is None:
            found[name] = _declaration(name, value, report.source.spot_of(key), report)
        elif name in declared:
            found[name] = _override(declared[name], value, report)
        else:
            report.problem(
                key,
                f"the variable `{name}` is not declared",
                "An environment can set only variables that are declared at the top level. Add "
                f"`{name}:` there.",
                suggestion=nearest(name, declared),
            )
    return found


def type_of(value: Any) -> str:
    """The type that a default declares."""
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case list():
            return "list"
        case dict():
            return "mapping"
    return "text"


def read_as(type_name: str, text: str) -> Any:
    """
    Parse a text from the environment or the command line as a value of a type.

    Raises ValueError if it is not one.
    """
    match type_name:
        case "text":
            return text
        case "list" | "mapping":
            value = decoded(text)
        case _:
            value = resolve(text)
    if not _is_of(type_name, value):
        raise ValueError(type_name)
    return value


def _is_of(type_name: str, value: Any) -> bool:
    actual = type_of(value) if value is not None else ""
    return actual == type_name or (actual, type_name) == ("integer", "number")


def _declaration(name: str, node: Node, spot: Spot, report: FileReport) -> Declaration:
    if not isinstance(node, Mapping):
        value = plain(node)
        if value is None:
            return Declaration(name=name, spot=spot)
        return Declaration(name=name, value=value, type=type_of(value), spot=spot)
    for word, key, _ in node:
        if word not in _KEYS:
            report.problem(
                key,
                f"unknown key `{word}` in the variable `{name}`",
                f"A mapping declares a variable with {one_of(_KEYS)}. To use a mapping as the "
                "value, write it under `default`.",
                correction=guess_key(word, _KEYS, node.entries),
            )
    return _typed(name, node, spot, report)


def _typed(name: str, node: Mapping, spot: Spot, report: FileReport) -> Declaration:
    # A misspelled key may be `secret`, so other findings do not show the value.
    misspelt = not set(node.entries) <= set(_KEYS)
    details = _secret_details(name, node.get("secret"), report)
    secret = details is not None or _part(node, "secret", False, (bool,), report) or misspelt
    default = node.get("default")
    value = MISSING if default is None else plain(default)
    type_name = _part(node, "type", "text" if default is None else type_of(value), (str,), report)
    type_node = node.get("type")
    if type_name not in TYPES and type_node is not None:
        report.problem(type_node, f"unknown type `{type_name}`", f"It must be {one_of(TYPES)}.")
        type_name = "text"
    if default is not None and secret and not misspelt:
        _refuse_value(name, default, report)
        value = MISSING
    elif default is not None and not _is_of(type_name, value):
        report.problem(default, f"the default of `{name}` does not match the type {type_name}")
    rotation, origin = details or ("", "")
    return Declaration(
        name=name, value=value, type=type_name, secret=secret, rotation=rotation, origin=origin, spot=spot
    )


def _secret_details(name: str, node: Node | None, report: FileReport) -> tuple[str, str] | None:
    """
    The marker and the source in `secret: {rotation: …, from: …}`; each is empty if missing or invalid.

    None if there is no mapping. A pinned version in Secret Manager is its own marker.
    """
    if not isinstance(node, Mapping):
        return None
    for word, key, _ in node:
        if word not in _SECRET_KEYS:
            report.hide(node)  # other text here may be the secret itself
            report.problem(
                key,
                f"unknown key in `secret` of the variable `{name}`",
                "It must be `true`, or a mapping with `rotation`: a label to change with each "
                "new secret, or with `from`: where the value is read.",
            )
            return "", ""
    origin, pinned = _origin(name, node.get("from"), node, report)
    if "rotation" not in node.entries and "from" in node.entries:
        return pinned, origin
    return _rotation(name, node, report), origin


def _origin(name: str, declared: Node | None, node: Mapping, report: FileReport) -> tuple[str, str]:
    """The source of a value, and the marker that it implies; both are empty if the source is invalid."""
    if declared is None:
        return "", ""
    text = plain(declared)
    try:
        found = parse_source(as_text(text))
    except ValueError as error:
        report.hide(node)
        report.problem(
            declared,
            f"`from` of the secret variable `{name}` is not valid",
            f"{str(error)[:1].upper()}{str(error)[1:]}.",
        )
        return "", ""
    return str(found), found.rotation


def _rotation(name: str, node: Mapping, report: FileReport) -> str:
    """The marker; empty if it is invalid."""
    marker = node.get("rotation")
    text = plain(marker) if marker is not None else None
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if isinstance(text, str) and _MARKER.fullmatch(text):
        return text
    report.hide(node)
    report.problem(
        node if marker is None else marker,
        f"the rotation marker of `{name}` is not valid",
        detail="It must be a label of up to 64 letters, digits, and `._:+-`, such as '2026-11', and "
        "never the secret itself.",
    )
    return ""


def _part(node: Mapping, key: str, fallback: Any, types: tuple[type, ...], report: FileReport) -> Any:
    value = node.get(key)
    if value is None:
        return fallback
    if isinstance(plain(value), types):
        return plain(value)
    expected = "true or false" if types == (bool,) else "a string"
    report.problem(value, f"`{key}` must be {expected}, but this is {kind_of(value)}")
    return fallback


def _override(known: Declaration, node: Node, report: FileReport) -> Declaration:
    if isinstance(node, Mapping) and known.type != "mapping":
        return _declaration(known.name, node, report.source.spot_of(node), report)
    value = plain(node)
    if isinstance(node, Scalar) and value is None:
        return replace(known, value=MISSING)
    if known.secret:
        _refuse_value(known.name, node, report)
        return known
    if known.value is not MISSING and not _is_of(known.type, value):
        report.problem(node, f"`{known.name}` is declared as {known.type}, but this is {kind_of(node)}")
    type_name = known.type if known.value is not MISSING or known.type != "text" else type_of(value)
    return Declaration(name=known.name, value=value, type=type_name, spot=known.spot)


def _refuse_value(name: str, node: Node, report: FileReport) -> None:
    report.hide(node)
    report.problem(
        node,
        f"the secret variable `{name}` has a value in a file",
        code="CES030",
        detail=f"Remove it, and set the environment variable CESPLAN_SECRET_{name} when the value is needed.",
    )
