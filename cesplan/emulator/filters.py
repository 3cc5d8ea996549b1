"""
The filters that the reference spells out: terms joined by AND.

On a text `field:part` matches a part, case ignored, and `field="text"` the whole, exactly; on
names both compare the whole name or its id. `create_time` of the change log is compared with
`<`, `<=`, `>`, `>=`, `=` (FACTS §7, and the reference of the lists).
"""

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from cesplan.emulator.errors import invalid
from cesplan.emulator.store import Row
from cesplan.emulator.values import timestamp

Predicate = Callable[[Row], bool]
Path = tuple[str, ...]

# Texts and names that can be filtered on: by kind and query parameter, each field's path.
_TEXTS: Mapping[tuple[str, str], Mapping[str, Path]] = {
    ("changelogs", "filter"): {
        "action": ("action",),
        "resource_type": ("resourceType",),
        "resource_name": ("resource",),
        "author": ("author",),
    }
}
_NAMES: Mapping[tuple[str, str], Mapping[str, Path]] = {
    ("scheduledEvaluationRuns", "filter"): {
        "request.evaluations": ("request", "evaluations"),
        "request.evaluation_dataset": ("request", "evaluationDataset"),
    },
    ("evaluations", "evaluationFilter"): {"evaluation_datasets": ("evaluationDatasets",)},
}
_TERM = re.compile(r'\s*([\w.]+)\s*(<=|>=|[:=<>])\s*("[^"]*"|[^\s"]+)\s*')
_COMPARE: dict[str, Callable[[str, str], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}


def parsed(kind: str, parameter: str, text: str) -> Predicate:
    """Return the predicate of a filter. Raise Refused for one that is not understood."""
    terms = [_term(kind, parameter, part) for part in re.split(r"\sAND\s", text)]
    return lambda row: all(term(row) for term in terms)


def _term(kind: str, parameter: str, part: str) -> Predicate:
    found = _TERM.fullmatch(part)
    if found is None:
        raise invalid(parameter, f"'{part.strip()}' is not a term that the emulator understands")
    field, sign, value = found[1], found[2], found[3].strip('"')
    if (kind, field) == ("changelogs", "create_time") and sign in _COMPARE:
        return _time(parameter, sign, value)
    texts = _TEXTS.get((kind, parameter), {})
    names = _NAMES.get((kind, parameter), {})
    if field in texts and sign in ":=":
        return _text(texts[field], sign, value)
    if field in names and sign in ":=":
        return lambda row: any(_is_named(name, value) for name in _at(row.body, names[field]))
    raise invalid(parameter, f"'{part.strip()}': the emulator knows no such field or comparison")


def _text(path: Path, sign: str, value: str) -> Predicate:
    if sign == "=":
        return lambda row: value in _at(row.body, path)
    return lambda row: any(value.lower() in text.lower() for text in _at(row.body, path))


def _is_named(name: str, value: str) -> bool:
    return value in (name, name.rpartition("/")[2])


def _at(body: Any, path: Path) -> list[str]:
    for part in path:
        body = body.get(part, {})
    return body if isinstance(body, list) else [body] if isinstance(body, str) else []


def _time(parameter: str, sign: str, value: str) -> Predicate:
    try:
        moment = _padded(timestamp(value))
    except ValueError as error:
        raise invalid(parameter, f"'{value}': {error}") from error
    return lambda row: _COMPARE[sign](_padded(row.create_time), moment)


def _padded(moment: str) -> str:
    """Return a timestamp with nine decimals, so that texts compare as times do."""
    whole, _, fraction = moment.rstrip("Z").partition(".")
    return f"{whole}.{fraction.ljust(9, '0')}"
