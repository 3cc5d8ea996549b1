"""A smoke test as JUnit XML: every step is a test case; what is inconclusive is an error and not a failure."""

from cesplan.domain.features.evaluation import EvaluationVerdict, Problem
from cesplan.domain.features.smoke import SmokeReport, StepReport
from cesplan.features.smoke.words import place_words, reply_rows, shown, step_words, target_words
from cesplan.render.services.junit import Case, suite


def smoke_junit(report: SmokeReport) -> str:
    """One case a step, and one for each problem of the whole."""
    cases = [_case(item, report) for item in report.steps]
    cases += [_whole(number, item, report) for number, item in enumerate(report.problems, 1)]
    return suite("cesplan smoke", cases)


def _case(step: StepReport, report: SmokeReport) -> Case:
    rows = [problem.text for problem in step.problems]
    rows += [f"{sign} {text}" for sign, text in reply_rows(step.reply)] if step.reply else []
    rows += [f"← {shown(step.response)}"] if step.response is not None else []
    said = (rows[0], "\n".join(rows)) if step.problems else None
    return Case(
        group=place_words(report),
        name=f"{step.number}. {step_words(step.step)}",
        seconds=step.seconds,
        failure=said if step.verdict is EvaluationVerdict.FAILED else None,
        error=said if step.verdict is EvaluationVerdict.INCONCLUSIVE else None,
        told=[target_words(report)],
    )


def _whole(number: int, problem: Problem, report: SmokeReport) -> Case:
    said = (problem.text, problem.text)
    is_failure = problem.verdict is EvaluationVerdict.FAILED
    return Case(
        group=place_words(report),
        name=f"test {number}",
        failure=said if is_failure else None,
        error=None if is_failure else said,
    )
