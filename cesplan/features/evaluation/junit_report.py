"""A run as JUnit XML: every evaluation is a test case; an inconclusive one is an error, not a failure."""

from collections.abc import Iterator

from cesplan.domain.features.evaluation import FoundEvaluation, RunReport
from cesplan.features.evaluation import words
from cesplan.render.services.junit import Case, judged_case, problem_case, suite


def evaluation_junit(report: RunReport) -> str:
    """One case per evaluation, and one for problems of the run as a whole."""
    cases = [_case(item, report) for item in report.evaluations]
    group = words.place(report)
    cases += [
        problem_case(item, group=group, name=f"run {number}") for number, item in enumerate(report.problems, 1)
    ]
    return suite("cesplan evaluate", cases)


def _case(item: FoundEvaluation, report: RunReport) -> Case:
    return judged_case(
        item.verdict,
        (f"{words.share(item)} repeats passed", "\n".join(_rows(item))),
        group=words.place(report),
        name=item.demanded.reference,
        seconds=sum(value for found in item.results for value in found.turn_seconds),
        output=[
            item.demanded.display_name,
            f"{words.share(item)} passed",
            words.settings(report),
            *words.criteria(item),
        ],
    )


def _rows(item: FoundEvaluation) -> Iterator[str]:
    for problem in item.problems:
        yield problem.text
    for number, found in words.troubled(item):
        yield f"repeat {number}"
        for problem in found.problems:
            yield f"  {problem.text}"
        for step in words.wrong_steps(found):
            yield f"  turn {step.turn}, {step.what}"
            yield f"    expected: {step.expected}"
            yield f"    observed: {step.observed}"
        for score in words.low_scores(found):
            yield f"  {words.score(score)}"
        for one in found.expectations:
            if one.outcome != "PASS":
                yield f"  {one.outcome} {one.prompt}: {one.explanation}"
