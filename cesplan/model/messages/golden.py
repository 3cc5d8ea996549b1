"""Golden conversations: what is replayed, and what must be true at each step."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import (
    AsSet,
    AtMost,
    OneOf,
    Presence,
    Reference,
    Required,
)
from cesplan.model.messages.conversation import (
    AgentTransfer,
    ConversationMessage,
    Span,
    ToolCall,
    ToolResponse,
)
from cesplan.model.messages.enums import HallucinationMetricBehavior
from cesplan.model.messages.evaluation_metrics import (
    ExpectationLevelMetricsThresholds,
    HallucinationMetricsConfig,
    SemanticSimilarityMetricsConfig,
    TurnLevelMetricsThresholds,
)
from cesplan.model.messages.session_input import SessionInput
from cesplan.model.scalars import Struct


class ComparisonType(StrEnum):
    """How an expected text is compared with the actual one; unspecified is SEMANTIC_SIMILARITY."""

    COMPARISON_TYPE_UNSPECIFIED = "COMPARISON_TYPE_UNSPECIFIED"
    EQUALS = "EQUALS"
    """They are equal."""
    CONTAINS = "CONTAINS"
    """The actual text contains the expected one."""
    SEMANTIC_SIMILARITY = "SEMANTIC_SIMILARITY"
    """They mean the same, as judged by a model."""


class GoldenExpectation(Message):
    """Something that must be true at this point; exactly one kind."""

    MESSAGE = "Evaluation.GoldenExpectation"

    tool_call: Annotated[ToolCall | None, OneOf("condition")] = None
    """This tool is called with these arguments."""
    tool_response: Annotated[ToolResponse | None, OneOf("condition")] = None
    """A tool returns this."""
    agent_response: Annotated[ConversationMessage | None, OneOf("condition")] = None
    """The agent says this; the role is implied."""
    agent_transfer: Annotated[AgentTransfer | None, OneOf("condition")] = None
    """The conversation is transferred to this agent."""
    updated_variables: Annotated[Struct | None, OneOf("condition")] = None
    """Variables have these values, by name."""
    mock_tool_response: Annotated[ToolResponse | None, OneOf("condition")] = None
    """The tool's response in the replay; a model generates omitted parts."""
    no_tool_calls: Annotated[bool | None, OneOf("condition")] = None
    """If true, no tool is called in this turn."""
    note: str | None = None
    """A label for reports, such as `Check_Payment_Tool_Called`."""
    skip_evaluation: bool | None = None
    """If true, this expectation does not count in the score."""
    expectation_level_metrics_thresholds_override: ExpectationLevelMetricsThresholds | None = None
    """Thresholds for this expectation alone."""
    agent_response_semantic_similarity_metrics_config_override: Annotated[
        SemanticSimilarityMetricsConfig | None, Presence()
    ] = None
    """Similarity of responses for this expectation; `{}` turns it off, absent means the default."""
    agent_response_hallucination_metrics_config_override: Annotated[
        HallucinationMetricsConfig | None, Presence()
    ] = None
    """Hallucination check for this expectation; `{}` turns it off, absent means the default."""
    comparison_type: ComparisonType | None = None
    """How texts are compared."""


class GoldenStep(Message):
    """A step of a turn; exactly one kind."""

    MESSAGE = "Evaluation.Step"

    user_input: Annotated[SessionInput | None, OneOf("step")] = None
    """The user does something."""
    agent_transfer: Annotated[AgentTransfer | None, OneOf("step")] = None
    """The conversation is transferred to this agent."""
    expectation: Annotated[GoldenExpectation | None, OneOf("step")] = None
    """An expectation that must be met now."""


class GoldenTurn(Message):
    """A turn of a golden conversation."""

    MESSAGE = "Evaluation.GoldenTurn"

    steps: Annotated[list[GoldenStep] | None, Required()] = None
    """The steps, in order."""
    root_span: Span | None = None
    """Measurements of the recorded turn; it has nothing to configure."""
    turn_level_metrics_thresholds_override: TurnLevelMetricsThresholds | None = None
    """Thresholds for this turn alone."""
    hallucination_metric_behavior_override: HallucinationMetricBehavior | None = None
    """Hallucination check in this turn."""


class Golden(Message):
    """A golden conversation: replayed turn by turn and compared."""

    MESSAGE = "Evaluation.Golden"

    turns: Annotated[list[GoldenTurn] | None, Required(), AtMost(100)] = None
    """The turns in order, at most 100."""
    evaluation_expectations: Annotated[list[str] | None, Reference(("evaluationExpectations",)), AsSet()] = None
    """Expectations for the whole conversation, by key. Order does not matter."""
