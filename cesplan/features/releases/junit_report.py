"""A release as JUnit XML: every part of the gate, every evaluation and every objection is a test case."""

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.features.releases import words
from cesplan.features.releases.report import ReleaseReport
from cesplan.features.releases.words import Row
from cesplan.render.services.junit import Case, judged_case, suite


def release_junit(report: ReleaseReport) -> str:
    """The XML of a release; an inconclusive part is an error, not a failure."""
    group = words.title(report)
    rows = words.rows(report)
    if report.gate is not None:
        rows += [
            (item.verdict, f"suites.{judged.suite.name} {item.reference}", "\n".join(item.problems))
            for judged in report.gate.suites
            for item in judged.evaluations
        ]
        rows += [(item.verdict, item.where, item.text) for item in report.gate.objections]
    return suite(f"cesplan release {report.action}", [_case(group, row) for row in rows])


def _case(group: str, row: Row) -> Case:
    verdict, subject, text = row
    return judged_case(
        verdict,
        (text.split("\n")[0] or str(verdict), text),
        group=group,
        name=subject,
        output=[text] if verdict is EvaluationVerdict.PASSED and text else [],
    )
