"""
Starting: send one request, and find the run that it started.

The client cannot choose the id of a run, so sending the request again would start another run. If the response
is lost, cesplan looks for the run by its unique display name; it never starts it twice.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol

from cesplan.domain.errors import LostResponse
from cesplan.domain.features.evaluation import Demand
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import SEGMENT_PATTERN, last_id
from cesplan.domain.text.times import moment
from cesplan.domain.value import Body, as_object
from cesplan.features.evaluation.request import request_body

LOOKS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before each look for a run whose response was lost: the list may lag behind."""

_MOST_LOOKED_AT = 200
_SKEW = timedelta(minutes=15)
"""The largest difference allowed between the clocks of this machine and the service."""
_RUN = re.compile(r"projects/[^/]+/locations/[^/]+/apps/(?P<app>[^/]+)/evaluationRuns/(?P<id>[^/]+)")


class Starter(Protocol):
    """A client that can start a run, and nothing else."""

    def start_run(self, app_name: str, body: Body) -> Body: ...


class RunList(Protocol):
    """Lists the newest runs of an app."""

    def list_runs(self, app_name: str, *, at_most: int) -> Sequence[Body]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedRun:
    """A running run; `operation` is empty if its response was lost."""

    name: str
    operation: str = ""
    was_lost: bool = False


def start(
    demand: Demand,
    display_name: str,
    starter: Starter,
    runs: RunList,
    *,
    rest: Callable[[float], object],
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> StartedRun:
    """
    Start the run that a demand describes, once.

    Raises LostResponse if both the response and the run are missing, and any error of the service.
    """
    began = now()
    try:
        operation = starter.start_run(demand.app, request_body(demand, display_name))
    except LostResponse as error:
        return StartedRun(name=_looked_for(demand.app, display_name, began, runs, rest, error), was_lost=True)
    name = run_in(operation, demand.app) or _looked_for(demand.app, display_name, began, runs, rest, None)
    return StartedRun(name=name, operation=_operation_name(operation, demand.app))


def run_in(operation: Body, app: str) -> str:
    """The run of this app that an operation names in one of three places; empty if there is none."""
    response, metadata = as_object(operation.get("response")), as_object(operation.get("metadata"))
    for text in (response.get("evaluationRun"), response.get("name"), metadata.get("evaluationRun")):
        found = _RUN.fullmatch(text) if isinstance(text, str) else None
        if found and found["app"] == last_id(app) and SEGMENT_PATTERN.fullmatch(found["id"]):
            return f"{app}/evaluationRuns/{found['id']}"
    return ""


def _operation_name(operation: Body, app: str) -> str:
    """The operation's name, below the project and location of the app; empty if the name is malformed."""
    _, _, tail = str(operation.get("name") or "").partition("/operations/")
    return f"{app.partition('/apps/')[0]}/operations/{tail}" if SEGMENT_PATTERN.fullmatch(tail) else ""


def _looked_for(
    app: str,
    display_name: str,
    began: datetime,
    runs: RunList,
    rest: Callable[[float], object],
    error: LostResponse | None,
) -> str:
    for delay in LOOKS:
        rest(delay)
        for run in runs.list_runs(app, at_most=_MOST_LOOKED_AT):
            if run.get("displayName") == display_name and _is_since(run.get("createTime"), began):
                return f"{app}/evaluationRuns/{last_id(str(run['name']))}"
    reason = f"{error.summary}\n" if error else ""
    raise LostResponse(
        summary="Whether the evaluation run was started is unknown.",
        detail=f"{reason}No run `{display_name}` was listed within {sum(LOOKS):.0f} s. "
        "It was not started again.",
        status="UNKNOWN",
        method="POST",
        resource=app,
    )


def _is_since(time: object, began: datetime) -> bool:
    """True for a time after the start, and for an unreadable one: the unique name is proof enough."""
    created = moment(time)
    return created is None or created >= began - _SKEW
