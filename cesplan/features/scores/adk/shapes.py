"""
What ADK's files look like: the parts that scores read, as pydantic models.

Keys are camel or snake case. An unknown key is refused where ADK refuses it, and ignored where ADK allows more.
Fields that no score reads may hold anything.
"""

from typing import Any, TypeVar

from pydantic import AliasChoices, AliasGenerator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from cesplan.domain.errors import InvalidConfiguration
from cesplan.features.scores.strict_json import strict_json
from cesplan.render.machine.formats.base import problems

_BOTH_CASES = AliasGenerator(validation_alias=lambda name: AliasChoices(to_camel(name), name))
_Shape = TypeVar("_Shape", bound=BaseModel)
_MOST_PROBLEMS = 5
"""Of a file with more, the rest is most likely the same."""
_MOST_COUNTED = 1_000
"""Each takes half a kilobyte to be spelled out, and a file of megabytes can have millions."""
_LONGEST_PROBLEM = 300
"""Characters: a path holds keys of the file."""


class Closed(BaseModel):
    """An object without unknown keys."""

    model_config = ConfigDict(alias_generator=_BOTH_CASES, extra="forbid", frozen=True)


class Open(BaseModel):
    """An object that may have more keys."""

    model_config = ConfigDict(alias_generator=_BOTH_CASES, extra="ignore", frozen=True)


class FunctionCall(Closed):
    id: str | None = None
    name: str | None = None
    args: dict[str, Any] | None = None
    partial_args: Any = None
    will_continue: Any = None


class FunctionResponse(Closed):
    id: str | None = None
    name: str | None = None
    response: dict[str, Any] | None = None
    parts: Any = None
    scheduling: Any = None
    will_continue: Any = None


class Part(Closed):
    text: str | None = None
    function_call: FunctionCall | None = None
    audio_transcription: Any = None
    code_execution_result: Any = None
    executable_code: Any = None
    file_data: Any = None
    function_response: "FunctionResponse | None" = None
    inline_data: Any = None
    media_processing: Any = None
    media_resolution: Any = None
    part_metadata: Any = None
    speech_metadata: Any = None
    thought: Any = None
    thought_signature: Any = None
    tool_call: Any = None
    tool_response: Any = None
    video_metadata: Any = None


class Content(Closed):
    parts: list[Part] | None = None
    role: str | None = None


class IntermediateData(Closed):
    """The calls of a turn in lists of their own."""

    tool_uses: list[FunctionCall] = []
    tool_responses: list[FunctionResponse] = []
    intermediate_responses: list[tuple[str, list[Part]]] = []


class InvocationEvent(Open):
    author: str
    content: Content | None = None
    grounding_metadata: Any = None


class InvocationEvents(Closed):
    """The calls of a turn inside of its events."""

    invocation_events: list[InvocationEvent] = []


class Invocation(Closed):
    """A turn."""

    invocation_id: str = ""
    user_content: Content
    final_response: Content | None = None
    intermediate_data: IntermediateData | InvocationEvents | None = None
    creation_timestamp: Any = 0.0
    duration: Any = None
    model_duration: Any = None
    tool_duration: Any = None
    rubrics: "list[RubricShape] | None" = None
    app_details: "AppDetails | None" = None


class RubricContent(Closed):
    text_property: str | None = None


class RubricShape(Closed):
    """A property that a judge looks for."""

    rubric_id: str
    rubric_content: RubricContent
    description: str | None = None
    type: str | None = None


class AgentDetails(Closed):
    name: str
    instructions: str = ""
    tool_declarations: list[Any] = []


class AppDetails(Closed):
    """What the agents of an app were given."""

    agent_details: dict[str, AgentDetails] = {}


class EvalCase(Open):
    eval_id: str
    rubrics: list[RubricShape] | None = None
    conversation: list[Invocation] | None = None
    conversation_scenario: dict[str, Any] | None = None


class EvalSet(Open):
    eval_set_id: str
    eval_cases: list[EvalCase]


class PerInvocation(Closed):
    actual_invocation: Invocation
    expected_invocation: Invocation | None = None
    eval_metric_results: list[Any] = []


class MetricResult(Open):
    metric_name: str
    score: float | None = Field(default=None, allow_inf_nan=False)


class EvalCaseResult(Open):
    eval_set_id: str = ""
    eval_id: str = ""
    overall_eval_metric_results: list[MetricResult]
    eval_metric_result_per_invocation: list[PerInvocation]


class EvalSetResult(Open):
    eval_set_id: str
    eval_case_results: list[EvalCaseResult] = []


class TrajectoryCriterion(Open):
    """The settings of `tool_trajectory_avg_score`; `match_type` is a name, or a number from 0 to 2."""

    threshold: float = Field(allow_inf_nan=False)
    match_type: Any = "EXACT"
    ignore_args: bool = False


class AnyCriterion(Open):
    threshold: float = Field(allow_inf_nan=False)


class JudgeModelOptions(Closed):
    judge_model: str = "gemini-2.5-flash"
    judge_model_config: Any = None
    num_samples: int = Field(default=5, ge=1)
    parallelism_limit: int = Field(default=1, ge=1)


class JudgedCriterion(AnyCriterion):
    """The settings of a criterion that a model decides."""

    judge_model_options: JudgeModelOptions = JudgeModelOptions()
    rubrics: list[RubricShape] = []
    include_intermediate_responses_in_final: bool = False
    evaluate_intermediate_nl_responses: bool = False


class EvalConfig(Open):
    criteria: dict[str, Any] = {}
    custom_metrics: dict[str, Any] | None = None


def document_of(text: str, name: str) -> Any:
    """The JSON value of a file. Raises InvalidConfiguration."""
    try:
        return strict_json(text)
    except ValueError as error:
        raise InvalidConfiguration(summary=f"{name} cannot be read: {error}.") from error


def shaped(shape: type[_Shape], document: Any, name: str, what: str) -> _Shape:
    """A value as a shape. Raises InvalidConfiguration with the first problems."""
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        raise InvalidConfiguration(summary=f"{name} is not {what}.", detail=_problem_text(error)) from None


def _problem_text(error: ValidationError) -> str:
    if (number := error.error_count()) > _MOST_COUNTED:
        return f"It has {number:,} problems."
    return "\n".join(item[:_LONGEST_PROBLEM] for item in [*problems(error)][:_MOST_PROBLEMS])
