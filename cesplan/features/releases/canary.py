"""
The canary: the conversations of the candidate compared with those of the old version, and the action that is
due. Only information in the conversations themselves is counted, without a model. A share that exceeds the old
version's by more than allowed fails only if chance does not explain it (Fisher's exact test, one-sided, 95%);
otherwise the step holds. Missing information never counts in favor of the candidate.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.release import CanaryCondition, CanaryMetric, CanaryStep
from cesplan.domain.features.statistics import MOST_EXACT, fisher_test
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import last_id
from cesplan.domain.text.times import moment
from cesplan.domain.text.words import seconds
from cesplan.domain.value import Body, as_object, as_objects

_PASSED, _FAILED, _INCONCLUSIVE = EvaluationVerdict
SIGNIFICANCE = 0.05
_END = "end_session"
_ESCALATED = "session_escalated"
_COUNTED_SOURCES = frozenset({"LIVE", "SOURCE_UNSPECIFIED", ""})
_DEEPEST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenConversation:
    """The metrics of one conversation; None means unknown."""

    version: str
    has_error: bool | None = None
    is_escalated: bool | None = None
    is_unfinished: bool | None = None

    def has(self, metric: CanaryMetric) -> bool | None:
        """Whether the conversation counts for a metric; None if unknown."""
        match metric:
            case CanaryMetric.ERRORS:
                return self.has_error
            case CanaryMetric.ESCALATIONS:
                return self.is_escalated
            case CanaryMetric.UNFINISHED:
                return self.is_unfinished


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """A metric in both versions: how many conversations have it, and how many it is known for."""

    metric: CanaryMetric
    candidate: tuple[int, int]
    served: tuple[int, int]


class Due(StrEnum):
    """The next action of a step."""

    HOLD = "hold"
    """The step needs more time or more conversations."""
    ABORT = "abort"
    """The candidate is worse than allowed."""
    ADVANCE = "advance"


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryFinding:
    """One requirement of the step, and the finding."""

    what: str
    verdict: EvaluationVerdict
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryReport:
    """The next action of a step and its reasons; `until` is the end of the hold time, None if it has passed."""

    due: Due
    findings: tuple[CanaryFinding, ...] = ()
    shares: tuple[Shares, ...] = ()
    conversations: Mapping[str, int] = field(default_factory=dict)
    until: datetime | None = None


def seen_of(conversation: Body, deployment: str, since: datetime) -> SeenConversation | None:
    """
    The metrics of a conversation; None if it is not a user's, began before `since`, or belongs to another
    deployment. A conversation in progress when the split changed belongs to the version that it names.
    """
    if last_id(str(conversation.get("deployment") or "")) != last_id(deployment):
        return None
    if str(conversation.get("source") or "") not in _COUNTED_SOURCES:
        return None
    began = moment(conversation.get("startTime"))
    version = last_id(str(conversation.get("appVersion") or ""))
    if began is None or began < since or not version:
        return None
    parts = list(as_objects(conversation.get("turns")))
    messages = [item for part in parts for item in as_objects(part.get("messages"))]
    messages = messages or list(as_objects(conversation.get("messages")))
    if not parts and not messages:
        return SeenConversation(version=version)
    ends = [call for call in _calls(messages, parts) if call.get("name") == _END]
    has_ended = bool(ends) or bool(conversation.get("endTime"))
    escalated = any(as_object(call.get("args")).get(_ESCALATED) is True for call in ends)
    return SeenConversation(
        version=version,
        has_error=_has_error(messages, parts),
        is_escalated=escalated if has_ended or escalated else None,
        is_unfinished=not ends if conversation.get("endTime") or ends else None,
    )


def judge_step(
    step: CanaryStep,
    seen: Iterable[SeenConversation],
    *,
    candidate: str,
    served: str,
    began: datetime,
    now: datetime,
) -> CanaryReport:
    """The next action of a step. `candidate` and `served` are version ids, `began` is when the step began."""
    every = list(seen)
    mine = [item for item in every if item.version == candidate]
    theirs = [item for item in every if item.version == served]
    shares = tuple(
        Shares(metric=metric, candidate=_share(metric, mine), served=_share(metric, theirs))
        for metric in (item.metric for item in step.conditions)
    )
    until = began + step.hold
    findings = [
        *_time(until, now),
        *_number(step, len(mine)),
        *(
            _condition(condition, found, step.conversations)
            for condition, found in zip(step.conditions, shares, strict=True)
        ),
    ]
    verdicts = {item.verdict for item in findings}
    due = Due.ABORT if _FAILED in verdicts else Due.HOLD if _INCONCLUSIVE in verdicts else Due.ADVANCE
    return CanaryReport(
        due=due,
        findings=tuple(findings),
        shares=shares,
        conversations={"candidate": len(mine), "served": len(theirs)},
        until=until if until > now else None,
    )


def _time(until: datetime, now: datetime) -> Iterator[CanaryFinding]:
    left = until - now
    if left > timedelta():
        more = _hours(int(left.total_seconds()) + 1)
        text = f"The step lasts until {until:%Y-%m-%d %H:%M:%S} UTC, another {more}."
        yield CanaryFinding(what="time", verdict=_INCONCLUSIVE, text=text)


def _hours(duration: int) -> str:
    """Seconds as `45 s`, `2 min 5 s`, `1 h 30 min`."""
    hours, rest = divmod(duration, 3600)
    return f"{hours} h {rest // 60} min" if hours else seconds(duration)


def _number(step: CanaryStep, found: int) -> Iterator[CanaryFinding]:
    if step.conversations:
        text = f"{found} of {step.conversations} conversations of the candidate."
        verdict = _PASSED if found >= step.conversations else _INCONCLUSIVE
        yield CanaryFinding(what="conversations", verdict=verdict, text=text)


def _share(metric: CanaryMetric, seen: Sequence[SeenConversation]) -> tuple[int, int]:
    values = [found for item in seen if (found := item.has(metric)) is not None]
    return sum(values), len(values)


def _condition(condition: CanaryCondition, found: Shares, needed: int) -> CanaryFinding:
    bad, total = found.candidate
    what = str(condition.metric)
    ratio = f"{bad} of {total}"
    if condition.at_most is not None and total and bad / total > condition.at_most and total >= max(1, needed):
        text = f"{ratio} conversations of the candidate; at most {condition.at_most:.1%} are allowed."
        return CanaryFinding(what=what, verdict=_FAILED, text=text)
    compared = _compared(condition, found)
    if compared is not None and compared.verdict is _FAILED:
        return compared
    if total < max(1, needed):
        text = f"{total} conversations of the candidate can be judged; {max(1, needed)} are needed."
        return CanaryFinding(what=what, verdict=_INCONCLUSIVE, text=text)
    if compared is not None:
        return compared
    return CanaryFinding(what=what, verdict=_PASSED, text=f"{ratio} conversations of the candidate.")


def _compared(condition: CanaryCondition, found: Shares) -> CanaryFinding | None:
    """
    The candidate compared with the old version; None if that is not required, or if the candidate has no
    conversations that can be judged.
    """
    if condition.increase is None:
        return None
    (bad, total), (bad_before, before) = found.candidate, found.served
    what = str(condition.metric)
    ratio = f"{bad} of {total} conversations of the candidate, {bad_before} of {before} of the old version"
    if not total:
        return None
    if bad and not before:
        return CanaryFinding(
            what=what, verdict=_INCONCLUSIVE, text=f"{ratio}: there is nothing to compare with."
        )
    if not bad or bad / total - bad_before / before <= condition.increase:
        return CanaryFinding(what=what, verdict=_PASSED, text=f"{ratio}.")
    chance = _chance((bad_before, before), (bad, total))
    if chance < SIGNIFICANCE:
        text = f"{ratio}: more than allowed; chance explains this in only {chance:.1%} of cases."
        return CanaryFinding(what=what, verdict=_FAILED, text=text)
    text = f"{ratio}: more than allowed, but that may be chance ({chance:.0%})."
    return CanaryFinding(what=what, verdict=_INCONCLUSIVE, text=text)


def _chance(before: tuple[int, int], now: tuple[int, int]) -> float:
    """
    The probability of this excess if both are equal. Larger samples are scaled down, which makes the test less
    sensitive.
    """
    scaled = []
    for bad, total in (before, now):
        most = MOST_EXACT // 2
        scaled.append((total - bad, total) if total <= most else (most - bad * most // total, most))
    return fisher_test(scaled[0], scaled[1])


def _has_error(messages: Sequence[Body], turns: Sequence[Body]) -> bool:
    """
    Whether a tool answered with an error, or a span failed.

    How errors are recorded is not documented: `error` in the response of a tool, and `error` or a status other
    than OK in the attributes of a span, count as errors.
    """
    for message in messages:
        for chunk in as_objects(message.get("chunks")):
            response = as_object(chunk.get("toolResponse")).get("response")
            if isinstance(response, dict) and response.get("error"):
                return True
    return any(_is_failed(span) for span in _spans(turns))


def _is_failed(span: Body) -> bool:
    attributes = span.get("attributes")
    if not isinstance(attributes, dict):
        return False
    status = attributes.get("status")
    return bool(attributes.get("error")) or (
        isinstance(status, str) and status.upper() not in ("", "OK", "UNSET")
    )


def _spans(turns: Sequence[Body]) -> Iterator[Body]:
    pending = [(span, 0) for turn in turns if isinstance(span := turn.get("rootSpan"), dict)]
    while pending:
        span, depth = pending.pop()
        yield span
        if depth < _DEEPEST:
            pending += [(item, depth + 1) for item in as_objects(span.get("childSpans"))]


def _calls(messages: Sequence[Body], turns: Sequence[Body]) -> Iterator[dict[str, Any]]:
    """Tool calls by the display name of the tool, else by the last part of its resource name."""
    for message in messages:
        for chunk in as_objects(message.get("chunks")):
            call = chunk.get("toolCall")
            if isinstance(call, dict):
                name = str(call.get("displayName") or last_id(str(call.get("tool") or "")))
                yield {"name": name, "args": call.get("args")}
    for span in _spans(turns):
        attributes = span.get("attributes")
        if isinstance(attributes, dict) and span.get("name") == _END:
            yield {"name": _END, "args": attributes}
