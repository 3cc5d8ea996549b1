"""
The thresholds of a result: those of the app, overridden by those of the evaluation [D].

A threshold that neither sets is absent. Whether the service sets its defaults is unverified [?].
"""

from typing import Any

from cesplan.emulator.schema.messages import Body


def in_force(app: Body, evaluation: Body) -> Body:
    """Return the effective EvaluationMetricsThresholds for an evaluation of an app."""
    over = evaluation.get("evaluationMetricsThresholdOverride", {})
    merged: Body = _merged(app.get("evaluationMetricsThresholds", {}), over)
    return merged


def _merged(below: Any, above: Any) -> Any:
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return below | {key: _merged(below.get(key), value) for key, value in above.items()}
