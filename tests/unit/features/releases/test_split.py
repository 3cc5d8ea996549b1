"""Where a release is: read from the traffic of the deployment and from nothing else."""

from typing import Any

import pytest

from cesplan.domain.features.release import CanaryStep, Release, ReleaseLimits
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.features.releases.split import Stage, fields_at, fields_of, ids_of, position_of, put_back, words_of

APP = "projects/acme-dev/locations/us/apps/help-desk"
NAMING = Naming(place=Place(project="acme-dev", location="us"), app_id="help-desk")
RELEASE = Release(
    name="web",
    app="help-desk",
    file="",
    deployment="web-chat",
    candidate="versions/r2",
    limits=ReleaseLimits(sessions=1),
    canary=tuple(CanaryStep(percent=percent) for percent in (5, 25, 100)),
)


def live(serves: str, *shares: tuple[str, str, int]) -> dict[str, Any]:
    found: dict[str, Any] = {"appVersion": f"{APP}/versions/{serves}"} if serves else {}
    if shares:
        entries = [
            {"id": name, "appVersion": f"{APP}/versions/{version}", "trafficPercentage": percent}
            for name, version, percent in shares
        ]
        release = {"state": "RUNNING", "trafficAllocations": entries}
        found["experimentConfig"] = {"versionRelease": release}
    return found


OLD, NEW = ids_of(RELEASE)


@pytest.mark.parametrize(
    ("body", "stage", "served", "step"),
    [
        (None, Stage.ABSENT, "", -1),
        (live("r1"), Stage.NOT_STARTED, "versions/r1", -1),
        (live(""), Stage.NOT_STARTED, "", -1),
        (live("r2"), Stage.DONE, "versions/r2", -1),
        (live("r1", (OLD, "r1", 95), (NEW, "r2", 5)), Stage.STEP, "versions/r1", 0),
        (live("r1", (NEW, "r2", 25), (OLD, "r1", 75)), Stage.STEP, "versions/r1", 1),
        (live("r1", (OLD, "r1", 95), (NEW, "r2", 5), ("zero", "r3", 0)), Stage.STEP, "versions/r1", 0),
        (live("r1", (OLD, "r1", 0), (NEW, "r2", 0)), Stage.NOT_STARTED, "versions/r1", -1),
        (live("r1", (OLD, "r1", 50), (NEW, "r2", 50)), Stage.FOREIGN, "versions/r1", -1),
        (live("r2", (OLD, "r1", 95), (NEW, "r2", 5)), Stage.FOREIGN, "versions/r2", -1),
        (live("r1", (OLD, "r1", 95), ("console", "r2", 5)), Stage.FOREIGN, "versions/r1", -1),
        (live("r1", (OLD, "r1", 90), (NEW, "r2", 5), ("x", "r3", 5)), Stage.FOREIGN, "versions/r1", -1),
        (live("r1", (OLD, "r1", 95), (NEW, "r2", 4)), Stage.FOREIGN, "versions/r1", -1),
        (live("r1", (NEW, "r2", 100)), Stage.FOREIGN, "versions/r1", -1),
        (live("r1", (OLD, "r1", 95), (NEW, "r3", 5)), Stage.OTHER_CANDIDATE, "versions/r1", -1),
    ],
)
def test_the_traffic_says_where_a_release_is(
    body: dict[str, Any] | None, stage: Stage, served: str, step: int
) -> None:
    """Whatever a release did not make is foreign; entries without traffic are none."""
    found = position_of(RELEASE, body, NAMING)
    assert (found.stage, found.served, found.step) == (stage, served, step)
    assert words_of(found, RELEASE)


@pytest.mark.parametrize("percent", [1, 5, 99])
def test_a_share_is_read_back_as_it_is_written(percent: int) -> None:
    """And before the last step, `appVersion` is the old version, whichever of the two the service obeys."""
    fields = fields_at(RELEASE, "versions/r1", percent)
    assert fields["appVersion"] == "versions/r1"
    shares = fields["experimentConfig"]["versionRelease"]["trafficAllocations"]
    assert sum(item["trafficPercentage"] for item in shares) == 100
    body = live("r1", *((item["id"], item["appVersion"][9:], item["trafficPercentage"]) for item in shares))
    assert fields_of(body, NAMING) == fields


def test_the_last_step_and_the_way_back_have_no_split() -> None:
    assert fields_at(RELEASE, "versions/r1", 100) == {"appVersion": "versions/r2", "experimentConfig": None}
    at_five = position_of(RELEASE, live("r1", (OLD, "r1", 95), (NEW, "r2", 5)), NAMING)
    assert put_back(at_five) == {"appVersion": "versions/r1", "experimentConfig": None}


def test_ids_fit_the_api_however_long_a_name_is() -> None:
    """At most 128 characters."""
    from dataclasses import replace

    assert all(len(item) <= 128 for item in ids_of(replace(RELEASE, name="r" * 250)))
