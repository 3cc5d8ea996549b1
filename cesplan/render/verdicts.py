"""How a verdict looks: its sign and color in text, and its mark in Markdown."""

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.render.page import CREATE, DELETE, UPDATE

_PASSED, _FAILED, _INCONCLUSIVE = (
    EvaluationVerdict.PASSED,
    EvaluationVerdict.FAILED,
    EvaluationVerdict.INCONCLUSIVE,
)

VERDICT_SIGNS = {_PASSED: "✓", _FAILED: "✗", _INCONCLUSIVE: "?"}
VERDICT_INKS = {_PASSED: CREATE, _FAILED: DELETE, _INCONCLUSIVE: UPDATE}
VERDICT_MARKS = {_PASSED: "✅", _FAILED: "❌", _INCONCLUSIVE: "❔"}
