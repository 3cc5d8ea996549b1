"""Scenarios: conversations that a simulated user plays."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import (
    AsSet,
    Deprecated,
    KeyedBy,
    LongText,
    OneOf,
    Reference,
    Required,
    Within,
)
from cesplan.model.messages.conversation import (
    ConversationMessage,
    ToolCall,
    ToolResponse,
)
from cesplan.model.messages.enums import ScenarioExecutionMode
from cesplan.model.scalars import Int32, Struct


class TaskCompletionBehavior(StrEnum):
    """What should become of the task."""

    TASK_COMPLETION_BEHAVIOR_UNSPECIFIED = "TASK_COMPLETION_BEHAVIOR_UNSPECIFIED"
    TASK_SATISFIED = "TASK_SATISFIED"
    TASK_REJECTED = "TASK_REJECTED"


class UserGoalBehavior(StrEnum):
    """The expected outcome of the user's goal; unspecified is USER_GOAL_SATISFIED."""

    USER_GOAL_BEHAVIOR_UNSPECIFIED = "USER_GOAL_BEHAVIOR_UNSPECIFIED"
    USER_GOAL_SATISFIED = "USER_GOAL_SATISFIED"
    """It is reached."""
    USER_GOAL_REJECTED = "USER_GOAL_REJECTED"
    """It is refused."""
    USER_GOAL_IGNORED = "USER_GOAL_IGNORED"
    """It does not matter."""


class UserFact(Message):
    """Something that the simulated user knows."""

    MESSAGE = "Evaluation.Scenario.UserFact"

    name: Annotated[str | None, Required()] = None
    """Its meaning, such as `order number`."""
    value: Annotated[str | None, Required()] = None
    """Its value."""


class ToolExpectation(Message):
    """An expected call, and its response."""

    MESSAGE = "Evaluation.ScenarioExpectation.ToolExpectation"

    expected_tool_call: Annotated[ToolCall | None, Required()] = None
    """The call, with the relevant arguments."""
    mock_tool_response: Annotated[ToolResponse | None, Required()] = None
    """The tool's response; a model generates omitted parts."""


class ScenarioExpectation(Message):
    """An expectation of a simulated conversation."""

    MESSAGE = "Evaluation.ScenarioExpectation"

    tool_expectation: Annotated[ToolExpectation | None, OneOf("expectation")] = None
    """A tool is called."""
    agent_response: Annotated[ConversationMessage | None, OneOf("expectation")] = None
    """The agent says something."""


class Scenario(Message):
    """A conversation that a simulated user plays."""

    MESSAGE = "Evaluation.Scenario"

    task: Annotated[str | None, Required(), LongText("markdown")] = None
    """A description of what the user wants."""
    user_facts: Annotated[list[UserFact] | None, KeyedBy(("name",))] = None
    """What the user knows. Identified by name; order does not matter."""
    max_turns: Annotated[Int32 | None, Within(1, 100)] = None
    """The maximum number of turns, up to 100; 100 if absent."""
    rubrics: Annotated[list[str] | None, Required(), AsSet()] = None
    """
    The criteria for scoring the conversation. Order does not matter. Documented as required, but missing in
    real evaluations.
    """
    scenario_expectations: Annotated[list[ScenarioExpectation] | None, Required()] = None
    """The expectations. Documented as required, but missing in real evaluations."""
    variable_overrides: Struct | None = None
    """Variables of the session, by name. They override the defaults."""
    task_completion_behavior: Annotated[TaskCompletionBehavior | None, Deprecated("userGoalBehavior")] = None
    """What should become of the task."""
    user_goal_behavior: UserGoalBehavior | None = None
    """What should become of the user's goal."""
    evaluation_expectations: Annotated[list[str] | None, Reference(("evaluationExpectations",)), AsSet()] = None
    """Expectations for the whole conversation, by key. Order does not matter."""
    scenario_execution_mode: ScenarioExecutionMode | None = None
    """Quality or speed."""
