"""
Faults as values, and as the documents that people write.

    faults:
    - method: UpdateAgent        # name of the method, as the journal shows it; * is allowed; default *
      resource: agents/front     # name of the resource, or its end; * is allowed; default *
      times: 2                   # how many requests it happens to; default 1
      skip: 1                    # how many that fit are let through first; default 0
      status: {code: UNAVAILABLE, message: "later", retryAfter: 1, details: [], after: false}

In place of `status` one of:

    latency:  {seconds: 0.5, after: false}   wait before, or after, the request takes effect
    reset:    {after: true}                  break the connection before, or after, it takes effect
    truncate: {bytes: 20}                    answer only the first bytes, then break the connection
    stale:    {writes: 1}                    a list is as it was before the last writes to it
    late:     {code: INTERNAL, message: "", details: [], polls: 1, effect: false}
                                             the operation ends with an error after so many reads;
                                             with `effect` its work is done anyway
    edit:     {name: "", body: {}, delete: false, author: "", after: false}
                                             someone else changes the resource first (or right
                                             after), or makes it where there is none: an empty body
                                             moves only the etag

`after: true` of a status means that the request took effect and its answer got lost behind the error.
"""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

from cesplan.emulator.contract import load
from cesplan.emulator.errors import HTTP_STATUS, Refused, invalid
from cesplan.emulator.judging.evaluate_instances import NAME
from cesplan.emulator.schema.messages import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class _Error:
    code: str
    message: str = "A scripted fault."
    details: tuple[Body, ...] = ()

    def refused(self) -> Refused:
        """Return the error that the caller gets, or that the operation ends with."""
        return Refused(self.code, self.message, details=self.details)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(_Error):
    retryAfter: float | None = None  # noqa: N815 (a name of the document)
    after: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    seconds: float
    after: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    after: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Truncate:
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    writes: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Late(_Error):
    code: str = "INTERNAL"
    polls: int = 1
    effect: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    name: str = ""
    body: Body = field(default_factory=dict)
    delete: bool = False
    author: str = "somebody-else@localhost"
    after: bool = False


Effect = Status | Latency | Reset | Truncate | Stale | Late | Edit

_EFFECTS: Mapping[str, type[Effect]] = {
    "status": Status,
    "latency": Latency,
    "reset": Reset,
    "truncate": Truncate,
    "stale": Stale,
    "late": Late,
    "edit": Edit,
}
_TYPES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("code", "message", "name", "author", "method", "resource"), (str,)),
    **dict.fromkeys(("seconds", "retryAfter"), (int, float)),
    **dict.fromkeys(("bytes", "writes", "polls", "times", "skip"), (int,)),
    **dict.fromkeys(("after", "effect", "delete"), (bool,)),
    "details": (list,),
    "body": (dict,),
}
_HEAD = ("method", "resource", "times", "skip")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault: which requests it waits for, and what happens to them."""

    effect: Effect
    method: str = "*"
    resource: str = "*"
    times: int = 1
    skip: int = 0

    def fits(self, method: str, names: tuple[str, ...]) -> bool:
        """Say whether the fault matches a request for a method and a resource with one of these names."""
        if not fnmatchcase(method, self.method):
            return False
        ends = self.resource if self.resource.startswith(("projects/", "*")) else f"*/{self.resource}"
        return any(fnmatchcase(name, ends) for name in names)


def parse_faults(document: object) -> list[Fault]:
    """Return the faults of a document. Raise Refused, naming the place, for an invalid one."""
    rows = document.get("faults") if isinstance(document, dict) else None
    if not isinstance(document, dict) or set(document) != {"faults"} or not isinstance(rows, list):
        raise invalid("faults", "expected an object with one list, 'faults'")
    return [_fault(row, f"faults[{index}]") for index, row in enumerate(rows)]


def shown(fault: Fault) -> Body:
    """Return a fault in the form of a document."""
    word = next(key for key, kind in _EFFECTS.items() if isinstance(fault.effect, kind))
    values = {item.name: getattr(fault.effect, item.name) for item in fields(fault.effect)}
    return {key: getattr(fault, key) for key in _HEAD} | {word: values}


def _fault(row: Any, where: str) -> Fault:
    if not isinstance(row, dict):
        raise invalid(where, "expected an object")
    words = [key for key in row if key in _EFFECTS]
    if len(words) != 1:
        raise invalid(where, f"exactly one of {', '.join(_EFFECTS)} is expected")
    head = _checked({key: value for key, value in row.items() if key != words[0]}, _HEAD, where)
    effect = _effect(_EFFECTS[words[0]], row[words[0]], f"{where}.{words[0]}")
    _check_method(head.get("method", "*"), where)
    return Fault(effect=effect, **head)


def _check_method(pattern: str, where: str) -> None:
    """Raise Refused for a pattern that matches no method, because such a fault would never happen."""
    known = sorted({rpc.name for rpcs in load().rpcs.values() for rpc in rpcs} | {NAME})
    if not any(fnmatchcase(name, pattern) for name in known):
        near = get_close_matches(pattern, known, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise invalid(f"{where}.method", f"there is no method '{pattern}'{hint}")


def _effect(kind: type[Effect], given: Any, where: str) -> Effect:
    names = tuple(item.name for item in fields(kind))
    values = _checked({} if given is None else given, names, where)
    lacking = [
        item.name
        for item in fields(kind)
        if item.default is MISSING and item.default_factory is MISSING and item.name not in values
    ]
    if lacking:
        raise invalid(f"{where}.{lacking[0]}", "it is required")
    if values.get("code", "INTERNAL") not in HTTP_STATUS:
        raise invalid(f"{where}.code", f"one of {', '.join(HTTP_STATUS)} is expected")
    details = values.get("details", [])
    if not all(isinstance(detail, dict) and "@type" in detail for detail in details):
        raise invalid(f"{where}.details", "messages with @type are expected")
    if details:
        values["details"] = tuple(details)
    return kind(**values)


def _checked(given: Any, names: tuple[str, ...], where: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise invalid(where, "expected an object")
    for key, value in given.items():
        if key not in names:
            raise invalid(f"{where}.{key}", f"unknown; expected one of {', '.join(names)}")
        kinds = _TYPES[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise invalid(f"{where}.{key}", f"expected {' or '.join(kind.__name__ for kind in kinds)}")
        if isinstance(value, int | float) and value < 0:
            raise invalid(f"{where}.{key}", "it cannot be negative")
    return dict(given)
