"""The facts about a release that policy rules can read: its newest evidence, and whether that is valid."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cesplan.domain.features.release import Release
from cesplan.domain.text.times import moment

if TYPE_CHECKING:
    from cesplan.features.releases.json_report import EvidenceDocument

NONE = "none"
VOID = "void"
"""The evidence is of another release file or another candidate, or older than the release allows."""


def release_facts(
    release: Release, evidence: "EvidenceDocument | None", now: datetime, action: str = ""
) -> Mapping[str, Any]:
    """
    The value of `release` in a rule. `action` is the move being checked, empty for a plan.

    `age` is in seconds since the oldest run of the candidate; -1 without evidence.
    """
    found = {"name": release.name, "action": action, "verdict": NONE, "version": "", "age": -1}
    gate = evidence.gate if evidence is not None else None
    if evidence is None or gate is None:
        return found
    began = moment(gate.oldest_run or gate.time)
    age = int((now - began).total_seconds()) if began else -1
    is_same = (
        evidence.release.digest == release.digest
        and evidence.release.candidate == release.candidate
        and (evidence.release.app, evidence.release.name) == (release.app, release.name)
    )
    is_young = 0 <= age <= release.evidence_age.total_seconds()
    return {
        **found,
        "verdict": gate.verdict if is_same and is_young else VOID,
        "version": evidence.release.candidate,
        "age": age,
    }
