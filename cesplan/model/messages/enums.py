"""Enums that several kinds share."""

from enum import StrEnum


class HallucinationMetricBehavior(StrEnum):
    """Whether responses are checked for hallucinations."""

    HALLUCINATION_METRIC_BEHAVIOR_UNSPECIFIED = "HALLUCINATION_METRIC_BEHAVIOR_UNSPECIFIED"
    DISABLED = "DISABLED"
    ENABLED = "ENABLED"


class GoldenRunMethod(StrEnum):
    """How a golden conversation is replayed."""

    GOLDEN_RUN_METHOD_UNSPECIFIED = "GOLDEN_RUN_METHOD_UNSPECIFIED"
    STABLE = "STABLE"
    """Each turn in its own session, after the expected earlier turns."""
    NAIVE = "NAIVE"
    """All turns in one session, whatever happens."""


class EvaluationToolCallBehaviour(StrEnum):
    """Whether evaluations call real tools or fakes; unspecified is REAL."""

    EVALUATION_TOOL_CALL_BEHAVIOUR_UNSPECIFIED = "EVALUATION_TOOL_CALL_BEHAVIOUR_UNSPECIFIED"
    REAL = "REAL"
    FAKE = "FAKE"


class ScenarioExecutionMode(StrEnum):
    """Whether simulated conversations aim for quality or speed; unspecified is QUALITY_OPTIMIZED."""

    SCENARIO_EXECUTION_MODE_UNSPECIFIED = "SCENARIO_EXECUTION_MODE_UNSPECIFIED"
    QUALITY_OPTIMIZED = "QUALITY_OPTIMIZED"
    SPEED_OPTIMIZED = "SPEED_OPTIMIZED"


class ExecutionType(StrEnum):
    """Whether the conversation waits for a tool; unspecified is SYNCHRONOUS."""

    EXECUTION_TYPE_UNSPECIFIED = "EXECUTION_TYPE_UNSPECIFIED"
    SYNCHRONOUS = "SYNCHRONOUS"
    """It waits."""
    ASYNCHRONOUS = "ASYNCHRONOUS"
    """It continues meanwhile."""
