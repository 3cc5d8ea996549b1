"""The appearance of a verdict: its sign and color in text, and its mark in Markdown."""

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.render.page import Ink

_PASSED, _FAILED, _INCONCLUSIVE = (
    EvaluationVerdict.PASSED,
    EvaluationVerdict.FAILED,
    EvaluationVerdict.INCONCLUSIVE,
)

VERDICT_SIGNS = {_PASSED: "✓", _FAILED: "✗", _INCONCLUSIVE: "?"}
VERDICT_INKS = {_PASSED: Ink.CREATE, _FAILED: Ink.DELETE, _INCONCLUSIVE: Ink.UPDATE}
VERDICT_MARKS = {_PASSED: "✅", _FAILED: "❌", _INCONCLUSIVE: "❔"}
