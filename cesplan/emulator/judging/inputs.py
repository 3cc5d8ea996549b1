"""
The inputs of evaluateInstances: the versions that have them, the fields of their instances, the names of their
results.

Source: EvaluateInstancesRequest and EvaluateInstancesResponse of Vertex AI v1 and v1beta1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cesplan.emulator.judging import metrics

TEXT, TRAJECTORY = "text", "trajectory"
_PAIR = {"prediction": TEXT, "reference": TEXT}
_TRAJECTORIES = {"predictedTrajectory": TRAJECTORY, "referenceTrajectory": TRAJECTORY}
BOTH = ("v1", "v1beta1")
_BETA = ("v1beta1",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """A computed metric: its function, and the fields of its spec and of an instance."""

    name: str
    metric: metrics.Metric
    spec: frozenset[str] = frozenset()
    instance: Mapping[str, str] = field(default_factory=lambda: _PAIR)
    versions: tuple[str, ...] = BOTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A metric that a model judges: the fields of its spec and of its only instance."""

    name: str
    spec: frozenset[str] = frozenset({"version"})
    instance: frozenset[str] = frozenset({"prediction"})
    result: str = "score"
    versions: tuple[str, ...] = BOTH


def _judged(name: str, *fields: str) -> Judged:
    return Judged(name=name, instance=frozenset(fields), spec=frozenset({"version", "useReference"}))


_POINTWISE = frozenset({"metricPromptTemplate", "systemInstruction", "customOutputFormatConfig"})
_QUALITY = ("prediction", "reference", "context", "instruction")

_COMPUTED = (
    Computed(name="exactMatch", metric=metrics.exact_match),
    Computed(name="bleu", metric=metrics.bleu, spec=frozenset({"useEffectiveOrder"})),
    Computed(name="rouge", metric=metrics.rouge, spec=frozenset({"rougeType", "useStemmer", "splitSummaries"})),
    Computed(name="toolCallValid", metric=metrics.tool_call_valid),
    Computed(name="toolNameMatch", metric=metrics.tool_name_match),
    Computed(name="toolParameterKeyMatch", metric=metrics.tool_parameter_key_match),
    Computed(
        name="toolParameterKvMatch",
        metric=metrics.tool_parameter_kv_match,
        spec=frozenset({"useStrictStringMatch"}),
    ),
    *(
        Computed(name=f"trajectory{name}", metric=metric, instance=_TRAJECTORIES, versions=_BETA)
        for name, metric in (
            ("ExactMatch", metrics.trajectory_exact_match),
            ("InOrderMatch", metrics.trajectory_in_order_match),
            ("AnyOrderMatch", metrics.trajectory_any_order_match),
            ("Precision", metrics.trajectory_precision),
            ("Recall", metrics.trajectory_recall),
        )
    ),
    Computed(
        name="trajectorySingleToolUse",
        metric=metrics.trajectory_single_tool_use,
        spec=frozenset({"toolName"}),
        instance={"predictedTrajectory": TRAJECTORY},
        versions=_BETA,
    ),
)
_JUDGED = (
    _judged("fluency", "prediction"),
    _judged("coherence", "prediction"),
    _judged("safety", "prediction"),
    _judged("groundedness", "prediction", "context"),
    _judged("fulfillment", "prediction", "instruction"),
    _judged("summarizationQuality", *_QUALITY),
    _judged("summarizationHelpfulness", *_QUALITY),
    _judged("summarizationVerbosity", *_QUALITY),
    _judged("questionAnsweringQuality", *_QUALITY),
    _judged("questionAnsweringRelevance", *_QUALITY),
    _judged("questionAnsweringHelpfulness", *_QUALITY),
    _judged("questionAnsweringCorrectness", *_QUALITY),
    Judged(name="pointwiseMetric", spec=_POINTWISE, instance=frozenset({"jsonInstance", "contentMapInstance"})),
)

INPUTS: Mapping[str, Computed | Judged] = {
    **{f"{item.name}Input": item for item in _COMPUTED},
    **{f"{item.name}Input": item for item in _JUDGED},
}
