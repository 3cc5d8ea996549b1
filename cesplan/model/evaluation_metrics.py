"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.enums import HallucinationMetricBehavior
from cesplan.model.marks import Deprecated, Presence
from cesplan.model.scalars import Float, Int32


class SemanticSimilarityChannel(StrEnum):
    """TODO"""

    SEMANTIC_SIMILARITY_CHANNEL_UNSPECIFIED = "SEMANTIC_SIMILARITY_CHANNEL_UNSPECIFIED"
    TEXT = "TEXT"
    AUDIO = "AUDIO"


class ExtraToolCallBehavior(StrEnum):
    """TODO"""

    EXTRA_TOOL_CALL_BEHAVIOR_UNSPECIFIED = "EXTRA_TOOL_CALL_BEHAVIOR_UNSPECIFIED"
    FAIL = "FAIL"
    ALLOW = "ALLOW"


class TurnLevelMetricsThresholds(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsThresholds.GoldenEvaluationMetricsThresholds.TurnLevelMetricsThresholds"

    semantic_similarity_success_threshold: Annotated[Int32 | None, Presence()] = None
    overall_tool_invocation_correctness_threshold: Annotated[Float | None, Presence()] = None
    semantic_similarity_channel: SemanticSimilarityChannel | None = None


class ExpectationLevelMetricsThresholds(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsThresholds.GoldenEvaluationMetricsThresholds.ExpectationLevelMetricsThresholds"

    tool_invocation_parameter_correctness_threshold: Annotated[Float | None, Presence()] = None


class ToolMatchingSettings(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsThresholds.ToolMatchingSettings"

    extra_tool_call_behavior: ExtraToolCallBehavior | None = None


class GoldenEvaluationMetricsThresholds(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsThresholds.GoldenEvaluationMetricsThresholds"

    turn_level_metrics_thresholds: TurnLevelMetricsThresholds | None = None
    expectation_level_metrics_thresholds: ExpectationLevelMetricsThresholds | None = None
    tool_matching_settings: ToolMatchingSettings | None = None


class EvaluationMetricsThresholds(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsThresholds"

    golden_evaluation_metrics_thresholds: GoldenEvaluationMetricsThresholds | None = None
    hallucination_metric_behavior: Annotated[HallucinationMetricBehavior | None, Deprecated()] = None
    golden_hallucination_metric_behavior: HallucinationMetricBehavior | None = None
    scenario_hallucination_metric_behavior: HallucinationMetricBehavior | None = None


class SemanticSimilarityMetricsConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsConfig.SemanticSimilarityMetricsConfig"

    enable_semantic_similarity_metrics: bool | None = None


class ToolCorrectnessMetricsConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsConfig.ToolCorrectnessMetricsConfig"

    enable_tool_correctness_metrics: bool | None = None


class GoldenMetricsConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsConfig.GoldenMetricsConfig"

    semantic_similarity_metrics_config: Annotated[SemanticSimilarityMetricsConfig | None, Presence()] = None
    tool_correctness_metrics_config: Annotated[ToolCorrectnessMetricsConfig | None, Presence()] = None
    step_tool_correctness_metrics_config: Annotated[ToolCorrectnessMetricsConfig | None, Presence()] = None


class UserGoalMetMetricsConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsConfig.UserGoalMetMetricsConfig"

    enable_user_goal_met_metrics: bool | None = None


class ExpectationsMetMetricsConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsConfig.ExpectationsMetMetricsConfig"

    enable_expectations_met_metrics: bool | None = None


class ScenarioMetricsConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsConfig.ScenarioMetricsConfig"

    user_goal_met_metrics_config: Annotated[UserGoalMetMetricsConfig | None, Presence()] = None
    expectations_met_metrics_config: Annotated[ExpectationsMetMetricsConfig | None, Presence()] = None


class EvaluationMetricsConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsConfig"

    golden_metrics_config: GoldenMetricsConfig | None = None
    scenario_metrics_config: ScenarioMetricsConfig | None = None


class HallucinationMetricsConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationMetricsConfig.HallucinationMetricsConfig"

    enable_hallucination_metrics: bool | None = None
