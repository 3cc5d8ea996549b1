"""Evaluation runs as rules know them."""

from typing import Any

from cesplan.domain.features.policy import Rule
from cesplan.domain.naming import Naming
from cesplan.features.policy.check import run_facts
from cesplan.features.policy.proof import subject_of
from cesplan.features.policy.verdicts import rule_verdicts
from tests.unit.engine.builders import NAMING, name

PASSED = {"name": name("evaluationRuns/run-1"), "progress": {"totalCount": 2, "passedCount": 2}}


def test_what_a_run_refers_to_is_said_as_in_bodies() -> None:
    """By key where the tree has one, whatever its id is; counts that are absent are 0."""
    naming = Naming(place=NAMING.place, app_id=NAMING.app_id, keys={("versions", "5f0c"): "release-2"})
    run = {
        **PASSED,
        "displayName": "Nightly",
        "createTime": "2026-11-20T07:30:00Z",
        "state": "COMPLETED",
        "appVersion": name("versions/5f0c"),
        "evaluationDataset": name("evaluationDatasets/nightly"),
    }
    assert run_facts(run, naming) == {
        "id": "run-1",
        "display_name": "Nightly",
        "time": "2026-11-20T07:30:00Z",
        "state": "COMPLETED",
        "version": "versions/release-2",
        "dataset": "evaluationDatasets/nightly",
        "evaluations": [],
        "total": 2,
        "passed": 2,
        "failed": 0,
        "errors": 0,
    }


def test_a_run_of_the_draft_is_of_no_version() -> None:
    assert run_facts(PASSED, NAMING)["version"] == ""


def test_no_deployment_without_a_passing_run_of_its_version() -> None:
    """Of that version, and all of it; without any runs the rule is broken."""
    condition = "runs.exists(r, r.version == after.appVersion && r.total > 0 && r.passed == r.total)"
    rule = Rule(name="evaluated", condition=condition)

    def is_broken(*runs: dict[str, Any]) -> bool:
        known = [run_facts(run, NAMING) for run in runs]
        operation = {"address": "shop/deployments/web-chat", "before": {}, "runs": known}
        return bool(rule_verdicts([rule], [subject_of({**operation, "after": {"appVersion": "versions/two"}})]))

    two, one = ({**PASSED, "appVersion": name(f"versions/{key}")} for key in ("two", "one"))
    failed = {**two, "progress": {"totalCount": 2, "passedCount": 1, "failedCount": 1}}
    assert [is_broken(), is_broken(one), is_broken(failed), is_broken(failed, two)] == [True, True, True, False]
