"""A run in every format, byte for byte: golden files, and JSON that is read back."""

import json
from dataclasses import replace

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.features.evaluation.junit_report import evaluation_junit
from cesplan.features.evaluation.markdown_report import evaluation_markdown
from cesplan.features.evaluation.text_report import evaluation_text
from cesplan.render.machine.formats.evaluation import EvaluationReport, read_evaluation
from cesplan.render.text.layout import View
from tests.machine_outputs import check_document
from tests.unit.features.evaluation.builders import REPORT, SETTINGS
from tests.unit.render.golden import assert_golden


def test_people_read_what_did_not_pass_first():
    """In two widths; with the way on for a run that goes on."""
    hints = {"To wait for it again": "cesplan evaluate --run run-1"}
    assert_golden("evaluate-80.txt", evaluation_text(REPORT, View(width=80), hints))
    assert_golden("evaluate-120.txt", evaluation_text(REPORT, View(width=120)))


def test_a_comment_and_a_test_service_read_the_same():
    assert_golden("evaluate.md", evaluation_markdown(REPORT))
    assert_golden("evaluate.xml", evaluation_junit(REPORT))


def test_programs_read_json():
    """Everything of it, by its schema."""
    text = EvaluationReport.of(REPORT, exit_code=5).text()
    check_document("evaluate", text)
    assert_golden("evaluate.json", text)


def test_a_report_is_a_baseline_with_its_verdicts_and_settings():
    verdicts, settings = read_evaluation(EvaluationReport.of(REPORT, exit_code=5).text())
    assert verdicts == {
        "evaluations/refund": EvaluationVerdict.FAILED,
        "evaluations/mood": EvaluationVerdict.INCONCLUSIVE,
        "evaluations/hello": EvaluationVerdict.PASSED,
    }
    assert settings == SETTINGS


def test_a_report_of_an_earlier_release_is_a_baseline_too():
    """It has neither personas nor criteria."""
    document = json.loads(EvaluationReport.of(REPORT, exit_code=5).text())
    del document["settings"]["personas"], document["judge_calls"]
    for item in document["evaluations"]:
        del item["criteria"]
        for result in item["results"]:
            del result["persona"]
    _, settings = read_evaluation(json.dumps(document))
    assert settings == replace(SETTINGS, personas=())
