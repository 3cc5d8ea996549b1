"""Many trees, environments and apps at once: one report, in one order, complete whatever fails."""

import json
from pathlib import Path

import pytest

from tests.drift.conftest import Fleet


def test_one_report_in_the_order_of_trees_environments_and_apps(fleet: Fleet) -> None:
    """Whatever order they were named in, and however they were scheduled."""
    fleet.edit("delta")
    found = fleet.report("two", "one")
    assert found == (
        2,
        [
            "one - alpha: 0 acme-dev/us",
            "one - bravo: 0 acme-dev/us",
            "two - charlie: 0 acme-dev/us",
            "two - delta: 1 acme-dev/us",
        ],
    )
    assert fleet.report("one", "two") == found


def test_several_environments_of_a_tree(fleet: Fleet) -> None:
    """`-e` can be repeated; --all-environments checks each that cesplan.yaml names."""
    fleet.apply("one", "prod")
    fleet.apply("one", "eu")
    fleet.edit("alpha", project="acme-prod")
    wanted = (
        2,
        [
            "one eu alpha: 0 acme-dev/eu",
            "one eu bravo: 0 acme-dev/eu",
            "one prod alpha: 1 acme-prod/us",
            "one prod bravo: 0 acme-prod/us",
        ],
    )
    assert fleet.report("one", "--all-environments") == wanted
    assert fleet.report("one", "-e", "prod", "-e", "eu") == wanted


def test_an_app_that_fails_keeps_no_other_from_being_checked(fleet: Fleet) -> None:
    """Its error is in the report, and its exit code wins over that of drift."""
    fleet.edit("delta")
    denied = {"status": {"code": "PERMISSION_DENIED", "message": "not yours"}, "times": 99}
    fleet.service.break_with({"method": "ListAgents", "resource": "*apps/bravo*", **denied})
    code, lines = fleet.report("one", "two")
    assert code == 6
    assert lines[0] == "one - alpha: 0 acme-dev/us"
    assert lines[1].startswith("one - bravo: Not permitted to list agents")
    assert lines[2:] == ["two - charlie: 0 acme-dev/us", "two - delta: 1 acme-dev/us"]


def test_a_tree_with_errors_is_one_line_and_the_others_are_checked(fleet: Fleet) -> None:
    """7, as for every invalid tree; what is wrong with it is told on stderr."""
    fleet.edit("delta")
    (fleet.root / "one" / "apps" / "alpha" / "app.yaml").write_text("displaynam: x\n")
    code, lines = fleet.report("one", "two")
    assert code == 7
    assert lines[0].startswith("one - -: The tree has errors: apps/alpha/app.yaml:1:1: ")
    assert lines[1:] == ["two - charlie: 0 acme-dev/us", "two - delta: 1 acme-dev/us"]
    assert "displaynam" in fleet.say("drift", "one", "two")[2]


def test_nothing_is_written(fleet: Fleet) -> None:
    """Not one request could."""
    fleet.edit("delta")
    before = len(fleet.service.journal.entries)
    fleet.report("one", "two")
    methods = {entry.method.partition(" ")[0] for entry in fleet.service.journal.entries[before:]}
    assert methods == {"GET"}


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_the_union_of_all_shards_is_the_whole(fleet: Fleet, count: int) -> None:
    """Each app is in one shard, and joined reports say what one run says."""
    fleet.edit("delta")
    fleet.edit("alpha")
    files = []
    for index in range(1, count + 1):
        code, out, _ = fleet.say("drift", "one", "two", "--shard", f"{index}/{count}", "--format", "json")
        assert code in (0, 2)
        files.append(str(fleet.root / f"{index}.json"))
        Path(files[-1]).write_text(out)
    code, joined, _ = fleet.say("drift", "merge", *files, "--format", "json")
    whole = json.loads(fleet.say("drift", "one", "two", "--format", "json")[1])
    joined_apps = json.loads(joined)["apps"]
    assert code == 2
    assert joined_apps == whole["apps"]
    assert json.loads(joined)["summary"] == whole["summary"]
    assert json.loads(joined)["fingerprint"] == whole["fingerprint"]


def test_the_shard_of_an_app_does_not_depend_on_the_others(fleet: Fleet) -> None:
    """An app that is added moves none: where it is decided by its own name."""

    def shards() -> dict[str, int]:
        found = {}
        for index in (1, 2, 3):
            for line in fleet.report("one", "two", "--shard", f"{index}/3")[1]:
                found[line.split()[2]] = index
        return found

    before = shards()
    fleet.add("one", "aaaaa")
    after = shards()
    assert {key: after[key] for key in before} == before


def test_a_job_says_which_shard_a_task_is(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kubernetes and Cloud Run count from 0; an index without a count is refused, and --shard wins."""
    wanted = fleet.report("one", "two", "--shard", "2/2")
    monkeypatch.setenv("CLOUD_RUN_TASK_INDEX", "1")
    monkeypatch.setenv("CLOUD_RUN_TASK_COUNT", "2")
    assert fleet.report("one", "two") == wanted
    monkeypatch.setenv("JOB_COMPLETION_INDEX", "0")
    code, _, err = fleet.say("drift", "one")
    assert code == 64
    assert "JOB_COMPLETION_INDEX is set in the environment, but JOB_COMPLETIONS is not." in " ".join(
        err.split()
    )
    assert fleet.report("one", "two", "--shard", "2/2") == wanted


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["1.json"], "Shard 2/2 is missing."),
        (["1.json", "1.json", "2.json"], "Shard 1/2 is given twice."),
        (["1.json", "2.json", "whole.json"], "These reports are from different runs"),
        (["1.json", "no.json"], "Cannot read no.json"),
        (["1.json", "one/cesplan.yaml"], "one/cesplan.yaml is not a drift report."),
        (["1.json", "other.json"], "other.json is not a drift report."),
    ],
)
def test_what_cannot_be_joined_is_refused(fleet: Fleet, given: list[str], said: str) -> None:
    """A part would hide what the rest would say."""
    for index in (1, 2):
        out = fleet.say("drift", "one", "two", "--shard", f"{index}/2", "--format", "json")[1]
        (fleet.root / f"{index}.json").write_text(out)
    (fleet.root / "whole.json").write_text(fleet.say("drift", "one", "--format", "json")[1])
    (fleet.root / "other.json").write_text('{"format_version": "9.0", "apps": []}')
    code, out, err = fleet.say("drift", "merge", *given)
    assert (code, out) == (64, "")
    assert said in err


def test_a_folder_called_merge_is_a_tree_by_its_path(fleet: Fleet) -> None:
    fleet.add("merge", "echo-app")
    fleet.apply("merge")
    assert fleet.report("./merge") == (0, ["./merge - echo-app: 0 acme-dev/us"])


def test_filters_leave_out_and_say_so(fleet: Fleet) -> None:
    """--target, --app and --author choose; what is left out is counted, and a slip is an error."""
    fleet.edit("alpha")
    fleet.edit("bravo")
    assert fleet.report("one", "--app", "alpha") == (2, ["one - alpha: 1 acme-dev/us"])
    assert fleet.report("one", "--target", "bravo/agents/*")[1] == [
        "one - alpha: 0 acme-dev/us",
        "one - bravo: 1 acme-dev/us",
    ]
    # Seeded edits are in no log: their author is not known, and their time neither.
    assert fleet.report("one", "--author", "bob@*")[0] == 0
    assert fleet.report("one", "--author", "")[0] == 2
    assert fleet.report("one", "--since", "1h")[0] == 2
    assert "1 other difference not selected" in fleet.say("drift", "one", "--author", "bob@*")[1]
    assert fleet.say("drift", "one", "--app", "alpa")[0] == 64
    assert fleet.say("drift", "one", "--target", "agents/nobody")[0] == 64
    assert fleet.say("drift", "one", "--since", "yesterday")[0] == 64
    assert fleet.say("drift", "one", "--shard", "9/8")[0] == 64
