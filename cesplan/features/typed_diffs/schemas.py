"""
JSON Schemas, in OpenAPI documents and elsewhere: the values that a caller may send and must expect.

The rules are the same everywhere; `family` is the prefix of their codes.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Any

from cesplan.domain.text.typed_diff import TypedDetail, detail
from cesplan.domain.value import as_object
from cesplan.features.typed_diffs.codes import OPEN_API, is_breaking
from cesplan.features.typed_diffs.documents import Pair, Sides
from cesplan.features.typed_diffs.structure import same, shown

_TEXTS = frozenset(
    {"description", "title", "summary", "example", "examples", "externalDocs", "xml", "deprecated"}
)
_LOW = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_HIGH = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_EXACT = ("pattern", "format", "multipleOf", "uniqueItems")
_COMBINED = ("allOf", "anyOf", "oneOf")
_DEFINITIONS = ("defs", "$defs", "definitions")
"""The members that hold definitions, which count where they are referenced."""
_KNOWN = frozenset(
    {
        *_COMBINED, *_DEFINITIONS, *_LOW, *_HIGH, *_EXACT,
        "type", "nullable", "enum", "properties", "required", "items", "additionalProperties", "$ref",
    }
)  # fmt: skip


class Direction(Enum):
    """Who writes the value: the caller or the API."""

    REQUEST = "request"
    RESPONSE = "response"


def schema_details(
    where: str, pair: Pair, sides: Sides, direction: Direction, family: str = OPEN_API
) -> Iterator[TypedDetail]:
    """The changes between two schemas for a caller. Follows references; cycles end. Raises Unread."""
    yield from _Comparison(sides, direction, family).schemas(where, pair)


class _Comparison:
    def __init__(self, sides: Sides, direction: Direction, family: str) -> None:
        self._sides = sides
        self._family = family
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
            yield from self._members(where, as_object(old), as_object(new))
            self._open.discard(here)
        elif not same(old, new):
            yield self._found("098", f"{where}: schema changed")

    def _members(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        yield from self._types(where, old, new)
        yield from self._enum(where, old, new)
        yield from self._limits(where, old, new)
        yield from self._properties(where, old, new)
        if "items" in old or "items" in new:
            yield from self.schemas(f"{where}[]", (old.get("items"), new.get("items")))
        yield from self._additional(f"{where}.*", old, new)
        for key in _COMBINED:
            yield from self._combined(f"{where}: {key}", old.get(key), new.get(key))
        for key in sorted({*old, *new} - _KNOWN):
            if (key in old) != (key in new) or not self._sides.equal((old.get(key), new.get(key))):
                is_text = key in _TEXTS or key.startswith("x-") or (key == "default" and not self._is_request)
                yield self._found("090" if is_text else "098", f"{where}: {key} changed")
        if not same(old.get("$ref"), new.get("$ref")) and not (_is_inside(old) and _is_inside(new)):
            yield self._found("098", f"{where}: $ref changed")

    def _combined(self, where: str, old: Any, new: Any) -> Iterator[TypedDetail]:
        """`allOf` and similar: member by member if their number is equal, otherwise as one part."""
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            for place, pair in enumerate(zip(old, new, strict=True)):
                yield from self.schemas(f"{where}[{place}]", pair)
        elif where.endswith("anyOf") and (more := self._alternatives(old, new)):
            removed_code, added_code = ("043", "042") if self._is_request else ("065", "064")
            yield self._found(
                added_code if more > 0 else removed_code,
                f"{where}: {abs(more)} {'more' if more > 0 else 'fewer'}",
            )
        elif not self._sides.equal((old, new)):
            yield self._found("098", f"{where} changed")

    def _types(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        was, now = _types(old), _types(new)
        if was == now:
            return
        text = f"{where}: type {_named(was)} → {_named(now)}"
        if self._is_request:
            yield self._found("036" if _holds(now, was) else "035", text)
        else:
            yield self._found("059" if _holds(was, now) else "058", text)

    def _enum(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        was, now = _values(old), _values(new)
        if was == now:
            return
        removed_code, added_code = ("037", "038") if self._is_request else ("061", "060")
        if was is None or now is None:
            yield self._found(
                removed_code if was is None else added_code,
                f"{where}: enum {'set' if was is None else 'removed'}",
            )
            return
        if lost := sorted(was - now):
            yield self._found(removed_code, f"{where}: enum without {', '.join(lost)}")
        if added := sorted(now - was):
            yield self._found(added_code, f"{where}: enum with {', '.join(added)}")

    def _limits(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        for key in (*_LOW, *_HIGH, *_EXACT):
            was, now = old.get(key), new.get(key)
            if not same(was, now):
                code = "062"
                if self._is_request:
                    code = "040" if _is_looser(key, was, now) else "039"
                yield self._found(code, f"{where}: {key} {_limit(was)} → {_limit(now)}")

    def _properties(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        ours, theirs = as_object(old.get("properties")), as_object(new.get("properties"))
        was, now = _required(old), _required(new)
        request = self._is_request
        for name in sorted({*ours, *theirs, *was, *now}):
            here = f"{where}: {name}"
            if name in ours and name not in theirs:
                yield self._found("032" if request else "054", f"{here} removed")
            elif name in theirs and name not in ours:
                if request:
                    word = "required" if name in now else "optional"
                    yield self._found("030" if name in now else "031", f"{here} added, {word}")
                else:
                    yield self._found("055", f"{here} added")
            else:
                if name in now and name not in was:
                    yield self._found("033" if request else "057", f"{here} became required")
                elif name in was and name not in now:
                    yield self._found("034" if request else "056", f"{here} became optional")
                if name in ours:
                    yield from self.schemas(here, (ours[name], theirs[name]))

    def _alternatives(self, old: Any, new: Any) -> int:
        """The number of additional shapes, if all shapes of one side are also on the other; otherwise 0."""
        if not isinstance(old, list) or not isinstance(new, list) or not old or not new:
            return 0
        if len(old) < len(new):
            inside = all(any(self._sides.equal((one, other)) for other in new) for one in old)
        else:
            inside = all(any(self._sides.equal((other, one)) for other in old) for one in new)
        return len(new) - len(old) if inside else 0

    def _additional(self, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[TypedDetail]:
        """Undeclared properties: all are allowed unless the schema says otherwise."""
        was, now = (side.get("additionalProperties", True) for side in (old, new))
        was, now = (True if item == {} else item for item in (was, now))
        if isinstance(was, dict) and isinstance(now, dict):
            yield from self.schemas(where, (was, now))
        elif same(was, now):
            return
        elif self._is_request:
            yield self._found(
                "044" if was is False or now is True else "045", f"{where}: {_openness(was, now)}"
            )
        else:
            yield self._found(
                "066" if isinstance(was, dict) and now is True else "067", f"{where}: {_openness(was, now)}"
            )

    def _found(self, number: str, text: str) -> TypedDetail:
        code = f"{self._family}{number}"
        return detail(text, code, breaking=is_breaking(code))


def _is_inside(schema: dict[str, Any]) -> bool:
    return "$ref" not in schema


def _types(schema: dict[str, Any]) -> frozenset[str]:
    """The types that a value may have; empty: any."""
    value = schema.get("type")
    names = value if isinstance(value, list) else [value] if value is not None else []
    more = ["null"] if names and schema.get("nullable") is True else []
    return frozenset(map(str, (*names, *more)))


def _holds(wide: frozenset[str], narrow: frozenset[str]) -> bool:
    """Whether every value of `narrow` is a value of `wide`; each integer is a number."""
    return not wide or (
        bool(narrow) and all(item in wide or (item == "integer" and "number" in wide) for item in narrow)
    )


def _named(types: frozenset[str]) -> str:
    return " or ".join(sorted(types)) or "any"


def _values(schema: dict[str, Any]) -> frozenset[str] | None:
    value = schema.get("enum")
    return frozenset(map(shown, value)) if isinstance(value, list) else None


def _required(schema: dict[str, Any]) -> frozenset[str]:
    value = schema.get("required")
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset()


def _is_looser(key: str, was: Any, now: Any) -> bool:
    """Whether a limit still accepts every value that it accepted before."""
    if now is None or now is False:
        return True
    if was is None or isinstance(was, bool) or isinstance(now, bool):
        return False
    if not isinstance(was, int | float) or not isinstance(now, int | float):
        return False
    return (key in _LOW and now <= was) or (key in _HIGH and now >= was)


def _limit(value: Any) -> str:
    return "none" if value is None else shown(value)


def _openness(was: Any, now: Any) -> str:
    return " → ".join(
        "a schema" if isinstance(item, dict) else "any" if item is True else "none" for item in (was, now)
    )
