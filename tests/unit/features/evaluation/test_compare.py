"""A run against an earlier one, evaluation by evaluation."""

from dataclasses import replace

from cesplan.domain.features.evaluation import Channel, EvaluationVerdict, PersonaTasks
from cesplan.features.evaluation.verdict import compared
from tests.unit.features.evaluation.builders import REPORT, SETTINGS

PASSED, FAILED, INCONCLUSIVE = EvaluationVerdict


def test_what_passed_and_does_not_any_more_is_a_regression():
    """Also where it is inconclusive now: it was not shown again."""
    before = {
        "evaluations/refund": PASSED,
        "evaluations/mood": PASSED,
        "evaluations/hello": INCONCLUSIVE,
        "evaluations/old": FAILED,
    }
    found = compared(REPORT, before, SETTINGS, "run r")
    assert found.regressions == ("evaluations/mood", "evaluations/refund")
    assert (found.fixes, found.added, found.missing) == (("evaluations/hello",), (), ("evaluations/old",))
    assert found.notices == ()


def test_other_settings_are_told():
    """They did not measure the same."""
    other = replace(SETTINGS, channel=Channel.AUDIO, personas=(PersonaTasks(persona="p/calm"),))
    assert compared(REPORT, {}, other, "run r").notices == (
        "The baseline ran with channel audio, this run with text.",
        "The baseline ran with personas calm ×1, this run with hasty ×2.",
    )
    assert compared(REPORT, {}, None, "a file").notices == ()
