"""
Gating: find or start the runs that a release requires, wait for them, and judge them with the other parts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic

from cesplan.domain.errors import ApiError, UsageError
from cesplan.domain.features.evaluation import (
    Channel,
    Demand,
    EvaluationVerdict,
    RunReport,
    worst_verdict,
)
from cesplan.domain.features.gate import (
    Found,
    FoundBaseline,
    FoundScore,
    FoundSuite,
    GatePlan,
    GateReport,
    Objection,
    PlannedRun,
)
from cesplan.domain.features.judges import JudgeCase
from cesplan.domain.features.release import DEPLOYED, PartReport, Release, ScoreDemand, Suite, sessions_in
from cesplan.domain.live import LiveApp
from cesplan.domain.text.times import moment
from cesplan.domain.value import Body
from cesplan.features.evaluation.found_results import FoundResults
from cesplan.features.evaluation.starting import StartedRun
from cesplan.features.releases.runs import again_name, digests_of, first_name, made_before
from cesplan.features.releases.split import Stage
from cesplan.features.releases.verdict import assess_release, assess_suite, case_verdict, undecided_of
from cesplan.features.scores.goldens import score_runs
from cesplan.model.kinds import VERSIONS
from cesplan.workflow.evaluation.evaluating import Evaluating, RequestedSettings
from cesplan.workflow.evaluation.observing import ObservedEvaluation, expected_cases, judge_cases, observations
from cesplan.workflow.releases.opening import OpenRelease
from cesplan.workflow.releases.parts import Parts

_MOST_RUNS = 1000
"""The number of newest runs of an app to search for those of a gate."""
_INCONCLUSIVE = EvaluationVerdict.INCONCLUSIVE

OnProgress = Callable[[str, Body, float], None]
"""Receives the name of a suite, the current state of its run, and the seconds waited."""


@dataclass(slots=True, kw_only=True)
class Gate:
    """A gate of one release: first planned, then run."""

    opened: OpenRelease
    app: Evaluating
    parts: Parts
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _runs: tuple[Body, ...] = ()
    _spent: int = 0
    _spent_on_baseline: int = 0
    """The sessions of the baseline runs that this gate started; earlier ones count for another release."""
    _deadline: float = 0.0
    _stopped: list[Objection] = field(default_factory=list)
    _oldest: datetime | None = None
    _version: str = ""
    _cases: list[JudgeCase] = field(default_factory=list)

    def plan(self) -> GatePlan:
        """The planned steps. Starts nothing."""
        release = self.opened.release
        blockers = [*self.opened.blockers()]
        version = version_name = ""
        try:
            found = self.app.version(release.candidate.partition("/")[2])
            version, version_name = found.id, found.title
        except UsageError as error:
            if not any(item.where == release.candidate for item in blockers):
                blockers.append(Objection(where=release.candidate, text=error.summary, verdict=_INCONCLUSIVE))
        position = self.opened.position
        served = position.served if position.stage is not Stage.DONE else ""
        planned = GatePlan(
            service=self.opened.settings,
            release=release,
            version=version,
            version_name=version_name,
            served=served,
            blockers=tuple(blockers),
            smoke_sessions=sessions_in(release.smoke),
        )
        if blockers:
            return planned
        self._runs = self.app.client.list_runs(self.opened.app_name, at_most=_MOST_RUNS)
        runs = [self._planned(item, version) for item in release.suites]
        label, has_baseline = "", True
        if release.baseline == DEPLOYED:
            label, has_baseline, more = self._baseline_runs(served, runs)
            runs += more
        elif release.baseline:
            label = release.baseline
        cases = tuple(
            case
            for item in runs
            if release.judges and not item.is_baseline
            for case in expected_cases(item.demand, self.app.live)
        )
        return replace(
            planned,
            runs=tuple(runs),
            judge_calls=self.parts.calls(release, cases) if release.judges else 0,
            baseline=label,
            has_baseline=has_baseline,
        )

    def _planned(self, suite: Suite, version: str) -> PlannedRun:
        requested = RequestedSettings(
            version=version,
            channel=Channel.TEXT,
            method=suite.method,
            tools=suite.tools,
            repeats=suite.repeats,
        )
        demand = self.app.demand(suite.selection, requested)
        name = first_name(demand)
        age = self.opened.release.evidence_age
        run = made_before(name, self._runs, self.now(), age, version)
        return PlannedRun(suite=suite.name, demand=demand, display_name=name, run=run)

    def _baseline_runs(self, served: str, runs: list[PlannedRun]) -> tuple[str, bool, list[PlannedRun]]:
        """The same runs of the served version; a run of any age counts."""
        kind, _, key = served.partition("/")
        if kind != VERSIONS or key == "-":
            return "nothing: no version is served", False, []
        version = self.app.version(key)
        title = version.title
        found = []
        for item in runs:
            settings = replace(item.demand.settings, version=version.id)
            demand = replace(item.demand, settings=settings, version_name=title)
            name = first_name(demand)
            run = made_before(name, self._runs, self.now(), None, version.id)
            found.append(
                PlannedRun(suite=item.suite, demand=demand, display_name=name, run=run, is_baseline=True)
            )
        return f"version {title}, which is served", True, found

    def run(self, planned: GatePlan, on_progress: OnProgress) -> GateReport:
        """
        Start missing runs, wait for all, and judge. With blockers, it judges without a run. Raises LostResponse
        if it is unknown whether a run was started, and errors of the service.
        """
        release = planned.release
        self._spent = planned.spent
        self._version = planned.version
        self._deadline = monotonic() + 60 * release.limits.minutes
        found = Found(blockers=planned.blockers)
        if not planned.blockers and not planned.over_limit:
            found = self._found(planned, on_progress)
        elif planned.over_limit:
            over = tuple(
                Objection(where="limits", text=text, verdict=_INCONCLUSIVE) for text in planned.over_limit
            )
            found = replace(found, stopped=over)
        return self._report(planned, found)

    def _found(self, planned: GatePlan, on_progress: OnProgress) -> Found:
        release = planned.release
        started = [(item, self._started(item)) for item in planned.runs]
        suites: dict[str, FoundSuite] = {}
        before: list[RunReport] = []
        by_name = {item.name: item for item in release.suites}
        for item, run in started:
            report, scores = self._read(item.demand, run, item.suite, on_progress, release)
            if item.is_baseline:
                before.append(report)
                self._spent_on_baseline += 0 if item.run else _sessions(report)
            else:
                suites[item.suite] = FoundSuite(suite=by_name[item.suite], runs=(report,), scores=scores)
        for name in suites:
            suites[name] = self._again(suites[name], on_progress)
        found = tuple(suites.values())
        return Found(
            suites=found,
            baseline=self._baseline(planned, before),
            smoke=self._smoke() if release.smoke else None,
            judges=self._judges() if release.judges else None,
            stopped=tuple(self._stopped),
        )

    def _started(self, item: PlannedRun) -> StartedRun:
        if item.run:
            return StartedRun(name=item.run)
        self._spent += item.demand.sessions
        return self.app.start(item.demand, item.display_name)

    def _read(
        self, demand: Demand, started: StartedRun, suite: str, on_progress: OnProgress, release: Release
    ) -> tuple[RunReport, tuple[FoundScore, ...]]:
        left = max(0.0, self._deadline - monotonic())
        waited = self.app.waited(started, left, lambda run, seconds: on_progress(suite, run, seconds))
        results = self.app.results(demand, waited.run)
        report = self.app.judged_by(demand, waited.run, results, gave_up=waited.gave_up, compare=True)
        if release.judges and demand.settings.version == self._version:
            self._cases += judge_cases(demand, results, self.app.live, self.app.redact)
        began = moment(report.create_time)
        is_candidate = demand.settings.version == self._version
        if is_candidate and began and (self._oldest is None or began < self._oldest):
            self._oldest = began
        decided = _decided(report, results)
        return report, _scores_of(release.scores, demand, decided, self.app.live)

    def _again(self, found: FoundSuite, on_progress: OnProgress) -> FoundSuite:
        """
        Run again the results that infrastructure errors left undecided, as often as the release allows. Each
        evaluation is repeated as often as it is undecided; evaluations with equal repeats share one run per
        round.
        """
        release = self.opened.release
        for attempt in range(1, release.limits.reruns + 1):
            undecided = undecided_of(found)
            if not undecided or found.runs[-1].state in ("QUEUED", "RUNNING"):
                break
            if any(item.verdict is EvaluationVerdict.FAILED for item in assess_suite(found).evaluations):
                break  # it has already failed: another run would only cost money
            for demand in _again_demands(found, undecided):
                name = again_name(found.runs[0].run, attempt, demand)
                run = made_before(name, self._runs, self.now(), None, demand.settings.version)
                if not run and self._spent + demand.sessions > release.limits.sessions:
                    text = (
                        f"Undecided results are not run again: that would take {demand.sessions:,} more"
                        f" sessions after {self._spent:,}, and the limit is {release.limits.sessions:,}."
                    )
                    self._stopped.append(Objection(where="limits", text=text, verdict=_INCONCLUSIVE))
                    return found
                item = PlannedRun(suite=found.suite.name, demand=demand, display_name=name, run=run)
                report, scores = self._read(demand, self._started(item), item.suite, on_progress, release)
                found = replace(found, runs=(*found.runs, report), scores=_merged(found.scores, scores))
        return found

    def _baseline(self, planned: GatePlan, runs: list[RunReport]) -> FoundBaseline | None:
        release = planned.release
        if release.baseline == DEPLOYED:
            if not planned.has_baseline:
                return FoundBaseline(label=planned.baseline)
            return _of_runs(planned.baseline, release, runs)
        return self._file(release.baseline) if release.baseline else None

    def _file(self, path: str) -> FoundBaseline:
        from cesplan.render.machine.formats.evaluation import read_evaluation  # lazily: it brings pydantic

        try:
            text = (self.opened.root / path).read_text(encoding="utf-8-sig")
            verdicts, _ = read_evaluation(text)
        except (OSError, ValueError) as error:
            return FoundBaseline(label=path, problem=f"{path} is not an evaluation report: {error}")
        return FoundBaseline(label=path, verdicts=verdicts, is_file=True)

    def _smoke(self) -> PartReport | None:
        left = self.opened.release.limits.sessions - self._spent
        seconds = self._deadline - monotonic()
        return self._tried("smoke", lambda: self.parts.smoke(self.opened, sessions=left, seconds=seconds))

    def _judges(self) -> PartReport | None:
        cases, seconds = tuple(self._cases), self._deadline - monotonic()
        return self._tried("judges", lambda: self.parts.judges(self.opened, cases, seconds=seconds))

    def _tried(self, name: str, run: Callable[[], PartReport]) -> PartReport | None:
        """Run a part; one that cannot be run has no result. Usage errors and refusals are raised."""
        try:
            return run()
        except ApiError as error:
            self._stopped.append(Objection(where=name, text=f"{error.summary}.", verdict=_INCONCLUSIVE))
            return None

    def _report(self, planned: GatePlan, found: Found) -> GateReport:
        judged = assess_release(planned.release, found)
        runs = [run for suite in judged.suites for run in suite.runs]
        parts = [part for part in (found.smoke, found.judges) if part]
        return GateReport(
            service=planned.service,
            release=planned.release,
            version=planned.version,
            version_name=planned.version_name,
            verdict=judged.verdict,
            objections=judged.objections,
            suites=judged.suites,
            scores=tuple(score for suite in found.suites for score in suite.scores),
            baseline=planned.baseline,
            smoke=found.smoke,
            judges=found.judges,
            sessions=sum(_sessions(item) for item in runs)
            + sum(item.sessions for item in parts)
            + self._spent_on_baseline,
            judge_calls=sum(item.calls for item in parts),
            time=self.now(),
            oldest=self._oldest,
            digests=digests_of(planned.release.digest, (item.demand for item in planned.runs)),
            notices=tuple(dict.fromkeys(text for run in runs for text in run.notices)),
        )


def _sessions(run: RunReport) -> int:
    """As counted by the service, or else as requested."""
    return run.sessions or run.demand.sessions


def _decided(report: RunReport, results: FoundResults) -> FoundResults:
    """The decided results; those that infrastructure errors left undecided have no score."""
    undecided = {
        found.name for item in report.evaluations for found in item.results if found.verdict is _INCONCLUSIVE
    }
    return replace(results, bodies=tuple(item for item in results.bodies if item[0] not in undecided))


def _again_demands(found: FoundSuite, undecided: dict[str, int]) -> Iterator[Demand]:
    first = found.runs[0].demand
    for repeats in sorted(set(undecided.values())):
        chosen = tuple(item for item in first.evaluations if undecided.get(item.reference) == repeats)
        yield replace(first, evaluations=chosen, dataset="", settings=replace(first.settings, repeats=repeats))


def _of_runs(label: str, release: Release, runs: list[RunReport]) -> FoundBaseline:
    """The verdicts of the served version, by the same bar."""
    verdicts: dict[str, EvaluationVerdict] = {}
    for suite, run in zip(release.suites, runs, strict=True):
        for item in assess_suite(FoundSuite(suite=suite, runs=(run,))).evaluations:
            if item.verdict is _INCONCLUSIVE:
                why = item.problems[0] if item.problems else "it did not end"
                return FoundBaseline(label=label, problem=f"{item.reference} of {label} is undecided: {why}")
            verdicts[item.reference] = worst_verdict(
                filter(None, (verdicts.get(item.reference), case_verdict(item, suite)))
            )
    return FoundBaseline(label=label, verdicts=verdicts)


def _merged(first: tuple[FoundScore, ...], later: tuple[FoundScore, ...]) -> tuple[FoundScore, ...]:
    """The scores, including those of results that were run again: the lower one counts."""
    again = {(item.demand.criterion.metric, item.reference): item for item in later}
    merged = []
    for item in first:
        other = again.get((item.demand.criterion.metric, item.reference))
        values = [one.value for one in (item, other) if one is not None and one.value is not None]
        lowest = min(values) if values else None
        merged.append(replace(item, value=lowest, reason="" if values else item.reason))
    return tuple(merged)


def _scores_of(
    demands: Sequence[ScoreDemand], demand: Demand, results: FoundResults, live: LiveApp
) -> tuple[FoundScore, ...]:
    """Every required score of every evaluation of a run; scenarios and goldens without answers have none."""
    if not demands:
        return ()
    observed = observations(demand, results, live)
    return tuple(found for item in observed for found in _scores(demands, item))


def _scores(demands: Sequence[ScoreDemand], item: ObservedEvaluation) -> Iterator[FoundScore]:
    """The mean over the comparable turns of all repeats; none if a repeat has no score."""
    reference = item.demanded.reference
    for demand in demands:
        metric = demand.criterion.metric
        why = item.unsupported
        if not why and not any(metric not in turn.incomparable for turn in item.expected):
            why = "nothing to compare with"
        if why:
            yield FoundScore(demand=demand, reference=reference, applies=False, reason=why)
        elif not item.runs:
            yield FoundScore(demand=demand, reference=reference, reason="there is no result")
        else:
            found = score_runs(demand.criterion, item.expected, item.runs).metric
            yield FoundScore(demand=demand, reference=reference, value=found.score, reason=found.reason)
