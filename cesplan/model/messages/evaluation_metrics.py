"""Metrics of evaluations: which are computed, and from which score on they pass."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Deprecated, Falls, Guards, Presence, Protects, Within
from cesplan.model.messages.enums import HallucinationMetricBehavior
from cesplan.model.scalars import Float, Int32


class SemanticSimilarityChannel(StrEnum):
    """The input of the similarity measure; unspecified is TEXT."""

    SEMANTIC_SIMILARITY_CHANNEL_UNSPECIFIED = "SEMANTIC_SIMILARITY_CHANNEL_UNSPECIFIED"
    TEXT = "TEXT"
    AUDIO = "AUDIO"


class ExtraToolCallBehavior(StrEnum):
    """The effect of an unexpected call on the result; unspecified is FAIL."""

    EXTRA_TOOL_CALL_BEHAVIOR_UNSPECIFIED = "EXTRA_TOOL_CALL_BEHAVIOR_UNSPECIFIED"
    FAIL = "FAIL"
    ALLOW = "ALLOW"


class TurnLevelMetricsThresholds(Message):
    """Thresholds for a turn."""

    MESSAGE = "EvaluationMetricsThresholds.GoldenEvaluationMetricsThresholds.TurnLevelMetricsThresholds"

    semantic_similarity_success_threshold: Annotated[
        Int32 | None, Presence(), Within(0, 4), Protects(Guards.EVALUATION, Falls.WHEN_LOWER, (), "3")
    ] = None
    """The least similarity of an answer, 0 to 4; 3 when absent."""
    overall_tool_invocation_correctness_threshold: Annotated[
        Float | None, Presence(), Within(0, 1), Protects(Guards.EVALUATION, Falls.WHEN_LOWER, (), "1")
    ] = None
    """The least share of right calls, 0 to 1; 1 when absent."""
    semantic_similarity_channel: SemanticSimilarityChannel | None = None
    """Measured on text or on audio."""


class ExpectationLevelMetricsThresholds(Message):
    """Thresholds for an expectation."""

    MESSAGE = "EvaluationMetricsThresholds.GoldenEvaluationMetricsThresholds.ExpectationLevelMetricsThresholds"

    tool_invocation_parameter_correctness_threshold: Annotated[
        Float | None, Presence(), Within(0, 1), Protects(Guards.EVALUATION, Falls.WHEN_LOWER, (), "1")
    ] = None
    """The least share of right arguments, 0 to 1; 1 when absent."""


class ToolMatchingSettings(Message):
    """How calls are matched with expected ones."""

    MESSAGE = "EvaluationMetricsThresholds.ToolMatchingSettings"

    extra_tool_call_behavior: Annotated[
        ExtraToolCallBehavior | None, Protects(Guards.EVALUATION, Falls.WHEN_LAXER, ("FAIL", "ALLOW"), "FAIL")
    ] = None
    """Whether an unexpected call fails the evaluation; it does if absent."""


class GoldenEvaluationMetricsThresholds(Message):
    """Thresholds for golden conversations."""

    MESSAGE = "EvaluationMetricsThresholds.GoldenEvaluationMetricsThresholds"

    turn_level_metrics_thresholds: TurnLevelMetricsThresholds | None = None
    """For a turn."""
    expectation_level_metrics_thresholds: ExpectationLevelMetricsThresholds | None = None
    """For an expectation."""
    tool_matching_settings: ToolMatchingSettings | None = None
    """For unexpected calls."""


class EvaluationMetricsThresholds(Message):
    """From which score on an evaluation has passed."""

    MESSAGE = "EvaluationMetricsThresholds"

    golden_evaluation_metrics_thresholds: GoldenEvaluationMetricsThresholds | None = None
    """For golden conversations."""
    hallucination_metric_behavior: Annotated[
        HallucinationMetricBehavior | None, Deprecated("goldenHallucinationMetricBehavior")
    ] = None
    """Check for invented facts in golden conversations."""
    golden_hallucination_metric_behavior: HallucinationMetricBehavior | None = None
    """Check for invented facts in golden conversations."""
    scenario_hallucination_metric_behavior: HallucinationMetricBehavior | None = None
    """Check for invented facts in scenarios."""


class SemanticSimilarityMetricsConfig(Message):
    """Similarity of answers. Present without the flag turns the metric off; absent is the default."""

    MESSAGE = "EvaluationMetricsConfig.SemanticSimilarityMetricsConfig"

    enable_semantic_similarity_metrics: bool | None = None
    """True computes it."""


class ToolCorrectnessMetricsConfig(Message):
    """Rightness of calls. Present without the flag turns the metric off; absent is the default."""

    MESSAGE = "EvaluationMetricsConfig.ToolCorrectnessMetricsConfig"

    enable_tool_correctness_metrics: bool | None = None
    """True computes it."""


class GoldenMetricsConfig(Message):
    """Metrics of golden conversations."""

    MESSAGE = "EvaluationMetricsConfig.GoldenMetricsConfig"

    semantic_similarity_metrics_config: Annotated[SemanticSimilarityMetricsConfig | None, Presence()] = None
    """Similarity of answers; `{}` turns it off."""
    tool_correctness_metrics_config: Annotated[ToolCorrectnessMetricsConfig | None, Presence()] = None
    """Rightness of the calls of a turn; `{}` turns it off."""
    step_tool_correctness_metrics_config: Annotated[ToolCorrectnessMetricsConfig | None, Presence()] = None
    """Rightness of the calls of a step; `{}` turns it off."""


class UserGoalMetMetricsConfig(Message):
    """
    Whether the user's goal was reached. Present without the flag turns the metric off; absent is the
    default.
    """

    MESSAGE = "EvaluationMetricsConfig.UserGoalMetMetricsConfig"

    enable_user_goal_met_metrics: bool | None = None
    """True computes it."""


class ExpectationsMetMetricsConfig(Message):
    """Whether expectations were met. Present without the flag turns the metric off; absent is the default."""

    MESSAGE = "EvaluationMetricsConfig.ExpectationsMetMetricsConfig"

    enable_expectations_met_metrics: bool | None = None
    """True computes it."""


class ScenarioMetricsConfig(Message):
    """Metrics of scenarios."""

    MESSAGE = "EvaluationMetricsConfig.ScenarioMetricsConfig"

    user_goal_met_metrics_config: Annotated[UserGoalMetMetricsConfig | None, Presence()] = None
    """Whether the user's goal was reached; `{}` turns it off."""
    expectations_met_metrics_config: Annotated[ExpectationsMetMetricsConfig | None, Presence()] = None
    """Whether expectations were met; `{}` turns it off."""


class EvaluationMetricsConfig(Message):
    """Which metrics are computed."""

    MESSAGE = "EvaluationMetricsConfig"

    golden_metrics_config: GoldenMetricsConfig | None = None
    """For golden conversations."""
    scenario_metrics_config: ScenarioMetricsConfig | None = None
    """For scenarios."""


class HallucinationMetricsConfig(Message):
    """Check for invented facts. Present without the flag turns the metric off; absent is the default."""

    MESSAGE = "EvaluationMetricsConfig.HallucinationMetricsConfig"

    enable_hallucination_metrics: bool | None = None
    """True computes it."""
