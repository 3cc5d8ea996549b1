"""Evaluation runs in the form that rules see: what was evaluated, and the result."""

from typing import Any

from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body

_COUNTS = {"total": "totalCount", "passed": "passedCount", "failed": "failedCount", "errors": "errorCount"}
"""Our words for the members of EvaluationRun.Progress; absent is 0 there (proto3)."""


def run_facts(run: Body, naming: Naming) -> dict[str, Any]:
    """
    One run. References are written as in bodies: `versions/release-1`.

    `version` is empty for a run of the draft, `dataset` for one of single evaluations.
    """
    progress = run.get("progress") or {}
    counts = {name: int(progress.get(member) or 0) for name, member in _COUNTS.items()}
    return {
        "id": last_id(str(run["name"])),
        "display_name": str(run.get("displayName", "")),
        "time": str(run.get("createTime", "")),
        "state": str(run.get("state", "")),
        "version": naming.to_reference(str(run.get("appVersion", ""))),
        "dataset": naming.to_reference(str(run.get("evaluationDataset", ""))),
        "evaluations": [naming.to_reference(str(name)) for name in run.get("evaluations") or []],
        **counts,
    }
