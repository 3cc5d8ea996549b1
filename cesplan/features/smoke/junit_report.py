"""A smoke test as JUnit XML: every step is a test case; an inconclusive step is an error, not a failure."""

from cesplan.domain.features.smoke import SmokeReport, StepReport
from cesplan.features.smoke import words
from cesplan.render.services.junit import Case, judged_case, problem_case, suite


def smoke_junit(report: SmokeReport) -> str:
    """One case for each step, and one for each problem of the whole test."""
    cases = [_case(item, report) for item in report.steps]
    group = words.place(report)
    cases += [
        problem_case(item, group=group, name=f"test {number}") for number, item in enumerate(report.problems, 1)
    ]
    return suite("cesplan smoke", cases)


def _case(step: StepReport, report: SmokeReport) -> Case:
    rows = [problem.text for problem in step.problems]
    rows += [f"{sign} {text}" for sign, text in words.reply_rows(step.reply)] if step.reply else []
    rows += [f"← {words.shown(step.response)}"] if step.response is not None else []
    return judged_case(
        step.verdict,
        (rows[0] if rows else "", "\n".join(rows)),
        group=words.place(report),
        name=f"{step.number}. {words.step(step.step)}",
        seconds=step.seconds,
        output=[words.target(report)],
    )
