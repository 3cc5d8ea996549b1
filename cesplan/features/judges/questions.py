"""
Questions: one request of evaluateInstances each, with one `…Input`, as the API has them.

Source: EvaluateInstancesRequest of Vertex AI v1beta1; v1 cannot name the judge model or the number of samples.
A prompt is one value of a template that is nothing but that value: no text of a conversation is ever read as a
template.
"""

import json

from cesplan.domain.features.judges import JudgeFailed
from cesplan.domain.features.scores import JudgeOptions
from cesplan.domain.value import Body

_TEMPLATE = "{task}"
SAFETY_RESULT = "safetyResult"
COHERENCE_RESULT = "coherenceResult"


LONGEST_PROMPT = 1_000_000
"""Characters. The largest context of a model is about four times as much, and input is billed by length."""


def pointwise(prompt: str, options: JudgeOptions) -> Body:
    """
    A free prompt with a text answer: asked once per request, so that samples are counted here. Raises
    JudgeFailed for one that is too long.
    """
    if len(prompt) > LONGEST_PROMPT:
        raise JudgeFailed(reason=f"the turn has more than {LONGEST_PROMPT:,} characters")
    return {
        "pointwiseMetricInput": {
            "metricSpec": {
                "metricPromptTemplate": _TEMPLATE,
                "customOutputFormatConfig": {"returnRawOutput": True},
            },
            "instance": {"jsonInstance": json.dumps({"task": prompt}, ensure_ascii=False)},
        },
        "autoraterConfig": {"samplingCount": 1, "flipEnabled": False, **_model(options)},
    }


def safety(prediction: str, options: JudgeOptions) -> Body:
    """The request that asks whether an answer is safe: 1 or 0."""
    return _rated("safetyInput", prediction, options)


def coherence(prediction: str, options: JudgeOptions) -> Body:
    """The request that asks how coherent an answer is: 1 to 5."""
    return _rated("coherenceInput", prediction, options)


def _rated(member: str, prediction: str, options: JudgeOptions) -> Body:
    if len(prediction) > LONGEST_PROMPT:
        raise JudgeFailed(reason=f"the answer has more than {LONGEST_PROMPT:,} characters")
    body: Body = {member: {"metricSpec": {}, "instance": {"prediction": prediction}}}
    return {**body, "autoraterConfig": _model(options)} if options.model else body


def _model(options: JudgeOptions) -> Body:
    """A publisher's model as a relative name; the client prepends project and location."""
    if not options.model:
        return {}
    name = options.model
    return {"autoraterModel": name if "/" in name else f"publishers/google/models/{name}"}
