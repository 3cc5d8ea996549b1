"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.conversation import (
    AgentTransfer,
    Blob,
    ConversationMessage,
    Image,
    Span,
    ToolCall,
    ToolResponse,
)
from cesplan.model.enums import HallucinationMetricBehavior, ScenarioExecutionMode
from cesplan.model.evaluation_metrics import (
    EvaluationMetricsConfig,
    EvaluationMetricsThresholds,
    ExpectationLevelMetricsThresholds,
    HallucinationMetricsConfig,
    SemanticSimilarityMetricsConfig,
    TurnLevelMetricsThresholds,
)
from cesplan.model.marks import (
    AsSet,
    Deprecated,
    Etag,
    Identifier,
    KeyedBy,
    LongText,
    OneOf,
    OutputOnly,
    Presence,
    Reference,
    Required,
)
from cesplan.model.scalars import Bytes, Int32, Opaque, Struct


class TaskCompletionBehavior(StrEnum):
    """TODO"""

    TASK_COMPLETION_BEHAVIOR_UNSPECIFIED = "TASK_COMPLETION_BEHAVIOR_UNSPECIFIED"
    TASK_SATISFIED = "TASK_SATISFIED"
    TASK_REJECTED = "TASK_REJECTED"


class UserGoalBehavior(StrEnum):
    """TODO"""

    USER_GOAL_BEHAVIOR_UNSPECIFIED = "USER_GOAL_BEHAVIOR_UNSPECIFIED"
    USER_GOAL_SATISFIED = "USER_GOAL_SATISFIED"
    USER_GOAL_REJECTED = "USER_GOAL_REJECTED"
    USER_GOAL_IGNORED = "USER_GOAL_IGNORED"


class ComparisonType(StrEnum):
    """TODO"""

    COMPARISON_TYPE_UNSPECIFIED = "COMPARISON_TYPE_UNSPECIFIED"
    EQUALS = "EQUALS"
    CONTAINS = "CONTAINS"
    SEMANTIC_SIMILARITY = "SEMANTIC_SIMILARITY"


class ToolResponses(Message):
    """TODO"""

    MESSAGE = "ToolResponses"

    tool_responses: list[ToolResponse] | None = None


class Event(Message):
    """TODO"""

    MESSAGE = "Event"

    event: Annotated[str | None, Required()] = None


class SessionInput(Message):
    """TODO"""

    MESSAGE = "SessionInput"

    text: Annotated[str | None, OneOf("input_type")] = None
    dtmf: Annotated[str | None, OneOf("input_type")] = None
    audio: Annotated[Bytes | None, OneOf("input_type")] = None
    tool_responses: Annotated[ToolResponses | None, OneOf("input_type")] = None
    image: Annotated[Image | None, OneOf("input_type")] = None
    blob: Annotated[Blob | None, OneOf("input_type")] = None
    variables: Annotated[Struct | None, OneOf("input_type")] = None
    event: Annotated[Event | None, OneOf("input_type")] = None
    will_continue: bool | None = None


class GoldenExpectation(Message):
    """TODO"""

    MESSAGE = "Evaluation.GoldenExpectation"

    tool_call: Annotated[ToolCall | None, OneOf("condition")] = None
    tool_response: Annotated[ToolResponse | None, OneOf("condition")] = None
    agent_response: Annotated[ConversationMessage | None, OneOf("condition")] = None
    agent_transfer: Annotated[AgentTransfer | None, OneOf("condition")] = None
    updated_variables: Annotated[Struct | None, OneOf("condition")] = None
    mock_tool_response: Annotated[ToolResponse | None, OneOf("condition")] = None
    no_tool_calls: Annotated[bool | None, OneOf("condition")] = None
    note: str | None = None
    skip_evaluation: bool | None = None
    expectation_level_metrics_thresholds_override: ExpectationLevelMetricsThresholds | None = None
    agent_response_semantic_similarity_metrics_config_override: Annotated[
        SemanticSimilarityMetricsConfig | None, Presence()
    ] = None
    agent_response_hallucination_metrics_config_override: Annotated[
        HallucinationMetricsConfig | None, Presence()
    ] = None
    comparison_type: ComparisonType | None = None


class GoldenStep(Message):
    """TODO"""

    MESSAGE = "Evaluation.Step"

    user_input: Annotated[SessionInput | None, OneOf("step")] = None
    agent_transfer: Annotated[AgentTransfer | None, OneOf("step")] = None
    expectation: Annotated[GoldenExpectation | None, OneOf("step")] = None


class GoldenTurn(Message):
    """TODO"""

    MESSAGE = "Evaluation.GoldenTurn"

    steps: Annotated[list[GoldenStep] | None, Required()] = None
    root_span: Span | None = None
    turn_level_metrics_thresholds_override: TurnLevelMetricsThresholds | None = None
    hallucination_metric_behavior_override: HallucinationMetricBehavior | None = None


class Golden(Message):
    """TODO"""

    MESSAGE = "Evaluation.Golden"

    turns: Annotated[list[GoldenTurn] | None, Required()] = None
    evaluation_expectations: Annotated[list[str] | None, Reference(("evaluationExpectations",)), AsSet()] = None


class UserFact(Message):
    """TODO"""

    MESSAGE = "Evaluation.Scenario.UserFact"

    name: Annotated[str | None, Required()] = None
    value: Annotated[str | None, Required()] = None


class ToolExpectation(Message):
    """TODO"""

    MESSAGE = "Evaluation.ScenarioExpectation.ToolExpectation"

    expected_tool_call: Annotated[ToolCall | None, Required()] = None
    mock_tool_response: Annotated[ToolResponse | None, Required()] = None


class ScenarioExpectation(Message):
    """TODO"""

    MESSAGE = "Evaluation.ScenarioExpectation"

    tool_expectation: Annotated[ToolExpectation | None, OneOf("expectation")] = None
    agent_response: Annotated[ConversationMessage | None, OneOf("expectation")] = None


class Scenario(Message):
    """TODO"""

    MESSAGE = "Evaluation.Scenario"

    task: Annotated[str | None, Required(), LongText("markdown")] = None
    user_facts: Annotated[list[UserFact] | None, KeyedBy(("name",))] = None
    max_turns: Int32 | None = None
    rubrics: Annotated[list[str] | None, Required(refused=False), AsSet()] = None
    scenario_expectations: Annotated[list[ScenarioExpectation] | None, Required(refused=False)] = None
    variable_overrides: Struct | None = None
    task_completion_behavior: Annotated[TaskCompletionBehavior | None, Deprecated()] = None
    user_goal_behavior: UserGoalBehavior | None = None
    evaluation_expectations: Annotated[list[str] | None, Reference(("evaluationExpectations",)), AsSet()] = None
    scenario_execution_mode: ScenarioExecutionMode | None = None


class Evaluation(Resource):
    """TODO"""

    MESSAGE = "Evaluation"

    golden: Annotated[Golden | None, OneOf("inputs")] = None
    scenario: Annotated[Scenario | None, OneOf("inputs")] = None
    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[str | None, Required()] = None
    description: str | None = None
    tags: Annotated[list[str] | None, AsSet()] = None
    evaluation_datasets: Annotated[Opaque, OutputOnly()] = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    created_by: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    last_updated_by: Annotated[Opaque, OutputOnly()] = None
    evaluation_runs: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
    aggregated_metrics: Annotated[Opaque, OutputOnly()] = None
    last_completed_result: Annotated[Opaque, OutputOnly()] = None
    invalid: Annotated[Opaque, OutputOnly()] = None
    last_ten_results: Annotated[Opaque, OutputOnly()] = None
    evaluation_metrics_threshold_override: EvaluationMetricsThresholds | None = None
    evaluation_metrics_config_override: EvaluationMetricsConfig | None = None
