"""What a deployment serves."""

import pytest

from cesplan.domain.features.serving import shares_of


def split(*shares):
    rows = [{"appVersion": f"projects/1/x/versions/{name}", "trafficPercentage": part} for name, part in shares]
    return {"experimentConfig": {"versionRelease": {"trafficAllocations": rows}}}


@pytest.mark.parametrize(
    ("body", "shares"),
    [
        ({}, []),
        ({"appVersion": "projects/p/x/versions/v1"}, [("v1", 100)]),
        (split(("v1", 95), ("v2", 5)), [("v1", 95), ("v2", 5)]),
        (split(("v1", 100), ("v2", 0)), [("v1", 100)]),
        (split(("v1", 100), ("v2", float("nan"))), [("v1", 100)]),
        (split(("v1", 95.0), ("v2", 5.0)), [("v1", 95), ("v2", 5)]),
        (split(("v1", 40), ("v1", 60)), [("v1", 100)]),
        ({"appVersion": "a/versions/v1"} | split(("v1", 100)), [("v1", 100)]),
        ({"appVersion": "a/versions/v1"} | split(("v1", 95), ("v2", 5)), [("v1", None), ("v2", None)]),
        ({"experimentConfig": {"versionRelease": {"trafficAllocations": "x"}}}, []),
        ({"experimentConfig": None, "appVersion": "a/versions/v1"}, [("v1", 100)]),
    ],
)
def test_the_shares(body, shares):
    """A split has percentages; where appVersion stands beside it, which one counts is not documented."""
    assert [(item.version, item.percent) for item in shares_of(body)] == shares
