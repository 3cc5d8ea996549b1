"""The version that a deployment goes back to, from what it served before."""

from itertools import pairwise

import pytest

from cesplan.domain.errors import UsageError
from cesplan.domain.features.going_back import VersionTitle
from cesplan.domain.features.serving import shares_of
from cesplan.features.going_back.earlier import PastChange, earlier_target
from cesplan.features.going_back.kept_metadata import kept_metadata, stamp_keys

VERSIONS = {
    name: VersionTitle(
        name=f"a/versions/{name}", id=name, title=name.upper(), create_time=f"2026-01-0{name[1]}"
    )
    for name in ("v1", "v2", "v3")
}


def body(*versions):
    """A deployment of these versions: one alone, or a split in equal parts."""
    if len(versions) == 1:
        return {"appVersion": f"a/versions/{versions[0]}"}
    rows = [{"appVersion": f"a/versions/{name}", "trafficPercentage": 50} for name in versions]
    return {"experimentConfig": {"versionRelease": {"trafficAllocations": rows}}}


def found(*states, known=VERSIONS):
    """The target after these states, oldest first."""
    bodies = [body(*state) for state in states]
    past = [PastChange(before=one, after=two) for one, two in pairwise(bodies)]
    target = earlier_target(shares_of(bodies[-1]), past[::-1], known)
    return target.version.id, target.is_back


@pytest.mark.parametrize(
    ("states", "target"),
    [
        ([["v1"], ["v2"]], ("v1", False)),
        ([["v1"], ["v2"], ["v3"]], ("v2", False)),
        ([["v1"], ["v1", "v2"]], ("v1", False)),
        ([["v1"], ["v1", "v2"], ["v2"]], ("v1", False)),
        ([["v1"], ["v1", "v2"], ["v1"]], ("v1", True)),
        ([["v1"], ["v2"], ["v1"]], ("v1", True)),
        ([["v2"], ["v1"], ["v3"]], ("v1", False)),
        ([["v1"], ["v2"], ["v2"]], ("v1", False)),
        ([["v1"], ["v3"], ["v1", "v2"]], ("v1", False)),
    ],
)
def test_the_target(states, target):
    """The newest state of one older version; what went back already stays."""
    assert found(*states) == target


@pytest.mark.parametrize("states", [[["v1"]], [["v2"], ["v3", "v2"], ["v3"]][2:], [["v1", "v2"], ["v2"]]])
def test_nothing_is_guessed(states):
    """Without an earlier state of one version, a person has to say which."""
    with pytest.raises(UsageError) as caught:
        found(*states)
    assert "--to" in caught.value.detail


def test_a_version_that_is_gone_may_have_been_newer_or_older():
    """In the newest change nothing is guessed; further back it is passed over, since it cannot be served."""
    known = {name: VERSIONS[name] for name in ("v1", "v3")}
    with pytest.raises(UsageError):
        found(["v1"], ["v2"], ["v3"], known=known)
    assert found(["v1"], ["v2"], ["v1", "v3"], ["v3"], known=known) == ("v1", False)


def test_a_log_that_lags_behind_is_not_the_past():
    """The newest change that it shows does not lead to what serves now."""
    past = [PastChange(before=body("v1"), after=body("v2"))]
    with pytest.raises(UsageError):
        earlier_target(shares_of(body("v3")), past, VERSIONS)


def test_metadata_after_a_restore():
    """Keys of the tree are the version's; the stamp and what others keep stay; the lease is the run's own."""
    before = {"cesplan-commit": "new", "cesplan-lease": "old", "owner": "desk", "tier": "gold"}
    now = {"cesplan-commit": "then", "cesplan-lease": "older", "tier": "silver", "stray": "x"}
    lease = {"cesplan-lease": "mine"}
    assert kept_metadata(before, now, {"tier"}, lease) == {
        "cesplan-commit": "new",
        "owner": "desk",
        "tier": "silver",
        **lease,
    }
    assert stamp_keys(before) == {"cesplan-commit": "new"}
