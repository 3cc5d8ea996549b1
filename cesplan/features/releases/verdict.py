"""
The verdict: everything that was found, compared with the release file. A pure function.

A release passes only if every part passes; a part that is missing or has no findings is inconclusive at best.
`2 of 3` or a rate can allow only failures that the service measured in results that otherwise meet the demand.
Infrastructure errors leave results undecided: the suite then cannot pass, but may already have failed.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from cesplan.domain.features.evaluation import (
    EvaluationVerdict,
    FoundEvaluation,
    FoundResult,
    Problem,
    RunReport,
    worst_verdict,
)
from cesplan.domain.features.gate import (
    Found,
    FoundBaseline,
    FoundScore,
    FoundSuite,
    JudgedEvaluation,
    JudgedSuite,
    Objection,
)
from cesplan.domain.features.release import PartReport, Release, Suite
from cesplan.domain.features.statistics import runs_needed, wilson_lower_bound
from cesplan.domain.frozen import dataclass

_PASSED, _FAILED, _INCONCLUSIVE = EvaluationVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedRelease:
    """The verdict on a release: passed only without objections."""

    verdict: EvaluationVerdict
    objections: tuple[Objection, ...]
    suites: tuple[JudgedSuite, ...]


def assess_release(release: Release, found: Found) -> AssessedRelease:
    """Compare the findings with a release file."""
    by_name = {item.suite.name: item for item in found.suites}
    suites = tuple(assess_suite(by_name.get(item.name, FoundSuite(suite=item))) for item in release.suites)
    objections = (
        *found.blockers,
        *found.stopped,
        *(item for judged in suites for item in _of_suite(judged, by_name.get(judged.suite.name))),
        *_of_scores(release, found),
        *_of_baseline(release, found.baseline, suites),
        *_of_part("smoke", found.smoke, is_required=bool(release.smoke)),
        *_of_part("judges", found.judges, is_required=bool(release.judges)),
    )
    if not (release.suites or release.smoke):
        nothing = Objection(where="release", text="The release requires nothing.", verdict=_INCONCLUSIVE)
        objections = (*objections, nothing)
    verdict = worst_verdict([item.verdict for item in objections]) if objections else _PASSED
    return AssessedRelease(verdict=verdict, objections=objections, suites=suites)


def assess_suite(found: FoundSuite) -> JudgedSuite:
    """A suite over all of its runs: the first one, and those that replaced undecided results."""
    suite = found.suite
    if not found.runs:
        return JudgedSuite(suite=suite, verdict=_INCONCLUSIVE)
    first = found.runs[0]
    evaluations = tuple(
        _evaluation(item, suite, [_same(item, run) for run in found.runs[1:]], first)
        for item in first.evaluations
    )
    judged = JudgedSuite(suite=suite, verdict=_FAILED, evaluations=evaluations, runs=found.runs)
    rate, bound = _rate(judged)
    verdicts = [*(item.verdict for item in evaluations), rate]
    verdicts += [item.verdict for run in found.runs for item in _decisive(run)]
    return replace(judged, verdict=worst_verdict(verdicts) if evaluations else _FAILED, bound=bound)


def case_verdict(item: JudgedEvaluation, suite: Suite) -> EvaluationVerdict:
    """Whether an evaluation passed by itself; without `each`, more than half of its repeats must pass."""
    if suite.requirement.each or item.verdict is not _PASSED:
        return item.verdict
    return _PASSED if 2 * item.passed > item.repeats else _FAILED


def undecided_of(found: FoundSuite) -> dict[str, int]:
    """The number of undecided repeats of each evaluation that is inconclusive because of them."""
    return {
        item.reference: item.undecided
        for item in assess_suite(found).evaluations
        if item.verdict is _INCONCLUSIVE and item.undecided
    }


def _same(item: FoundEvaluation, run: RunReport) -> FoundEvaluation | None:
    return next((one for one in run.evaluations if one.demanded.name == item.demanded.name), None)


def _decisive(run: RunReport) -> Iterator[Problem]:
    """
    The objections to a run as a whole. An error that ended the run before all results were decided counts by
    their final state.
    """
    decided = sum(result.verdict is not _INCONCLUSIVE for item in run.evaluations for result in item.results)
    was_replaced = run.state == "ERROR" and decided < run.demand.results
    yield from (item for item in run.problems if item.verdict is _FAILED or not was_replaced)


def _evaluation(
    item: FoundEvaluation, suite: Suite, again: list[FoundEvaluation | None], run: RunReport
) -> JudgedEvaluation:
    """
    The results of the first run that are decided, and as many of the later runs as were undecided.

    A failure stays a failure, whatever later runs say.
    """
    demanded = item.demanded
    repeats = demanded.repeats(run.demand.settings)
    parts = [item, *(one for one in again if one is not None)]
    results = [result for part in parts for result in part.results]
    passed = sum(result.verdict is _PASSED for result in results)
    measured = sum(_is_measured(result) for result in results)
    other = sum(result.verdict is _FAILED and not _is_measured(result) for result in results)
    wrong = [problem.text for part in parts for problem in part.problems if problem.verdict is _FAILED]
    if passed + measured + other > repeats:
        wrong.append(f"{passed + measured + other} results were found; {repeats} are required.")
    key = demanded.reference.partition("/")[2]
    is_critical = key in suite.critical
    needed = suite.requirement.each
    if other or wrong or (is_critical and measured) or (needed and measured > repeats - needed):
        verdict = _FAILED
    elif passed + measured < repeats:
        verdict = _INCONCLUSIVE
    else:
        verdict = _PASSED
    problems = dict.fromkeys(
        [*wrong, *_texts(results, is_measured=False), *_texts(results, is_measured=True)]
        + [problem.text for part in parts for problem in part.problems]
    )
    return JudgedEvaluation(
        reference=demanded.reference,
        display_name=demanded.display_name,
        repeats=repeats,
        passed=passed,
        failed=measured + other,
        verdict=verdict,
        is_critical=is_critical,
        problems=tuple(problems),
    )


def _texts(results: list[FoundResult], *, is_measured: bool) -> Iterator[str]:
    yield from (one.text for item in results for one in item.problems if one.is_measured is is_measured)


def _is_measured(result: FoundResult) -> bool:
    """A failure of the agent in a result that otherwise meets the demand."""
    return result.verdict is _FAILED and all(item.is_measured for item in result.problems)


def _rate(judged: JudgedSuite) -> tuple[EvaluationVerdict, float | None]:
    required, confidence = judged.suite.requirement.rate, judged.suite.requirement.confidence
    passed, total, undecided = judged.passed, judged.results, judged.undecided
    bound = wilson_lower_bound(passed, total, confidence) if confidence else None
    if required is None:
        return _PASSED, bound
    least = Fraction(repr(required)) * total
    if passed + undecided < least:
        return _FAILED, bound
    if undecided or not total:
        return _INCONCLUSIVE, bound
    if passed < least:
        return _FAILED, bound
    return (_INCONCLUSIVE if bound is not None and bound < required else _PASSED), bound


def _of_suite(judged: JudgedSuite, found: FoundSuite | None) -> Iterator[Objection]:
    where = f"suites.{judged.suite.name}"
    if found is None or not found.runs:
        yield Objection(where=where, text="The suite was not run.", verdict=_INCONCLUSIVE)
        return
    for item in judged.evaluations:
        if item.verdict is not _PASSED:
            yield Objection(
                where=f"{where} {item.reference}", text=_why(item, judged.suite), verdict=item.verdict
            )
    for run in judged.runs:
        for problem in _decisive(run):
            text = f"Run {run.run_id}: {problem.text}"
            yield Objection(where=where, text=text, verdict=problem.verdict)
    if not judged.evaluations:
        yield Objection(where=where, text="The run has no evaluations.")
    rate, bound = _rate(judged)
    if rate is not _PASSED:
        demand = judged.suite.requirement
        shown = f", which shows at least {bound:.1%}" if bound is not None else ""
        text = f"{judged.passed} of {judged.results} results passed{shown}; {demand.rate:.1%} are required."
        if rate is _INCONCLUSIVE and demand.rate and demand.confidence:
            text += f" That takes {runs_needed(demand.rate, demand.confidence):,} results or more."
        yield Objection(where=where, text=text, verdict=rate)


def _why(item: JudgedEvaluation, suite: Suite) -> str:
    needed = f"; {suite.requirement.each} are required" if suite.requirement.each else ""
    needed = "; it is critical" if item.is_critical else needed
    undecided = f", {item.undecided} undecided" if item.undecided else ""
    first = f" {item.problems[0]}" if item.problems else ""
    return f"{item.passed} of {item.repeats} repeats passed{undecided}{needed}.{first}"


def _of_scores(release: Release, found: Found) -> Iterator[Objection]:
    scores = [item for suite in found.suites for item in suite.scores]
    for demand in release.scores:
        if not demand.is_required:
            continue
        metric = demand.criterion.metric
        mine = [item for item in scores if item.demand.criterion.metric == metric and item.applies]
        if not mine:
            yield Objection(
                where=f"scores.{metric}", text="No evaluation has this score.", verdict=_INCONCLUSIVE
            )
        for item in mine:
            yield from _of_score(item)


def _of_score(item: FoundScore) -> Iterator[Objection]:
    where = f"scores.{item.demand.criterion.metric} {item.reference}"
    threshold = item.demand.criterion.threshold
    if item.value is None:
        why = item.reason or "it could not be computed"
        yield Objection(where=where, text=f"There is no score: {why}.", verdict=_INCONCLUSIVE)
    elif not item.value >= threshold:
        yield Objection(where=where, text=f"{item.value:.4g} of at least {threshold:g}.")


def _of_baseline(
    release: Release, baseline: FoundBaseline | None, suites: tuple[JudgedSuite, ...]
) -> Iterator[Objection]:
    if not release.baseline:
        return
    if baseline is None or baseline.problem:
        why = baseline.problem if baseline else "It was not checked."
        yield Objection(where="baseline", text=why, verdict=_INCONCLUSIVE)
        return
    now: dict[str, list[EvaluationVerdict]] = {}
    for suite in suites:
        for item in suite.evaluations:
            now.setdefault(item.reference, []).append(case_verdict(item, suite.suite))
    for reference, verdict in sorted(baseline.verdicts.items()):
        if verdict is not _PASSED:
            continue
        if reference not in now:
            if baseline.is_file:
                text = f"It passed in {baseline.label}, and no suite runs it."
                yield Objection(where=f"baseline {reference}", text=text)
        elif (worst := worst_verdict(now[reference])) is not _PASSED:
            text = f"It passed in {baseline.label}, and no longer passes."
            yield Objection(where=f"baseline {reference}", text=text, verdict=worst)


def _of_part(name: str, part: PartReport | None, *, is_required: bool) -> Iterator[Objection]:
    if not is_required:
        return
    if part is None:
        yield Objection(where=name, text="It was not run.", verdict=_INCONCLUSIVE)
        return
    if not any(item.is_required for item in part.findings):
        is_reported = bool(part.findings)
        if not is_reported:
            yield Objection(where=name, text="It produced no findings.", verdict=_INCONCLUSIVE)
        return
    for item in part.findings:
        if item.is_required and item.verdict is not _PASSED:
            # The steps of a smoke test are called `smoke step 1`.
            where = item.subject if item.subject.startswith(name) else f"{name} {item.subject}"
            yield Objection(where=where, text=item.text, verdict=item.verdict)
