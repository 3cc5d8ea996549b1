"""
CES goldens as ADK turns: the expected turns, the turns that a run observed, and the losses of the mapping.

A turn that contains more than an ADK turn can hold is not comparable in the metrics concerned: their mean
leaves it out, the report names it, and a metric without comparable turns has no score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from cesplan.domain.features.scores import (
    RESPONSE_MATCH,
    TRAJECTORY,
    Criterion,
    ExpectedCase,
    MatchType,
    MetricScore,
    ObservedCase,
    ScoreStatus,
    StepKind,
    ToolUse,
    Turn,
    TurnStep,
)
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body, as_object, as_objects, bare_leaves
from cesplan.features.scores.scoring import score_metric

TRANSFER = "transfer_to_agent"
"""The call that ADK uses for a transfer to another agent."""
_LARGEST_EXACT = 2**53
_BOTH = (TRAJECTORY, RESPONSE_MATCH)
_INPUTS = ("event", "dtmf", "audio", "image", "blob", "toolResponses")
_OVERRIDES = (
    "comparisonType",
    "expectationLevelMetricsThresholdsOverride",
    "agentResponseSemanticSimilarityMetricsConfigOverride",
    "agentResponseHallucinationMetricsConfigOverride",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """
    The names of tools and agents, by resource name; `author` is the speaker of the texts before an answer.

    A tool or agent that is not listed goes by its display name, else by the last part of its resource name.
    """

    tools: Mapping[str, str] = field(default_factory=dict)
    agents: Mapping[str, str] = field(default_factory=dict)
    author: str = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedTurn:
    """
    A turn, the parts of it that are `lost`, and for each metric the reason if it is not comparable.

    `allows_no_call`: the golden says that no tool may be called, which only EXACT can demand.
    """

    turn: Turn
    lost: Sequence[str] = ()
    incomparable: Mapping[str, str] = field(default_factory=dict)
    allows_no_call: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedScore:
    """The score of the comparable turns; `left_out` are the numbers of the others (from 1), with the reason."""

    metric: MetricScore
    left_out: Mapping[int, str]


def expected_turns(golden: Body, names: Names) -> tuple[MappedTurn, ...]:
    """The turns of a golden: `Evaluation.golden`."""
    turns = as_objects(golden.get("turns"))
    return tuple(_expected(turn, names, is_first=not number) for number, turn in enumerate(turns))


def observed_turns(golden: Body, outcomes: Sequence[Sequence[Body]], names: Names) -> tuple[MappedTurn, ...]:
    """The observed turns, from the outcomes of each turn (`expectationOutcome` of a result)."""
    turns = as_objects(golden.get("turns"))
    users = [_expected(turn, names, is_first=True).turn.user for turn in turns]
    users += [""] * (len(outcomes) - len(users))
    return tuple(_observed(found, user, names) for found, user in zip(outcomes, users, strict=False))


def outcomes_of(result: Body) -> tuple[Sequence[Body], ...]:
    """The outcomes of an `EvaluationResult`, by turn."""
    replays = as_objects(as_object(result.get("goldenResult")).get("turnReplayResults"))
    return tuple(as_objects(replay.get("expectationOutcome")) for replay in replays)


def first_state(golden: Body) -> dict[str, Any]:
    """The session state that a conversation begins with: the variables of its first turn."""
    turns = as_objects(golden.get("turns"))
    inputs = [as_object(step.get("userInput")) for turn in turns[:1] for step in as_objects(turn.get("steps"))]
    return {name: value for item in inputs for name, value in as_object(item.get("variables")).items()}


def score_mapped(
    criterion: Criterion, expected: Sequence[MappedTurn], observed: Sequence[MappedTurn]
) -> MappedScore:
    """One criterion over the comparable turns of one run."""
    if len(expected) != len(observed):
        reason = f"{len(expected)} turns are expected and the run has {len(observed)}"
        metric = MetricScore(criterion=criterion, status=ScoreStatus.NOT_EVALUATED, reason=reason)
        return MappedScore(metric=metric, left_out={})
    pairs = list(zip(expected, observed, strict=True))
    reasons = [_why_not(criterion, *pair) for pair in pairs]
    kept = [pair for pair, why in zip(pairs, reasons, strict=True) if not why]
    case = ExpectedCase(eval_id="", turns=tuple(theirs.turn for theirs, _ in kept))
    run = ObservedCase(eval_id="", turns=tuple(ours.turn for _, ours in kept))
    problem = "" if kept else "no turn is comparable"
    return MappedScore(
        metric=score_metric(criterion, case, [run], problem),
        left_out={number: why for number, why in enumerate(reasons, 1) if why},
    )


def score_runs(
    criterion: Criterion, expected: Sequence[MappedTurn], runs: Sequence[Sequence[MappedTurn]]
) -> MappedScore:
    """One criterion over all runs; a turn that is not comparable in one of them is left out in all."""
    uneven = next((run for run in runs if len(run) != len(expected)), None)
    if uneven is not None or not runs:
        return score_mapped(criterion, expected, uneven or ())
    left_out: dict[int, str] = {}
    for number, turn in enumerate(expected):
        why = next(filter(None, (_why_not(criterion, turn, run[number]) for run in runs)), "")
        if why:
            left_out[number + 1] = why
    kept = [number for number in range(len(expected)) if number + 1 not in left_out]
    case = ExpectedCase(eval_id="", turns=tuple(expected[number].turn for number in kept))
    observed = [ObservedCase(eval_id="", turns=tuple(run[number].turn for number in kept)) for run in runs]
    problem = "" if kept else "no turn is comparable"
    return MappedScore(metric=score_metric(criterion, case, observed, problem), left_out=left_out)


def _why_not(criterion: Criterion, expected: MappedTurn, observed: MappedTurn) -> str:
    metric = criterion.metric
    if why := expected.incomparable.get(metric) or observed.incomparable.get(metric):
        return why
    if metric == TRAJECTORY and expected.allows_no_call and criterion.match_type is not MatchType.EXACT:
        return f"no call is allowed, and {criterion.match_type} lets any call pass"
    return ""


@dataclass(slots=True)
class _Draft:
    """A turn under construction."""

    names: Names
    user: list[str] = field(default_factory=list)
    calls: list[ToolUse] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    steps: list[TurnStep] = field(default_factory=list)
    lost: dict[str, None] = field(default_factory=dict)
    incomparable: dict[str, str] = field(default_factory=dict)
    allows_no_call: bool = False

    def leave_out(self, why: str, *metrics: str) -> None:
        for metric in metrics:
            self.incomparable.setdefault(metric, why)

    def finished(self) -> MappedTurn:
        author = self.names.author
        turn = Turn(
            user="\n".join(self.user),
            response=self.answers[-1] if self.answers else "",
            calls=tuple(self.calls),
            interim=tuple((author, text) for text in self.answers[:-1]),
            steps=tuple(self._before_the_answer()),
        )
        return MappedTurn(
            turn=turn,
            lost=tuple(self.lost),
            incomparable=self.incomparable,
            allows_no_call=self.allows_no_call,
        )

    def _before_the_answer(self) -> list[TurnStep]:
        """Everything but the last text."""
        texts = [number for number, step in enumerate(self.steps) if step.kind is StepKind.TEXT]
        last = texts[-1] if texts else -1
        return [step for number, step in enumerate(self.steps) if number != last]

    def say(self, user_input: Body, *, is_first: bool) -> None:
        if text := user_input.get("text"):
            self.user.append(str(text))
        for kind in _INPUTS:
            if kind in user_input:
                self.leave_out(f"the user sends `{kind}`, which a turn of ADK cannot hold", *_BOTH)
        if user_input.get("variables") and not is_first:
            self.lost["variables that are set after the first turn"] = None

    def call(self, item: Body) -> None:
        if item.get("toolsetTool"):
            self.lost["the toolset of a tool"] = None
        name, args = self._tool(item), as_object(item.get("args"))
        if _has_inexact(args):
            self.lost["integers above 2^53, which are doubles in CES"] = None
        self.calls.append(ToolUse(name=name, args=args))
        self.steps.append(TurnStep(kind=StepKind.CALL, name=name, content=args))

    def respond(self, item: Body) -> None:
        content = as_object(item.get("response"))
        self.steps.append(TurnStep(kind=StepKind.RESPONSE, name=self._tool(item), content=content))

    def _tool(self, item: Body) -> str:
        if toolset_tool := item.get("toolsetTool"):
            return str(as_object(toolset_tool).get("toolId", ""))
        resource = str(item.get("tool", ""))
        return self.names.tools.get(resource) or str(item.get("displayName") or last_id(resource))

    def transfer(self, item: Body) -> None:
        resource = str(item.get("targetAgent", ""))
        name = self.names.agents.get(resource) or str(item.get("displayName") or last_id(resource))
        self.calls.append(ToolUse(name=TRANSFER, args={"agent_name": name}))
        self.steps.append(TurnStep(kind=StepKind.CALL, name=TRANSFER, content={"agent_name": name}))

    def answer(self, message: Body) -> None:
        chunks = as_objects(message.get("chunks"))
        texts = [str(chunk["text"]) for chunk in chunks if chunk.get("text")]
        if len(texts) < len(chunks):
            self.leave_out("an answer holds more than text", RESPONSE_MATCH)
        if texts:
            self.answers.append("\n".join(texts))
            self.steps.append(TurnStep(kind=StepKind.TEXT, content=self.answers[-1]))

    def expect(self, expectation: Body) -> None:
        if expectation.get("skipEvaluation"):
            self.leave_out("an expectation is skipped", *_metrics_of(expectation))
        if any(key in expectation for key in _OVERRIDES):
            self.lost["how an expectation is compared, and its thresholds"] = None
        if "updatedVariables" in expectation:
            self.lost["variables that are expected after a turn"] = None
        if "toolResponse" in expectation or "mockToolResponse" in expectation:
            self.lost["responses of tools, which ADK does not replay"] = None
        if expectation.get("noToolCalls"):
            self.allows_no_call = True
        self.observe(expectation, "toolCall", "agentTransfer", "agentResponse")

    def observe(self, item: Body, call: str, transfer: str, answer: str) -> None:
        if call in item:
            self.call(as_object(item[call]))
        if transfer in item:
            self.transfer(as_object(item[transfer]))
        if answer in item:
            self.answer(as_object(item[answer]))


def _expected(turn: Body, names: Names, *, is_first: bool) -> MappedTurn:
    draft = _Draft(names)
    for step in as_objects(turn.get("steps")):
        if "userInput" in step:
            draft.say(as_object(step["userInput"]), is_first=is_first)
        if "agentTransfer" in step:
            draft.transfer(as_object(step["agentTransfer"]))
        if "expectation" in step:
            draft.expect(as_object(step["expectation"]))
    if any(key.endswith("Override") for key in turn):
        draft.lost["thresholds of a turn"] = None
    if not draft.answers:
        draft.leave_out("no answer is expected", RESPONSE_MATCH)
    return draft.finished()


def _observed(outcomes: Iterable[Body], user: str, names: Names) -> MappedTurn:
    draft = _Draft(names)
    if user:
        draft.user.append(user)
    for item in outcomes:
        draft.observe(item, "observedToolCall", "observedAgentTransfer", "observedAgentResponse")
        if "observedToolResponse" in item:
            draft.respond(as_object(item["observedToolResponse"]))
        if "observedPayload" in item:
            draft.lost["payloads"] = None
    draft.lost["calls that no expectation waits for, where the result does not list them"] = None
    return draft.finished()


def _metrics_of(expectation: Body) -> tuple[str, ...]:
    return (RESPONSE_MATCH,) if "agentResponse" in expectation else (TRAJECTORY,)


def _has_inexact(value: Any) -> bool:
    return any(type(leaf) is int and abs(leaf) > _LARGEST_EXACT for leaf in bare_leaves(value))
