"""JSON Schemas inside OpenAPI documents: what a caller may send, and what it must expect."""

from collections.abc import Iterator
from enum import Enum
from typing import Any

from cesplan.domain.text.typed_diff import TypedDetail, detail
from cesplan.features.typed_diffs.codes import is_breaking
from cesplan.features.typed_diffs.documents import Pair, Sides, mapping
from cesplan.features.typed_diffs.structure import same, shown

_TEXTS = frozenset(
    {"description", "title", "summary", "example", "examples", "externalDocs", "xml", "deprecated"}
)
_LOW = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_HIGH = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_EXACT = ("pattern", "format", "multipleOf", "uniqueItems")
_COMBINED = ("allOf", "anyOf", "oneOf")
_KNOWN = frozenset(
    {*_COMBINED, "type", "nullable", "enum", "properties", "required", "items", "$ref", *_LOW, *_HIGH, *_EXACT}
)


class Direction(Enum):
    """Who writes the value: the caller or the API."""

    REQUEST = "request"
    RESPONSE = "response"


def schema_details(where: str, pair: Pair, sides: Sides, direction: Direction) -> Iterator[TypedDetail]:
    """What changed for a caller between two schemas, references followed; cycles end."""
    yield from _Comparison(sides, direction).schemas(where, pair)


class _Comparison:
    def __init__(self, sides: Sides, direction: Direction) -> None:
        self._sides = sides
        self._is_request = direction is Direction.REQUEST
        self._open: set[tuple[int, int]] = set()

    def schemas(self, where: str, pair: Pair) -> Iterator[TypedDetail]:
        self._sides.step()
        old, new = self._sides.resolved(pair[0], 0), self._sides.resolved(pair[1], 1)
        if isinstance(old, dict | None) and isinstance(new, dict | None):
            here = (id(old), id(new))
            if here in self._open:
                return  # the same two schemas are being compared further out
            self._open.add(here)
            yield from self._members(where, mapping(old), mapping(new))
            self._open.discard(here)
        elif not same(old, new):
            yield _found("OAS098", f"{where}: schema changed")

    def _members(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        yield from self._types(where, old, new)
        yield from self._enum(where, old, new)
        yield from self._limits(where, old, new)
        yield from self._properties(where, old, new)
        if "items" in old or "items" in new:
            yield from self.schemas(f"{where}[]", (old.get("items"), new.get("items")))
        for key in _COMBINED:
            yield from self._combined(f"{where}: {key}", old.get(key), new.get(key))
        for key in sorted({*old, *new} - _KNOWN):
            if (key in old) != (key in new) or not self._sides.equal((old.get(key), new.get(key))):
                is_text = key in _TEXTS or key.startswith("x-") or (key == "default" and not self._is_request)
                yield _found("OAS090" if is_text else "OAS098", f"{where}: {key} changed")
        if not same(old.get("$ref"), new.get("$ref")) and not (_is_inside(old) and _is_inside(new)):
            yield _found("OAS098", f"{where}: $ref changed")

    def _combined(self, where: str, old: Any, new: Any) -> Iterator[TypedDetail]:
        """`allOf` and its kin: member by member where there are as many, else as one part."""
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            for place, pair in enumerate(zip(old, new, strict=True)):
                yield from self.schemas(f"{where}[{place}]", pair)
        elif not self._sides.equal((old, new)):
            yield _found("OAS098", f"{where} changed")

    def _types(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        was, now = _types(old), _types(new)
        if was == now:
            return
        text = f"{where}: type {_named(was)} → {_named(now)}"
        if self._is_request:
            yield _found("OAS036" if _holds(now, was) else "OAS035", text)
        else:
            yield _found("OAS059" if _holds(was, now) else "OAS058", text)

    def _enum(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        was, now = _values(old), _values(new)
        if was == now:
            return
        gone, come = ("OAS037", "OAS038") if self._is_request else ("OAS061", "OAS060")
        if was is None or now is None:
            yield _found(gone if was is None else come, f"{where}: enum {'set' if was is None else 'removed'}")
            return
        if lost := sorted(was - now):
            yield _found(gone, f"{where}: enum without {', '.join(lost)}")
        if added := sorted(now - was):
            yield _found(come, f"{where}: enum with {', '.join(added)}")

    def _limits(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        for key in (*_LOW, *_HIGH, *_EXACT):
            was, now = old.get(key), new.get(key)
            if not same(was, now):
                code = "OAS062"
                if self._is_request:
                    code = "OAS040" if _is_looser(key, was, now) else "OAS039"
                yield _found(code, f"{where}: {key} {_limit(was)} → {_limit(now)}")

    def _properties(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        ours, theirs = mapping(old.get("properties")), mapping(new.get("properties"))
        was, now = _required(old), _required(new)
        request = self._is_request
        for name in sorted({*ours, *theirs, *was, *now}):
            here = f"{where}: {name}"
            if name in ours and name not in theirs:
                yield _found("OAS032" if request else "OAS054", f"{here} removed")
            elif name in theirs and name not in ours:
                if request:
                    word = "required" if name in now else "optional"
                    yield _found("OAS030" if name in now else "OAS031", f"{here} added, {word}")
                else:
                    yield _found("OAS055", f"{here} added")
            else:
                if name in now and name not in was:
                    yield _found("OAS033" if request else "OAS057", f"{here} became required")
                elif name in was and name not in now:
                    yield _found("OAS034" if request else "OAS056", f"{here} became optional")
                if name in ours:
                    yield from self.schemas(here, (ours[name], theirs[name]))


def _found(code: str, text: str) -> TypedDetail:
    return detail(text, code, breaking=is_breaking(code))


def _is_inside(schema: dict[str, Any]) -> bool:
    return "$ref" not in schema


def _types(schema: dict[str, Any]) -> frozenset[str]:
    """The types that a value may have; empty: any."""
    said = schema.get("type")
    names = said if isinstance(said, list) else [said] if said is not None else []
    more = ["null"] if names and schema.get("nullable") is True else []
    return frozenset(map(str, (*names, *more)))


def _holds(wide: frozenset[str], narrow: frozenset[str]) -> bool:
    """Whether every value of the one is a value of the other; each integer is a number."""
    return not wide or (
        bool(narrow) and all(item in wide or (item == "integer" and "number" in wide) for item in narrow)
    )


def _named(types: frozenset[str]) -> str:
    return " or ".join(sorted(types)) or "any"


def _values(schema: dict[str, Any]) -> frozenset[str] | None:
    said = schema.get("enum")
    return frozenset(map(shown, said)) if isinstance(said, list) else None


def _required(schema: dict[str, Any]) -> frozenset[str]:
    said = schema.get("required")
    return frozenset(map(str, said)) if isinstance(said, list) else frozenset()


def _is_looser(key: str, was: Any, now: Any) -> bool:
    """Whether a limit lets pass all that it let pass before."""
    if now is None or now is False:
        return True
    if was is None or isinstance(was, bool) or isinstance(now, bool):
        return False
    if not isinstance(was, int | float) or not isinstance(now, int | float):
        return False
    return (key in _LOW and now <= was) or (key in _HIGH and now >= was)


def _limit(value: Any) -> str:
    return "none" if value is None else shown(value)
