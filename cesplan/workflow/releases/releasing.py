"""The commands of a release, each a few calls of the stages."""

from collections.abc import Callable
from dataclasses import field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from cesplan.domain.errors import CesplanError, Refused
from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.gate import GatePlan, GateReport
from cesplan.domain.frozen import dataclass
from cesplan.domain.options import Allowances
from cesplan.domain.outcome import Applied
from cesplan.features.history.edit_log import EditLog
from cesplan.features.releases.canary import CanaryReport, Due
from cesplan.features.releases.policy_facts import release_facts
from cesplan.features.releases.report import Ending, Move, Record, ReleaseReport
from cesplan.features.releases.split import (
    Position,
    Stage,
    fields_at,
    fields_of,
    position_of,
    put_back,
    words_of,
)
from cesplan.workflow.evidence.evidence_file import read_file, write_file
from cesplan.workflow.releases.gating import Gate, OnProgress
from cesplan.workflow.releases.moving import carry_out, plan_move
from cesplan.workflow.releases.opening import OpenRelease
from cesplan.workflow.releases.parts import Parts
from cesplan.workflow.releases.watching import watch

_ALL = 100
_MOST_READ = 50
"""The number of change-log entries of a deployment to read for what it served."""
_ENDINGS = {
    EvaluationVerdict.PASSED: Ending.DONE,
    EvaluationVerdict.FAILED: Ending.REFUSED,
    EvaluationVerdict.INCONCLUSIVE: Ending.INCONCLUSIVE,
}
_SUMMARIES = {
    EvaluationVerdict.PASSED: "The gate passed.",
    EvaluationVerdict.FAILED: "The gate failed.",
    EvaluationVerdict.INCONCLUSIVE: "The gate is inconclusive.",
}


class Person(Protocol):
    """The person who decides, before sessions are spent and before traffic is moved."""

    def approve_gate(self, planned: GatePlan) -> None:
        """Raises Declined or Refused."""
        ...

    def approve_move(self, opened: OpenRelease, before: Position, after: str) -> None:
        """Raises Declined or Refused."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Releasing:
    """One command on an open release."""

    opened: OpenRelease
    person: Person
    on_progress: OnProgress
    evidence: Path
    parts: Parts = field(default_factory=Parts)
    allowances: Allowances = field(default_factory=Allowances)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def plan(self) -> ReleaseReport:
        """The plan of a gate. Starts nothing."""
        with self.opened.evaluations() as app:
            planned = Gate(opened=self.opened, app=app, parts=self.parts, now=self.now).plan()
        return self._report("plan", Ending.DONE, _plan_words(planned), plan=planned)

    def gate(self) -> ReleaseReport:
        """Run what the release requires and judge it. Moves nothing."""
        planned, found = self._gated()
        self._keep(found, self._record())
        return self._report(
            "gate", _ENDINGS[found.verdict], _SUMMARIES[found.verdict], plan=planned, gate=found
        )

    def start(self) -> ReleaseReport:
        """
        Run the gate, then give the candidate its first share; a release that has begun is left where it is.
        """
        position = self.opened.position
        match position.stage:
            case Stage.ABSENT:
                raise CesplanError(
                    summary=f"The deployment {self.opened.address} does not exist.",
                    detail="Apply the tree first: a new deployment serves the version of its file at once.",
                )
            case Stage.DONE | Stage.STEP:
                words = words_of(position, self.opened.release)
                return self._report("start", Ending.DONE, f"The release has begun: {words}.")
            case Stage.FOREIGN | Stage.OTHER_CANDIDATE:
                return self._foreign("start")
            case Stage.NOT_STARTED:
                pass
        planned, found = self._gated()
        self._keep(found, self._record())
        if found.verdict is not EvaluationVerdict.PASSED:
            summary = f"{_SUMMARIES[found.verdict]} No traffic was moved."
            return self._report("start", _ENDINGS[found.verdict], summary, plan=planned, gate=found)
        steps = self.opened.release.canary
        percent = steps[0].percent if steps and position.served else _ALL
        return self._moved("start", percent, gate=found)

    def step(self) -> ReleaseReport:
        """Do what is due, which may be nothing."""
        canary = self._watched("step")
        if isinstance(canary, ReleaseReport):
            return canary
        match canary.due:
            case Due.HOLD:
                return self._report("step", Ending.HOLDING, "The step is not over.", canary=canary)
            case Due.ADVANCE:
                following = self.opened.release.canary[self.opened.position.step + 1]
                return self._moved("step", following.percent, canary=canary)
            case Due.ABORT:
                found = self._moved("step", 0, canary=canary)
                if found.ending is not Ending.DONE:
                    return found
                summary = f"The canary failed. {found.summary}"
                return replace(found, ending=Ending.REFUSED, summary=summary)

    def status(self) -> ReleaseReport:
        """The state of the release, and what is due. Writes nothing."""
        canary = self._watched("status")
        if isinstance(canary, ReleaseReport):
            return canary
        ending, summary = {
            Due.HOLD: (Ending.HOLDING, "The step is not over."),
            Due.ADVANCE: (Ending.DONE, "The next step is due."),
            Due.ABORT: (Ending.REFUSED, "The candidate is worse than allowed: moving the traffic back is due."),
        }[canary.due]
        return self._report("status", ending, summary, canary=canary)

    def abort(self) -> ReleaseReport:
        """Restore what the deployment served before."""
        position = self.opened.position
        match position.stage:
            case Stage.FOREIGN:
                return self._foreign("abort")
            case Stage.ABSENT | Stage.NOT_STARTED:
                words = words_of(position, self.opened.release)
                return self._report("abort", Ending.DONE, f"There is nothing to restore: {words}.")
            case Stage.DONE if not (self._recorded(position) and self._has_served()):
                raise CesplanError(
                    summary=f"What {self.opened.address} served before is unknown.",
                    detail=f"{self.evidence} has no record of it, or the change log disagrees. To go back to"
                    " a version:\n\n"
                    "    cesplan rollback --to VERSION",
                )
            case Stage.DONE | Stage.STEP | Stage.OTHER_CANDIDATE:
                return self._moved("abort", 0)

    def _watched(self, action: str) -> CanaryReport | ReleaseReport:
        """What the current step shows; the report of the action if no step is under way."""
        position = self.opened.position
        if position.stage in (Stage.FOREIGN, Stage.OTHER_CANDIDATE):
            return self._foreign(action)
        if position.stage is not Stage.STEP:
            text = words_of(position, self.opened.release)
            return self._report(action, Ending.DONE, f"Nothing is due: {text}.")
        return watch(self.opened, self.opened.release.canary[position.step], self.now())

    def _gated(self) -> tuple[GatePlan, GateReport]:
        with self.opened.evaluations() as app:
            gate = Gate(opened=self.opened, app=app, parts=self.parts, now=self.now)
            planned = gate.plan()
            if planned.over_limit and not planned.blockers:
                raise Refused(summary="Nothing was started.", reasons=planned.over_limit)
            if planned.sessions and not planned.blockers:
                self.person.approve_gate(planned)
            return planned, gate.run(planned, self.on_progress)

    def _moved(
        self, action: str, percent: int, *, gate: GateReport | None = None, canary: CanaryReport | None = None
    ) -> ReleaseReport:
        """
        Update the deployment once. Its previous state is recorded first, so that it can be restored even if
        this process ends right after the write.
        """
        opened, before = self.opened, self.opened.position
        fields = self._back(before) if percent == 0 else fields_at(opened.release, before.served, percent)
        facts = release_facts(
            opened.release, read_file(self.evidence), self.now(), action if percent else "abort"
        )
        plan = plan_move(opened, fields, self.allowances, facts)
        after = _after_words(opened, before, percent, fields)
        if plan.operations:
            self.person.approve_move(opened, before, after)
        record = self._record()
        if before.stage is Stage.NOT_STARTED and opened.deployment is not None:
            record = replace(record, before=fields_of(opened.deployment.body, opened.naming))
        pending = replace(record, moves=(*record.moves, Move(action=action, percent=percent)))
        self._keep(gate, pending)
        outcome = carry_out(plan, opened) if plan.operations else None
        done = Move(action=action, percent=percent, time=self.now())
        if outcome is None or isinstance(outcome, Applied):
            self._keep(gate, replace(record, moves=(*record.moves, done)))
        not_converged = outcome.not_converged if isinstance(outcome, Applied) else ()
        is_known = outcome is None or isinstance(outcome, Applied)
        live = opened.reread() or {}
        now = position_of(opened.release, live, opened.naming)
        has_moved = _same_traffic(fields_of(live, opened.naming), fields)
        ending = Ending.DONE if is_known and has_moved and not not_converged else Ending.PARTIAL
        summary = f"Now {after}." if is_known else f"Whether {after} is unknown."
        if is_known and not has_moved:
            summary = f"The traffic is not where it was moved: {words_of(now, opened.release)}."
        report = self._report(action, ending, summary, gate=gate, canary=canary)
        return replace(report, position=now, moved_from=before, not_converged=not_converged)

    def _back(self, position: Position) -> dict[str, Any]:
        """The recorded fields, if live agrees that they were served; else all traffic to the old version."""
        recorded = self._record().before
        if recorded is not None and self._recorded(position):
            return put_back(replace(position, served=recorded["appVersion"]))
        return put_back(position)

    def _has_served(self) -> bool:
        """
        Whether the deployment named the recorded version according to the change log. The record is a file in a
        checkout: on its own, it must not choose what is served.
        """
        opened, recorded = self.opened, (self._record().before or {}).get("appVersion")
        if opened.deployment is None:
            return False
        log = EditLog.since(opened.client, opened.app_name, None)
        for entry in log.on(opened.deployment.name)[:_MOST_READ]:
            body = log.read(entry).get("originalResource")
            if isinstance(body, dict) and fields_of(body, opened.naming)["appVersion"] == recorded:
                return True
        return False

    def _recorded(self, position: Position) -> bool:
        recorded = self._record().before or {}
        served = recorded.get("appVersion")
        if not isinstance(served, str) or not served.startswith("versions/"):
            return False
        if position.stage is Stage.DONE:
            return served != self.opened.release.candidate
        return served == position.served

    def _record(self) -> Record:
        """The record of this release and candidate; a record of another one does not count."""
        found = read_file(self.evidence)
        mine = self.opened.release
        if found is None or (found.release.app, found.release.name) != (mine.app, mine.name):
            return Record()
        if found.release.candidate != mine.candidate:
            return Record()
        return found.record

    def _keep(self, gate: GateReport | None, record: Record) -> None:
        write_file(self.evidence, self.opened.release, self.opened.settings, gate, record)

    def _foreign(self, action: str) -> ReleaseReport:
        position, release = self.opened.position, self.opened.release
        words = words_of(position, release)
        if position.stage is Stage.OTHER_CANDIDATE:
            text = f"Another release is under way: {words}. End it with `cesplan release abort` first."
        else:
            text = f"Someone else moved the traffic: {words}. Nothing was written."
        return self._report(action, Ending.FOREIGN, text)

    def _report(
        self,
        action: str,
        ending: Ending,
        summary: str,
        *,
        plan: GatePlan | None = None,
        gate: GateReport | None = None,
        canary: CanaryReport | None = None,
    ) -> ReleaseReport:
        return ReleaseReport(
            action=action,
            service=self.opened.settings,
            release=self.opened.release,
            position=self.opened.position,
            ending=ending,
            summary=summary,
            plan=plan,
            gate=gate,
            canary=canary,
            notices=gate.notices if gate else (),
        )


def _same_traffic(live: dict[str, Any], planned: dict[str, Any]) -> bool:
    """Whether the deployment has these fields now; entries without traffic are ignored."""

    def shares(fields: dict[str, Any]) -> set[tuple[str, int, str]]:
        split = ((fields["experimentConfig"] or {}).get("versionRelease") or {}).get("trafficAllocations") or ()
        return {
            (item["id"], item["trafficPercentage"], item["appVersion"])
            for item in split
            if item.get("trafficPercentage")
        }

    return live["appVersion"] == planned["appVersion"] and shares(live) == shares(planned)


def _plan_words(planned: GatePlan) -> str:
    if planned.blockers:
        return "The gate would start nothing: see the blockers."
    if planned.over_limit:
        return f"The gate would start nothing. {' '.join(planned.over_limit)}"
    return (
        f"The gate would take at least {planned.sessions:,} sessions, of {planned.release.limits.sessions:,}."
    )


def _after_words(opened: OpenRelease, before: Position, percent: int, fields: dict[str, Any]) -> str:
    candidate = opened.release.candidate
    if percent == 0:
        return f"{fields['appVersion']} serves all traffic again"
    if percent == _ALL:
        return f"{candidate} serves all traffic"
    return f"{candidate} has {percent}%, {before.served} the rest"
