"""
Filters: the grammar of AIP-160, for the fields that the reference lists.

Terms are joined by AND, which may be omitted, and by OR (which binds tighter), negated by NOT or `-`, and
grouped by parentheses. Texts may be in single or double quotes or unquoted. For a text, `field:part` matches a
part, ignoring case, and `field="text"` the whole text exactly. For names, both compare the whole name or its
id. `field:*` matches any value. Times are compared with `<`, `<=`, `>`, `>=`, `=`, `!=` (docs/api-facts.md).
Terms without a field are refused. If the reference names no field, the switch `filter_fields` decides whether
any top-level field is accepted. The only function is `ces_transcript.search("text")`, with which Google's cxas
finds conversations that contain a text.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cesplan.emulator.contract import load
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.schema.values import timestamp
from cesplan.emulator.storage.store import Row

Predicate = Callable[[Row], bool]
Form = Literal["text", "name", "time", "search"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filterable:
    """A field that a filter can use: its path in a body, and how it is compared."""

    path: tuple[str, ...]
    form: Form = "text"


Fields = Mapping[str, Filterable]

_CREATED = Filterable(path=("createTime",), form="time")
# The fields that the reference names, by kind and query parameter.
_DOCUMENTED: Mapping[tuple[str, str], Fields] = {
    ("changelogs", "filter"): {
        "action": Filterable(path=("action",)),
        "resource_type": Filterable(path=("resourceType",)),
        "resource_name": Filterable(path=("resource",)),
        "author": Filterable(path=("author",)),
        "create_time": _CREATED,
    },
    ("scheduledEvaluationRuns", "filter"): {
        "request.evaluations": Filterable(path=("request", "evaluations"), form="name"),
        "request.evaluation_dataset": Filterable(path=("request", "evaluationDataset"), form="name"),
    },
    ("evaluations", "evaluationFilter"): {
        "evaluation_datasets": Filterable(path=("evaluationDatasets",), form="name"),
    },
    # Searched in the runs of an evaluation.
    ("evaluations", "evaluationRunFilter"): {
        "create_time": _CREATED,
        "initiated_by": Filterable(path=("initiatedBy",)),
        "app_version_display_name": Filterable(path=("appVersionDisplayName",)),
    },
    ("results", "filter"): {"evaluation_run": Filterable(path=("evaluationRun",), form="name")},
}
# Used by Google's cxas, although no public description has it.
_ASKED_FOR: Mapping[str, Fields] = {
    "conversations": {
        "ces_transcript.search": Filterable(path=("turns",), form="search"),
        "customer_conversation_id": Filterable(path=("customerConversationId",)),
    }
}
_QUOTED = r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^'\\]|\\.)*'"
_TOKEN = re.compile(
    r"\s*(?:([()])|(AND|OR|NOT)\b|(-)(?=[\w(])"
    rf"|([\w.]+)\s*(<=|>=|!=|[:=<>])\s*({_QUOTED}|[^\s\"'()][^\s\"()]*)"
    rf"|([\w.]+)\(\s*({_QUOTED})\s*\))"
)
_ANYTHING = "*"
# The maximum nesting of parentheses and negations: more than twice what people write by hand.
_DEEPEST = 50
_COMPARE: dict[str, Callable[[str, str], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
_NAMED_BY_TIME = {"createTime": "create_time", "updateTime": "update_time"}


def fields_of(kind: str, parameter: str, *, anything: bool) -> Fields:
    """Return the fields that a filter of this kind may name."""
    known = _DOCUMENTED.get((kind, parameter))
    if known is not None or not anything:
        return known or {}
    found = {}
    for name, spec in load().messages[load().kinds[kind].message].items():
        snake = re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
        if spec.type == "google.protobuf.Timestamp":
            found[snake] = Filterable(path=(name,), form="time")
        elif spec.reference:
            found[snake] = Filterable(path=(name,), form="name")
        elif spec.type in ("string", "bool", "int32", "int64") or spec.type in load().enums:
            found[snake] = Filterable(path=(name,))
    return {**found, **_ASKED_FOR.get(kind, {})}


def parsed(fields: Fields, parameter: str, text: str) -> Predicate:
    """Return the predicate of a filter. Raise Refused for an unsupported one."""
    return _Parser(fields, parameter, text).whole()


class _Parser:
    """A recursive descent parser for one filter."""

    def __init__(self, fields: Fields, parameter: str, text: str) -> None:
        self._fields = fields
        self._parameter = parameter
        self._text = text
        self._at = 0
        self._depth = 0

    def whole(self) -> Predicate:
        found = self._conjunction()
        if self._text[self._at :].strip():
            raise self._wrong(self._text[self._at :])
        return found

    def _conjunction(self) -> Predicate:
        parts = [self._disjunction()]
        while self._take("AND") or self._goes_on():
            parts.append(self._disjunction())
        return lambda row: all(part(row) for part in parts)

    def _disjunction(self) -> Predicate:
        parts = [self._factor()]
        while self._take("OR"):
            parts.append(self._factor())
        return lambda row: any(part(row) for part in parts)

    def _factor(self) -> Predicate:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise invalid(self._parameter, f"it is nested more than {_DEEPEST} levels deep")
        found = self._simple()
        self._depth -= 1
        return found

    def _simple(self) -> Predicate:
        if self._take("NOT") or self._take("-"):
            inner = self._factor()
            return lambda row: not inner(row)
        if self._take("("):
            found = self._conjunction()
            if not self._take(")"):
                raise self._wrong(self._text)
            return found
        token = self._peek()
        if token is not None and token[7] is not None:
            self._at = token.end()
            return self._function(token[7], token[8], token[0])
        if token is None or token[4] is None:
            raise self._wrong(self._text[self._at :] or self._text)
        self._at = token.end()
        return self._term(token[4], token[5], token[6], token[0])

    def _peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self._text, self._at)

    def _take(self, word: str) -> bool:
        token = self._peek()
        if token is None or word not in (token[1], token[2], token[3]):
            return False
        self._at = token.end()
        return True

    def _goes_on(self) -> bool:
        """Say whether another term follows directly: a sequence is a conjunction."""
        token = self._peek()
        return token is not None and (
            token[1] == "(" or token[2] == "NOT" or bool(token[3] or token[4] or token[7])
        )

    def _term(self, name: str, sign: str, given: str, shown: str) -> Predicate:
        value = _unquoted(given)
        field = self._fields.get(name)
        signs = {"text": (":", "=", "!="), "name": (":", "=", "!="), "time": tuple(_COMPARE), "search": ()}
        if field is None or sign not in signs[field.form]:
            raise invalid(
                self._parameter, f"'{shown.strip()}': the emulator does not support this field or comparison"
            )
        match field.form:
            case "time":
                return self._time(field.path[0], sign, value)
            case _ if (sign, given) == (":", _ANYTHING):
                found = _any(field.path, bool)
            case "name":
                found = _any(field.path, lambda own: value in (own, own.rpartition("/")[2]))
            case "text" if sign == ":":
                found = _any(field.path, lambda own: value.lower() in own.lower())
            case "text":
                found = _any(field.path, lambda own: value == own)
            case "search":
                raise self._wrong(shown)
        return found if sign != "!=" else lambda row: not found(row)

    def _function(self, name: str, given: str, shown: str) -> Predicate:
        field = self._fields.get(name)
        if field is None or field.form != "search":
            raise self._wrong(shown)
        function_name = _unquoted(given).lower()
        return lambda row: any(function_name in text.lower() for text in _texts(row.body.get(field.path[0])))

    def _time(self, name: str, sign: str, value: str) -> Predicate:
        try:
            moment = _padded(timestamp(value))
        except ValueError as error:
            raise invalid(self._parameter, f"'{value}': {error}") from error
        column = _NAMED_BY_TIME.get(name)

        def holds(row: Row) -> bool:
            own = getattr(row, column) if column else row.body.get(name, "")
            return bool(own) and _COMPARE[sign](_padded(own), moment)

        return holds

    def _wrong(self, part: str) -> Refused:
        return invalid(self._parameter, f"'{part.strip()}' is not a filter that the emulator supports")


def _unquoted(given: str) -> str:
    """Return the text of a value. In quotes, a backslash escapes a character."""
    return re.sub(r"\\(.)", r"\1", given[1:-1]) if given[0] in "\"'" else given


def _any(path: tuple[str, ...], test: Callable[[str], bool]) -> Predicate:
    return lambda row: any(test(own) for own in _at(row.body, path))


def _at(body: Any, path: tuple[str, ...]) -> list[str]:
    for part in path:
        body = body.get(part, {})
    found = body if isinstance(body, list) else [body] if body != {} else []
    return [str(item).lower() if isinstance(item, bool) else str(item) for item in found]


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts of a conversation: every `text` at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key == "text" and isinstance(item, str):
                yield item
            else:
                yield from _texts(item)


def _padded(moment: str) -> str:
    """Return a timestamp with nine decimals, so that texts sort by time."""
    whole, _, fraction = moment.rstrip("Z").partition(".")
    return f"{whole}.{fraction.ljust(9, '0')}"
