"""
The thresholds of a result: those of the app, with those of the evaluation over them [D].

What neither sets is absent here; whether the service fills in its defaults is not established [?].
"""

from typing import Any

from cesplan.emulator.schema.messages import Body


def in_force(app: Body, evaluation: Body) -> Body:
    """Return the EvaluationMetricsThresholds under which an evaluation of an app is judged."""
    over = evaluation.get("evaluationMetricsThresholdOverride", {})
    merged: Body = _merged(app.get("evaluationMetricsThresholds", {}), over)
    return merged


def _merged(below: Any, above: Any) -> Any:
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return {
        key: _merged(below[key], above[key]) if key in below and key in above else {**below, **above}[key]
        for key in {**below, **above}
    }
