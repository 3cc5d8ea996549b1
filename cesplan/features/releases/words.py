"""Words that every report of a release uses."""

from collections.abc import Iterator

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.gate import FoundScore, GatePlan, JudgedSuite
from cesplan.domain.features.release import PartReport
from cesplan.domain.text.words import count
from cesplan.features.releases.canary import CanaryReport
from cesplan.features.releases.report import Ending, ReleaseReport
from cesplan.features.releases.split import words_of

_PASSED, _FAILED, _INCONCLUSIVE = EvaluationVerdict
ENDING_VERDICTS = {
    Ending.DONE: _PASSED,
    Ending.REFUSED: _FAILED,
    Ending.INCONCLUSIVE: _INCONCLUSIVE,
    Ending.HOLDING: _INCONCLUSIVE,
    Ending.FOREIGN: _FAILED,
    Ending.PARTIAL: _INCONCLUSIVE,
}

Row = tuple[EvaluationVerdict, str, str]
"""A verdict, its subject, and the finding."""


def title(report: ReleaseReport) -> str:
    """`support-desk · prod · hearth-pine-prod/us · release web`."""
    return " · ".join((report.release.app, *report.service.heading, f"release {report.release.name}"))


def place(report: ReleaseReport) -> Iterator[str]:
    """The traffic before and now, and the steps of the canary."""
    name = f"deployments/{report.release.deployment}"
    if report.moved_from is not None:
        yield f"{name} was: {words_of(report.moved_from, report.release)}"
    yield f"{name}: {words_of(report.position, report.release)}"
    if report.release.canary:
        steps = ", ".join(f"{item.percent}%" for item in report.release.canary)
        yield f"canary: {steps}"


def rows(report: ReleaseReport) -> list[Row]:
    """The gate as it was judged, or else as it is planned, and the canary."""
    plan = report.plan if report.gate is None else None
    found = [*(plan_rows(plan) if plan else ()), *gate_rows(report)]
    return [*found, *canary_rows(report.canary)] if report.canary else found


def plan_rows(planned: GatePlan) -> Iterator[Row]:
    """The blockers of a gate, and the runs that it would make."""
    for item in planned.blockers:
        yield item.verdict, item.where, item.text
    for run in planned.runs:
        settings = run.demand.settings
        of = f"baseline {run.demand.version_name}" if run.is_baseline else run.demand.version_name
        each = f", each {count(settings.repeats, 'time')}" if settings.repeats > 1 else ""
        what = f"{count(len(run.demand.evaluations), 'evaluation')}{each} on {of}"
        what += f", {settings.method}, {settings.tools} tools"
        cost = "already run" if run.run else f"at least {count(run.sessions, 'session')}"
        yield _PASSED, f"suites.{run.suite}", f"{what}: {cost}"
    if planned.smoke_sessions:
        yield _PASSED, "smoke", f"at least {count(planned.smoke_sessions, 'session')}"
    if planned.judge_calls:
        yield _PASSED, "judges", f"at least {count(planned.judge_calls, 'call')}"
    for text in planned.over_limit:
        yield _FAILED, "limits", text


def gate_rows(report: ReleaseReport) -> Iterator[Row]:
    """Every part of the gate with its verdict; objections follow on their own."""
    gate = report.gate
    if gate is None:
        return
    for judged in gate.suites:
        yield judged.verdict, f"suites.{judged.suite.name}", suite(judged)
    for metric, scores in _by_metric(gate.scores).items():
        yield _score_row(metric, scores)
    if gate.baseline:
        worst = [item.verdict for item in gate.objections if item.where.startswith("baseline")]
        verdict = _FAILED if _FAILED in worst else _INCONCLUSIVE if worst else _PASSED
        yield verdict, "baseline", f"compared with {gate.baseline}"
    for name, part in (("smoke", gate.smoke), ("judges", gate.judges)):
        if part is not None:
            yield part_row(name, part)


def suite(suite: JudgedSuite) -> str:
    """`8 of 9 results passed, at least 56.5% shown; 1 run`."""
    shown = f", at least {suite.bound:.1%} shown" if suite.bound is not None else ""
    open_words = f", {suite.undecided} undecided" if suite.undecided else ""
    return (
        f"{suite.passed} of {suite.results} results passed{open_words}{shown}; {count(len(suite.runs), 'run')}"
    )


def part_row(name: str, part: PartReport) -> Row:
    """A smoke test or judges in one row."""
    required = [item.verdict for item in part.findings if item.is_required]
    verdict = _FAILED if _FAILED in required else _INCONCLUSIVE if _INCONCLUSIVE in required else _PASSED
    passed = sum(item.verdict is _PASSED for item in part.findings)
    return verdict, name, f"{passed} of {len(part.findings)} passed"


def _by_metric(scores: tuple[FoundScore, ...]) -> dict[str, list[FoundScore]]:
    found: dict[str, list[FoundScore]] = {}
    for item in scores:
        found.setdefault(item.demand.criterion.metric, []).append(item)
    return found


def _score_row(metric: str, scores: list[FoundScore]) -> Row:
    mine = [item for item in scores if item.applies]
    values = [item.value for item in mine if item.value is not None]
    threshold = scores[0].demand.criterion.threshold
    low = sum(not value >= threshold for value in values)
    is_required = scores[0].demand.is_required
    verdict = _FAILED if low else _INCONCLUSIVE if len(values) < len(mine) or not mine else _PASSED
    least = f"least {min(values):.3g} of {threshold:g}" if values else "no score"
    words = f"{least} in {count(len(mine), 'evaluation')}{'' if is_required else ', only reported'}"
    return verdict if is_required else _PASSED, f"scores.{metric}", words


def canary_rows(canary: CanaryReport) -> Iterator[Row]:
    """The requirements of a step, with the findings."""
    for item in canary.findings:
        yield item.verdict, item.what, item.text


def cost(report: ReleaseReport) -> str:
    """The sessions and judge calls of the gate; empty without a gate."""
    gate = report.gate
    if gate is None:
        return ""
    calls = f", {count(gate.judge_calls, 'judge call')}" if gate.judge_calls else ""
    return f"Sessions: {gate.sessions:,} of {report.release.limits.sessions:,}{calls}."
