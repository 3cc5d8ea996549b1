"""Metrics of evaluations: which ones are computed, and the scores from which they pass."""

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
    """The minimum similarity of a response, from 0 to 4; 3 if absent."""
    overall_tool_invocation_correctness_threshold: Annotated[
        Float | None, Presence(), Within(0, 1), Protects(Guards.EVALUATION, Falls.WHEN_LOWER, (), "1")
    ] = None
    """The minimum share of correct calls, from 0 to 1; 1 if absent."""
    semantic_similarity_channel: SemanticSimilarityChannel | None = None
    """Measured on text or on audio."""


class ExpectationLevelMetricsThresholds(Message):
    """Thresholds for an expectation."""

    MESSAGE = "EvaluationMetricsThresholds.GoldenEvaluationMetricsThresholds.ExpectationLevelMetricsThresholds"

    tool_invocation_parameter_correctness_threshold: Annotated[
        Float | None, Presence(), Within(0, 1), Protects(Guards.EVALUATION, Falls.WHEN_LOWER, (), "1")
    ] = None
    """The minimum share of correct arguments, from 0 to 1; 1 if absent."""


class ToolMatchingSettings(Message):
    """How calls are matched with expected ones."""

    MESSAGE = "EvaluationMetricsThresholds.ToolMatchingSettings"

    extra_tool_call_behavior: Annotated[
        ExtraToolCallBehavior | None, Protects(Guards.EVALUATION, Falls.WHEN_LAXER, ("FAIL", "ALLOW"), "FAIL")
    ] = None
    """Whether an unexpected call fails the evaluation; FAIL if absent."""


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
    """The scores from which an evaluation passes."""

    MESSAGE = "EvaluationMetricsThresholds"

    golden_evaluation_metrics_thresholds: GoldenEvaluationMetricsThresholds | None = None
    """For golden conversations."""
    hallucination_metric_behavior: Annotated[
        HallucinationMetricBehavior | None, Deprecated("goldenHallucinationMetricBehavior")
    ] = None
    """Hallucination check in golden conversations."""
    golden_hallucination_metric_behavior: HallucinationMetricBehavior | None = None
    """Hallucination check in golden conversations."""
    scenario_hallucination_metric_behavior: HallucinationMetricBehavior | None = None
    """Hallucination check in scenarios."""


class SemanticSimilarityMetricsConfig(Message):
    """
    Similarity of responses. If it is present without the flag, the metric is off; absent means the default.
    """

    MESSAGE = "EvaluationMetricsConfig.SemanticSimilarityMetricsConfig"

    enable_semantic_similarity_metrics: bool | None = None
    """If true, the metric is computed."""


class ToolCorrectnessMetricsConfig(Message):
    """Correctness of calls. If it is present without the flag, the metric is off; absent means the default."""

    MESSAGE = "EvaluationMetricsConfig.ToolCorrectnessMetricsConfig"

    enable_tool_correctness_metrics: bool | None = None
    """If true, the metric is computed."""


class GoldenMetricsConfig(Message):
    """Metrics of golden conversations."""

    MESSAGE = "EvaluationMetricsConfig.GoldenMetricsConfig"

    semantic_similarity_metrics_config: Annotated[SemanticSimilarityMetricsConfig | None, Presence()] = None
    """Similarity of responses; `{}` turns it off."""
    tool_correctness_metrics_config: Annotated[ToolCorrectnessMetricsConfig | None, Presence()] = None
    """Correctness of the calls in a turn; `{}` turns it off."""
    step_tool_correctness_metrics_config: Annotated[ToolCorrectnessMetricsConfig | None, Presence()] = None
    """Correctness of the calls in a step; `{}` turns it off."""


class UserGoalMetMetricsConfig(Message):
    """
    Whether the user's goal was reached. If it is present without the flag, the metric is off; absent means the
    default.
    """

    MESSAGE = "EvaluationMetricsConfig.UserGoalMetMetricsConfig"

    enable_user_goal_met_metrics: bool | None = None
    """If true, the metric is computed."""


class ExpectationsMetMetricsConfig(Message):
    """
    Whether expectations were met. If it is present without the flag, the metric is off; absent means the
    default.
    """

    MESSAGE = "EvaluationMetricsConfig.ExpectationsMetMetricsConfig"

    enable_expectations_met_metrics: bool | None = None
    """If true, the metric is computed."""


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
    """Hallucination check. If it is present without the flag, the metric is off; absent means the default."""

    MESSAGE = "EvaluationMetricsConfig.HallucinationMetricsConfig"

    enable_hallucination_metrics: bool | None = None
    """If true, the metric is computed."""
