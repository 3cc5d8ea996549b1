"""
Update masks (AIP-134, AIP-161): parsing them, and merging a body into the stored one.

A path leads only through messages: nothing below a list, a map, or a free-form value can be named.
"""

import copy
from collections.abc import Mapping
from typing import Any

from cesplan.emulator.contract import Field, load
from cesplan.emulator.errors import invalid
from cesplan.emulator.schema.bodies import DEEPEST
from cesplan.emulator.schema.messages import ALIASES, Body, json_name

Path = tuple[str, ...]


# Ignored in a mask, because callers cannot set them.
_TRANSPORT = frozenset({"name", "etag"})


def parse(
    message: str,
    text: str,
    *,
    nested: bool,
    learned: set[tuple[str, str]],
    proto_names: bool = False,
) -> tuple[Path, ...] | None:
    """
    Return the paths of a mask, None for all fields. Raise Refused for an invalid path. With `proto_names`,
    paths may be in snake_case.
    """
    if text in ("", "*"):
        return None
    names = dict.fromkeys(part.strip() for part in text.split(","))
    paths = [_path(message, name, learned, proto_names=proto_names) for name in names]
    deep = next((path for path in paths if len(path) > 1 and not nested), None)
    if deep:
        raise invalid("updateMask", f"'{'.'.join(deep)}': only top-level fields can be named")
    return tuple(path for path in paths if path[0] not in _TRANSPORT)


def merge(message: str, stored: Body, body: Body, paths: tuple[Path, ...] | None) -> Body:
    """Return `stored` with the masked fields of `body`. A named field that `body` lacks is cleared."""
    if paths is None:
        return replaced(message, stored, body)
    merged = copy.deepcopy(stored)
    for path in paths:
        _merge_path(message, merged, body, path)
    return ordered(message, merged)


def replaced(message: str, old: Body, new: Body) -> Body:
    """Return `new` with the output-only fields of `old`, which callers cannot change."""
    specs = load().messages[message]
    result = dict(new)
    for key, value in old.items():
        spec = specs.get(key)
        if spec is None:
            continue
        if spec.output_only:
            result[key] = value
        elif key in new and _is_plain_message(spec):
            result[key] = replaced(spec.type, value, new[key])
    return ordered(message, result)


def ordered(message: str, body: Body) -> Body:
    """Return the body with its fields in the contract's order, unknown ones last."""
    specs = load().messages[message]
    end = len(specs)
    return dict(sorted(body.items(), key=lambda item: specs[item[0]].index if item[0] in specs else end))


def _path(message: str, text: str, learned: set[tuple[str, str]], *, proto_names: bool) -> Path:
    parts = tuple(text.split("."))
    if len(parts) > DEEPEST:  # no body is nested deeper
        raise invalid("updateMask", f"a path has more than {DEEPEST} parts")
    here = message
    for index, part in enumerate(parts):
        if (here, part) in learned and index == len(parts) - 1:
            return parts
        if proto_names and part not in load().messages.get(here, {}):
            part = json_name(part)
        part = ALIASES.get((here, part), part)
        spec = load().messages.get(here, {}).get(part)
        if spec is None:
            raise invalid("updateMask", f"'{text}': {_why(here, part)}")
        parts = (*parts[:index], part, *parts[index + 1 :])
        here = spec.type if _is_plain_message(spec) else ""
    return parts


def _why(here: str, part: str) -> str:
    if not here:
        return "a path cannot go below a list, a map, a free-form value, or a scalar"
    return f"{here} has no field '{part}'"


def _merge_path(message: str, target: Body, body: Body, path: Path) -> None:
    specs = load().messages[message]
    name = path[0]
    spec = specs.get(name)
    if spec is not None and spec.output_only:
        return
    if len(path) == 1:
        _set(specs, target, body, name)
        return
    assert spec is not None
    inner = body.get(name, {})
    if name in target:
        _merge_path(spec.type, target[name], inner, path[1:])
    elif _reaches(inner, path[1:]):
        target[name] = {}
        _clear_others(specs, target, spec)
        _merge_path(spec.type, target[name], inner, path[1:])


def _set(specs: Mapping[str, Field], target: Body, body: Body, name: str) -> None:
    spec = specs.get(name)
    old = target.pop(name, None)
    if name not in body:
        return
    value: Any = copy.deepcopy(body[name])
    if spec is not None and isinstance(old, dict) and _is_plain_message(spec):
        value = replaced(spec.type, old, value)
    target[name] = value
    if spec is not None:
        _clear_others(specs, target, spec)


def _clear_others(specs: Mapping[str, Field], target: Body, spec: Field) -> None:
    for other in specs.values() if spec.oneof else ():
        if other.oneof == spec.oneof and other.name != spec.name:
            target.pop(other.name, None)


def _reaches(body: Any, path: Path) -> bool:
    """Say whether the body has a value at the path."""
    for part in path:
        if not isinstance(body, dict) or part not in body:
            return False
        body = body[part]
    return True


def _is_plain_message(spec: Field) -> bool:
    return spec.type in load().messages and not spec.repeated
