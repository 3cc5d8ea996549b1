"""Starting: which names in an operation are runs of the app, and which run is the one that was started."""

from datetime import UTC, datetime

import pytest

from cesplan.domain.errors import LostResponse
from cesplan.domain.features.evaluation import Demand
from cesplan.features.evaluation.starting import LOOKS, run_in, start

APP = "projects/acme/locations/us/apps/desk1"
BEGAN = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


class Service:
    """Loses every answer; lists these runs after so many looks."""

    def __init__(self, runs, looks=0):
        self.runs, self.looks, self.starts = runs, looks, 0

    def start_run(self, app_name, body):
        self.starts += 1
        raise LostResponse(summary="lost")

    def list_runs(self, app_name, *, at_most):
        self.looks -= 1
        return self.runs if self.looks < 0 else []


def started(service):
    demand = Demand(app=APP, app_key="desk", evaluations=())
    return start(demand, "cesplan 1", service, service, rest=lambda _: None, now=lambda: BEGAN)


@pytest.mark.parametrize("place", ["response.evaluationRun", "response.name", "metadata.evaluationRun"])
def test_a_run_is_found_in_each_place_of_an_operation(place):
    """Under our own spelling of the app."""
    outer, inner = place.split(".")
    name = "projects/123/locations/us/apps/desk1/evaluationRuns/r1"
    assert run_in({outer: {inner: name}}, APP) == f"{APP}/evaluationRuns/r1"


@pytest.mark.parametrize(
    "name", ["", "x", "projects/a/locations/us/apps/other/evaluationRuns/r", f"{APP}/evaluationRuns/..", 7]
)
def test_any_other_name_is_none(name):
    """A name of another app leads nowhere."""
    assert run_in({"response": {"evaluationRun": name}}, APP) == ""


@pytest.mark.parametrize("odd", ["text", ["list"], 7, True])
def test_an_answer_of_another_shape_names_no_run(odd):
    assert run_in({"response": odd, "metadata": odd}, APP) == ""


def test_a_run_that_is_listed_late_is_found():
    """With one request to start it."""
    runs = [
        {"name": f"{APP}/evaluationRuns/old", "displayName": "cesplan 1", "createTime": "2026-11-19T12:00:00Z"},
        {"name": f"{APP}/evaluationRuns/new", "displayName": "cesplan 1", "createTime": "2026-11-20T12:00:01Z"},
    ]
    service = Service(runs, looks=3)
    assert started(service).name == f"{APP}/evaluationRuns/new"
    assert service.starts == 1


def test_a_run_that_is_never_listed_is_not_started_again():
    """The error says its name."""
    service = Service([], looks=len(LOOKS))
    with pytest.raises(LostResponse, match="cesplan 1"):
        started(service)
    assert service.starts == 1
