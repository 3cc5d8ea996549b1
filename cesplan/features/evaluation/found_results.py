"""Reading the results that a run lists, concurrently; results of other apps are not read."""

import re
from collections.abc import Callable
from typing import Protocol

from cesplan.domain.errors import NotFound
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import SEGMENT_PATTERN, last_id
from cesplan.domain.service.side_by_side import result_of, side_by_side
from cesplan.domain.value import Body

_WORKERS = 8
_MOST_TOO_MANY = 100
"""The number of unrequested results to read for the report; a list can have any length."""
_RESULT = re.compile(
    r"projects/[^/]+/locations/[^/]+/apps/(?P<app>[^/]+)/(?P<below>evaluations/(?P<of>[^/]+)/results/(?P<id>[^/]+))"
)


class ResultReader(Protocol):
    """Reads one result."""

    def read(self, name: str) -> Body: ...
    def interrupt(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundResults:
    """
    The results that were found from the list of a run.

    `bodies` are results by their resource names; `gone` are listed but do not exist, `foreign` are names that
    are not results of this app or are listed twice.
    """

    bodies: tuple[tuple[str, Body], ...] = ()
    gone: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    unread: int = 0
    """The number of listed results beyond the reading limit."""


def read_results(
    run: Body, app: str, demanded: int, reader: ResultReader, *, redact: Callable[[Body], Body]
) -> FoundResults:
    """The results that a run lists. Raises errors of the service, except for results that do not exist."""
    listed = run.get("evaluationResults")
    names = [str(item) for item in listed] if isinstance(listed, list) else []
    considered = names[: demanded + _MOST_TOO_MANY]
    own = {text: _own_name(text, app) for text in considered}
    names_to_read = list(dict.fromkeys(name for name in own.values() if name))
    foreign = [text for text, name in own.items() if not name]
    foreign += [text for text in dict.fromkeys(considered) if considered.count(text) > 1]
    with side_by_side(_WORKERS, reader.interrupt) as pool:
        futures = [(name, pool.submit(_read, name, reader)) for name in names_to_read]
        read = [(name, result_of(future)) for name, future in futures]
    return FoundResults(
        bodies=tuple((name, redact(body)) for name, body in read if body is not None),
        gone=tuple(name for name, body in read if body is None),
        foreign=tuple(foreign),
        unread=len(names) - len(considered),
    )


def evaluation_of(result_name: str) -> str:
    """The resource name of a result's evaluation."""
    return result_name.rpartition("/results/")[0]


def _own_name(text: str, app: str) -> str:
    """The name with our spelling of the app; empty for results of other apps."""
    found = _RESULT.fullmatch(text)
    if not found or found["app"] != last_id(app):
        return ""
    valid = SEGMENT_PATTERN.fullmatch(found["of"]) and SEGMENT_PATTERN.fullmatch(found["id"])
    return f"{app}/{found['below']}" if valid else ""


def _read(name: str, reader: ResultReader) -> Body | None:
    try:
        return reader.read(name)
    except NotFound:
        return None
