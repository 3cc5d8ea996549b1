"""The parts of a gate that are not evaluations: the smoke test and the judges."""

from cesplan.domain.features.evaluation import ToolBehavior
from cesplan.domain.features.judges import JudgeCase, JudgeLimits
from cesplan.domain.features.release import PartReport, Release
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import Place
from cesplan.features.judges.judging import criterion_of, judge_turns
from cesplan.features.judges.spending import expected_calls
from cesplan.features.smoke.running import SmokeLimits
from cesplan.workflow.live_app.target import AppTarget
from cesplan.workflow.releases.opening import OpenRelease
from cesplan.workflow.scores.judging import judge_of
from cesplan.workflow.smoke.opening import TalkChoice, talking
from cesplan.workflow.smoke.running import run_smoke

_ANSWER_SECONDS = 60.0
"""Seconds to wait for one answer of an agent."""
JUDGE_LOCATION = "us-central1"
"""The default location of judges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """
    What can be run besides evaluations. `judge_project` is the project in which judges run and which is billed;
    empty for the project of the tree.
    """

    judge_project: str = ""
    judge_location: str = JUDGE_LOCATION

    def smoke(self, opened: OpenRelease, *, sessions: int, seconds: float) -> PartReport:
        """Run the steps of the release on its smoke deployment, which must serve the candidate."""
        release = opened.release
        target = AppTarget(tree=opened.target.tree, command="release", app=release.app)
        choice = TalkChoice(fakes=release.smoke_tools is ToolBehavior.FAKE)
        limits = SmokeLimits(sessions=sessions, seconds=seconds)
        with talking(target, opened.connection, seconds=_ANSWER_SECONDS) as app:
            return run_smoke(release.smoke, app.of_release(release, choice), limits, app.client).part

    def calls(self, release: Release, cases: tuple[JudgeCase, ...]) -> int:
        """The minimum number of requests for judging these cases."""
        return expected_calls([criterion_of(item) for item in release.judges], cases)

    def judges(self, opened: OpenRelease, cases: tuple[JudgeCase, ...], *, seconds: float) -> PartReport:
        """Ask the judges about the observed turns."""
        release = opened.release
        project = self.judge_project or opened.settings.place.project
        place = Place(project=project, location=self.judge_location)
        limits = JudgeLimits(calls=release.limits.judge_calls, seconds=max(1.0, seconds))
        with judge_of(place, opened.connection) as judge:
            return judge_turns(release.judges, cases, judge, limits).part()
