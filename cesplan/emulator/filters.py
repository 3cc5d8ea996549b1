"""
The filter of the change log: terms joined by AND.

`field:text` matches a part, case ignored; `field="text"` the whole, exactly; `create_time` is
compared with `<`, `<=`, `>`, `>=`, `=` (FACTS §7, and the reference of ListChangelogs).
"""

import operator
import re
from collections.abc import Callable

from cesplan.emulator.errors import invalid
from cesplan.emulator.store import Row
from cesplan.emulator.values import timestamp

Predicate = Callable[[Row], bool]

# What each field of the filter is called in an entry.
FIELDS = {
    "action": "action",
    "resource_type": "resourceType",
    "resource_name": "resource",
    "author": "author",
}
_TERM = re.compile(r'\s*(\w+)\s*(<=|>=|[:=<>])\s*("[^"]*"|[^\s"]+)\s*')
_COMPARE: dict[str, Callable[[str, str], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}


def parsed(text: str) -> Predicate:
    """Return the predicate of a filter. Raise Refused for what is not one."""
    terms = [_term(part, text) for part in re.split(r"\sAND\s", text)]
    return lambda row: all(term(row) for term in terms)


def _term(part: str, text: str) -> Predicate:
    found = _TERM.fullmatch(part)
    if found is None:
        raise invalid("filter", f"'{text}' is not a filter that is understood")
    field, sign, value = found[1], found[2], found[3].strip('"')
    if field == "create_time" and sign in _COMPARE:
        return _time(sign, value)
    if field in FIELDS and sign == ":":
        return lambda row: value.lower() in str(row.body.get(FIELDS[field], "")).lower()
    if field in FIELDS and sign == "=":
        return lambda row: bool(value == row.body.get(FIELDS[field], ""))
    raise invalid("filter", f"'{part.strip()}': there is no such field or comparison")


def _time(sign: str, value: str) -> Predicate:
    try:
        moment = _padded(timestamp(value))
    except ValueError as error:
        raise invalid("filter", f"'{value}': {error}") from error
    return lambda row: _COMPARE[sign](_padded(row.create_time), moment)


def _padded(moment: str) -> str:
    """Return a timestamp with nine decimals, so that texts compare as times do."""
    whole, _, fraction = moment.rstrip("Z").partition(".")
    return f"{whole}.{fraction.ljust(9, '0')}"
