"""Which shard an app is in, and what may be joined."""

import pytest

from cesplan.domain.errors import UsageError
from cesplan.features.drift.shards import WHOLE, Shard, joined, parse_shard, shard_of_job
from tests.unit.features.drift.reports import app, created, field_drift, report


def test_every_app_is_in_exactly_one_shard() -> None:
    """Whatever the count; and shards of many apps are of about the same size."""
    names = [f"desk-{number}" for number in range(1000)]
    for count in (1, 2, 8, 100):
        shards = [Shard(index=index, count=count) for index in range(1, count + 1)]
        found = [[item for item in shards if item.has("acme", "us", name)] for name in names]
        assert {len(item) for item in found} == {1}
    sizes = [
        sum(Shard(index=index, count=8).has("acme", "us", name) for name in names) for index in range(1, 9)
    ]
    assert min(sizes) > 90


def test_an_apps_shard_is_the_same_in_every_run() -> None:
    """It is decided by names alone: a literal guards against a hash with a seed."""
    shards = [Shard(index=index, count=4) for index in range(1, 5)]
    assert [item.index for item in shards if item.has("acme-dev", "us", "support-desk")] == [2]


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "-1/2", "a/b", "1/99999999", "١/٢", "1/2/3"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="shard"):
        parse_shard(text)


@pytest.mark.parametrize(
    ("environ", "shard"),
    [
        ({}, WHOLE),
        ({"JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "8"}, Shard(index=1, count=8)),
        ({"CLOUD_RUN_TASK_INDEX": "7", "CLOUD_RUN_TASK_COUNT": "8"}, Shard(index=8, count=8)),
        ({"JOB_COMPLETIONS": "8"}, WHOLE),
    ],
)
def test_a_job_counts_its_tasks_from_0(environ: dict[str, str], shard: Shard) -> None:
    assert shard_of_job(environ) == shard


@pytest.mark.parametrize("index", ["8", "-1", "x", ""])
def test_an_index_outside_of_its_count_is_refused(index: str) -> None:
    with pytest.raises(UsageError):
        shard_of_job({"JOB_COMPLETION_INDEX": index, "JOB_COMPLETIONS": "8"})


def test_joined_reports_have_one_order_and_the_time_of_the_first() -> None:
    """As if one run had checked everything; how long it took is not known."""
    one = report(app(field_drift(), key="b"), shard="1/2", checked_at="2026-11-21T06:00:01Z")
    two = report(app(created(), key="a"), shard="2/2", checked_at="2026-11-21T06:00:00Z")
    whole = joined([one, two])
    assert [item.app for item in whole.apps] == ["a", "b"]
    assert (whole.checked_at, whole.seconds, whole.shard) == ("2026-11-21T06:00:00Z", None, "")
    assert joined([two, one]) == whole


def test_an_app_in_two_reports_is_of_two_runs() -> None:
    """Of which one is older: to choose would be a guess."""
    with pytest.raises(UsageError, match="in more than one report"):
        joined([report(app(key="a"), shard="1/2"), report(app(key="a"), shard="2/2")])
