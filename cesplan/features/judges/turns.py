"""
Judging one turn: the questions of each criterion, in their order, and the result of their answers.

Each question is one request of evaluateInstances with one `…Input` (EvaluateInstancesRequest of Vertex AI
v1beta1; v1 cannot name the judge model or the number of samples). Nothing here waits or counts: `ask` sends it
and returns the response, or raises JudgeFailed.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import TypeAlias

from cesplan.domain.features.judges import (
    COHERENCE,
    FINAL_MATCH,
    RESPONSE_RUBRICS,
    SAFETY,
    SAMPLED,
    JudgeFailed,
)
from cesplan.domain.features.scores import (
    Criterion,
    JudgeOptions,
    Judgment,
    Rubric,
    StepKind,
    Turn,
    TurnStep,
    Votes,
)
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body
from cesplan.features.judges.answers import (
    RubricAnswer,
    covers,
    label_of,
    labels_of,
    rubric_answers,
    score_of,
    sentences_of,
    text_of,
)
from cesplan.features.judges.prompts import (
    match_prompt,
    response_rubrics_prompt,
    segments_prompt,
    sentences_prompt,
    tool_rubrics_prompt,
)
from cesplan.features.judges.votes import Point, TurnFound, known, majority, unknown

Ask: TypeAlias = Callable[[Body], Body]
_NO_OPTIONS = JudgeOptions()
_TEMPLATE = "{task}"
_RATED = {SAFETY: ("safety", 0.0, 1.0), COHERENCE: ("coherence", 1.0, 5.0)}
"""By metric: how the API names its input and its result, the least, and the most that a judge gives."""

LONGEST_PROMPT = 1_000_000
"""Characters. The largest context of a model is about four times as much, and input is billed by length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnToJudge:
    """
    One turn of one run; both count from 1. `expected` is None where nothing was expected beforehand.

    `rubrics` are those in force, for criteria that have some.
    """

    criterion: Criterion
    run: int
    turn: int
    actual: Turn
    expected: Turn | None = None
    rubrics: Sequence[Rubric] = ()

    @property
    def options(self) -> JudgeOptions:
        return self.criterion.judge or _NO_OPTIONS

    @property
    def response(self) -> str:
        """The text that is judged as the answer."""
        return _answer(self.actual, self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One answer: a verdict about each subject, or why there is none. The subject of a whole turn is empty."""

    verdicts: Mapping[str, RubricAnswer]
    failure: str = ""


def is_sampled(item: TurnToJudge) -> bool:
    """Whether the judge is asked several times and the majority decides."""
    return item.criterion.metric in SAMPLED


def sample(item: TurnToJudge, ask: Ask) -> Sample:
    """One sample of a turn: one question."""
    try:
        text = text_of(ask(pointwise(_prompt(item), item.options)))
    except JudgeFailed as error:
        return Sample(verdicts={}, failure=error.reason)
    if item.criterion.metric == FINAL_MATCH:
        return Sample(verdicts={"": RubricAnswer(verdict=label_of(text), rationale="")})
    return Sample(verdicts=rubric_answers(text, item.rubrics))


def of_samples(item: TurnToJudge, samples: Sequence[Sample]) -> TurnFound:
    """The result of all samples of a turn."""
    failures = [found.failure for found in samples if found.failure]
    subjects = [""] if item.criterion.metric == FINAL_MATCH else [rubric.key for rubric in item.rubrics]
    found = [_subject(item, subject, samples, failures) for subject in subjects]
    return _found(item, [point for point, _ in found], [judgment for _, judgment in found])


def whole(item: TurnToJudge, ask: Ask) -> TurnFound:
    """The result of a turn for a criterion that is not sampled."""
    try:
        points, notes = _rated(item, ask) if item.criterion.metric in _RATED else _hallucinations(item, ask)
    except JudgeFailed as error:
        _, *bounds = _RATED.get(item.criterion.metric, ("", 0.0, 1.0))
        points, notes = [unknown(error.reason, *bounds)], error.reason
    value = TurnFound(run=item.run, turn=item.turn, points=points, judgments=()).score
    return _found(item, points, [Judgment(run=item.run, turn=item.turn, score=value, note=notes)])


def pointwise(prompt: str, options: JudgeOptions) -> Body:
    """
    A free prompt with a text answer: asked once per request, so that samples are counted here. Raises
    JudgeFailed for one that is too long. The prompt is the only value of a template that is nothing but that
    value: no text of a conversation is ever read as a template.
    """
    if len(prompt) > LONGEST_PROMPT:
        raise JudgeFailed(reason=f"the turn has more than {LONGEST_PROMPT:,} characters")
    return {
        "pointwiseMetricInput": {
            "metricSpec": {
                "metricPromptTemplate": _TEMPLATE,
                "customOutputFormatConfig": {"returnRawOutput": True},
            },
            "instance": {"jsonInstance": json.dumps({"task": prompt}, ensure_ascii=False)},
        },
        "autoraterConfig": {"samplingCount": 1, "flipEnabled": False, **_model(options)},
    }


def rating(metric: str, prediction: str, options: JudgeOptions) -> Body:
    """The request that asks for the number of a metric for an answer. Raises JudgeFailed for a too long one."""
    if len(prediction) > LONGEST_PROMPT:
        raise JudgeFailed(reason=f"the answer has more than {LONGEST_PROMPT:,} characters")
    member = f"{_RATED[metric][0]}Input"
    body: Body = {member: {"metricSpec": {}, "instance": {"prediction": prediction}}}
    return {**body, "autoraterConfig": _model(options)} if options.model else body


def _prompt(item: TurnToJudge) -> str:
    match item.criterion.metric:
        case metric if metric == FINAL_MATCH:
            reference = _answer(item.expected or Turn(), item.options)
            user = (item.expected or item.actual).user
            return match_prompt(user, item.response, reference)
        case metric if metric == RESPONSE_RUBRICS:
            return response_rubrics_prompt(item.actual, item.response, item.rubrics)
    return tool_rubrics_prompt(item.actual, item.rubrics)


def _subject(
    item: TurnToJudge, subject: str, samples: Sequence[Sample], failures: Sequence[str]
) -> tuple[Point, Judgment]:
    """What the samples say about one rubric, or about the turn; the note is that of a sample that lost it."""
    verdicts = [found.verdicts.get(subject) for found in samples if not found.failure]
    yes = sum(one is not None and one.verdict is True for one in verdicts)
    no = sum(one is not None and one.verdict is False for one in verdicts)
    votes = Votes(yes=yes, no=no, unread=len(verdicts) - yes - no)
    point = majority(votes, failures)
    against = [one.rationale for one in verdicts if one is not None and one.verdict is False and one.rationale]
    note = point.why or (against[0] if point.value == 0 and against else "")
    named = f"`{subject}`: " if subject else ""
    why = f"{named}{point.why}" if point.why else ""
    return (
        Point(value=point.value, least=point.least, most=point.most, why=why),
        Judgment(run=item.run, turn=item.turn, subject=subject, score=point.value, votes=votes, note=note),
    )


def _rated(item: TurnToJudge, ask: Ask) -> tuple[list[Point], str]:
    name, least, most = _RATED[item.criterion.metric]
    response = ask(rating(item.criterion.metric, item.response, item.options))
    score, explanation = score_of(response, f"{name}Result", least, most)
    if score is None:
        return [unknown("the judge gave no score", least, most)], explanation
    return [known(score)], explanation


def _hallucinations(item: TurnToJudge, ask: Ask) -> tuple[list[Point], str]:
    """The share of sentences that are in order, averaged over the texts of a turn."""
    texts = _texts(item)
    if not texts:
        return [unknown("the agent gave no answer that could be checked")], ""
    found = [_sentences(item, text, before, ask) for text, before in texts]
    point = Point(
        value=mean(one.value or 0.0 for one, _ in found)
        if all(one.value is not None for one, _ in found)
        else None,
        least=mean(one.least for one, _ in found),
        most=mean(one.most for one, _ in found),
        why=next((one.why for one, _ in found if one.why), ""),
    )
    return [point], next((note for _, note in found if note), point.why)


def _sentences(item: TurnToJudge, text: str, before: Sequence[TurnStep], ask: Ask) -> tuple[Point, str]:
    sentences = sentences_of(text_of(ask(pointwise(segments_prompt(text), item.options))))
    if not sentences:
        return unknown("the judge found no sentence in the answer"), ""
    if not covers(sentences, text):
        return unknown("the judge's sentences do not add up to the whole answer"), ""
    labels = labels_of(text_of(ask(pointwise(sentences_prompt(item.actual, before, sentences), item.options))))
    if len(labels) != len(sentences):
        return unknown(f"the judge checked {len(labels)} of {len(sentences)} sentences"), ""
    good, bad, total = labels.count(True), labels.count(False), len(labels)
    note = next(
        (f"not supported: {one.strip()}" for one, ok in zip(sentences, labels, strict=True) if ok is False), ""
    )
    if good + bad < total:
        why = f"{total - good - bad} of {total} sentences have no known label"
        return Point(value=None, least=good / total, most=(total - bad) / total, why=why), note
    return known(good / total), note


def _texts(item: TurnToJudge) -> list[tuple[str, Sequence[TurnStep]]]:
    """The texts to check, each with what the agent did before it."""
    steps = item.actual.steps
    found: list[tuple[str, Sequence[TurnStep]]] = []
    if item.options.includes_interim:
        found += [
            (str(step.content), steps[:number])
            for number, step in enumerate(steps)
            if step.kind is StepKind.TEXT and step.content
        ]
    return [*found, (item.actual.response, steps)] if item.actual.response else found


def _answer(turn: Turn, options: JudgeOptions) -> str:
    """The final answer, with the texts before it if they are judged too."""
    if not options.includes_interim:
        return turn.response
    before = [str(step.content) for step in turn.steps if step.kind is StepKind.TEXT]
    return "\n".join(filter(None, [*before, turn.response]))


def _found(item: TurnToJudge, points: Sequence[Point], judgments: Sequence[Judgment]) -> TurnFound:
    return TurnFound(run=item.run, turn=item.turn, points=tuple(points), judgments=tuple(judgments))


def _model(options: JudgeOptions) -> Body:
    """A publisher's model as a relative name; the client prepends project and location."""
    if not options.model:
        return {}
    name = options.model
    return {"autoraterModel": name if "/" in name else f"publishers/google/models/{name}"}
