"""ADK criteria for the observed turns of a run: read before it starts, scored after it ends."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.cli.commands.judge_options import JudgeChoice
from cesplan.cli.live_line import wait_line
from cesplan.cli.session import Session
from cesplan.domain.errors import UsageError
from cesplan.domain.features.evaluation import Demand, RunReport
from cesplan.domain.features.scores import Criterion
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.features.evaluation.found_results import FoundResults
    from cesplan.workflow.evaluation.evaluating import Evaluating

with lazily():
    from cesplan.workflow.evaluation import observing
    from cesplan.workflow.evaluation import scoring as evaluation_scoring


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedCriteria:
    """
    The criteria of a file, and the judges for those that only a model can decide; `address` is an emulator.
    """

    criteria: Sequence[Criterion]
    judges: JudgeChoice
    address: str

    def calls(self, demand: Demand, app: "Evaluating") -> int:
        """How many requests to judges are expected."""
        if not self.judges.judge or not self.criteria:
            return 0
        return evaluation_scoring.judge_calls(self.criteria, demand, app.live)

    def scored(
        self, session: Session, report: RunReport, results: "FoundResults", app: "Evaluating"
    ) -> RunReport:
        """The report with the scores of the criteria; unchanged if there are none."""
        if not self.criteria:
            return report
        observed = observing.observations(report.demand, results, app.live, app.redact)
        limits = self.judges.limits
        if not self.calls(report.demand, app):
            return evaluation_scoring.with_criteria(report, observed, self.criteria, None, limits)
        with (
            self.judges.connected(session, self.address, app.settings.place.project) as judge,
            wait_line(session, "Asking judges"),
        ):
            return evaluation_scoring.with_criteria(report, observed, self.criteria, judge, limits)


def read_criteria_options(path: Path | None, judges: JudgeChoice, address: str) -> RequestedCriteria:
    """The requested criteria. Raises InvalidConfiguration, and UsageError for judges without criteria."""
    if judges.judge and path is None:
        raise UsageError(
            summary="--judge needs --criteria.", detail="Name a test configuration of ADK: --criteria FILE."
        )
    found = evaluation_scoring.criteria_of(path) if path else ()
    return RequestedCriteria(criteria=found, judges=judges, address=address)
