"""
The deterministic metrics, with one number for each instance.

The documentation says which texts, trajectories, and calls a metric compares. Where it is ambiguous how, a
switch decides. BLEU and ROUGE are those of sacrebleu and rouge-score, which agree with published responses of
the service to the last digit. [S]
"""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from cesplan.emulator.errors import Refused
from cesplan.emulator.switches import Switches

Values = Mapping[str, Any]
Metric = Callable[[Values, Values, Switches], float]
"""Computes the score from an instance, the spec of the metric, and the switches."""

_ROUGE = (*(f"rouge{number}" for number in range(1, 10)), "rougeL", "rougeLsum")


def exact_match(instance: Values, spec: Values, switches: Switches) -> float:
    """1 for equal texts."""
    return float(instance["prediction"] == instance["reference"])


def bleu(instance: Values, spec: Values, switches: Switches) -> float:
    """Sentence BLEU from 0 to 1."""
    library = _library("sacrebleu")
    found = library.sentence_bleu(
        instance["prediction"],
        [instance["reference"]],
        tokenize="intl",
        smooth_method="exp",
        use_effective_order=bool(spec.get("useEffectiveOrder", False)),
    )
    return float(found.score) / 100


def rouge(instance: Values, spec: Values, switches: Switches) -> float:
    """The F-measure of ROUGE."""
    kind = spec.get("rougeType") or "rougeLsum"
    if kind not in _ROUGE:
        raise Refused("INVALID_ARGUMENT", f"rouge_type: '{kind}' is not one of {', '.join(_ROUGE)}.")
    library = _library("rouge_score.rouge_scorer")
    scorer = library.RougeScorer(
        [kind],
        use_stemmer=bool(spec.get("useStemmer", False)),
        split_summaries=bool(spec.get("splitSummaries", False)),
    )
    return float(scorer.score(instance["reference"], instance["prediction"])[kind].fmeasure)


def tool_call_valid(instance: Values, spec: Values, switches: Switches) -> float:
    """1 if the prediction begins with a call that has a name and arguments."""
    return float(_first_call(instance["prediction"]) is not None)


def tool_name_match(instance: Values, spec: Values, switches: Switches) -> float:
    """1 if the first calls name the same tool."""
    ours, theirs = _both(instance)
    return float(bool(ours and theirs and ours["name"] == theirs["name"]))


def tool_parameter_key_match(instance: Values, spec: Values, switches: Switches) -> float:
    """The share of parameters whose names both first calls have."""
    return _share(instance, switches, lambda one, other: True)


def tool_parameter_kv_match(instance: Values, spec: Values, switches: Switches) -> float:
    """The share of parameters that both first calls have with the same value."""
    if spec.get("useStrictStringMatch"):
        return _share(instance, switches, lambda one, other: one == other)
    return _share(instance, switches, lambda one, other: _folded(one) == _folded(other))


def trajectory_exact_match(instance: Values, spec: Values, switches: Switches) -> float:
    """1 for the same calls in the same order."""
    ours, theirs = _trajectories(instance, switches)
    return float(ours == theirs)


def trajectory_in_order_match(instance: Values, spec: Values, switches: Switches) -> float:
    """1 if all calls of the reference occur in order."""
    ours, theirs = _trajectories(instance, switches)
    rest = iter(ours)
    return float(all(call in rest for call in theirs))


def trajectory_any_order_match(instance: Values, spec: Values, switches: Switches) -> float:
    """1 if all calls of the reference occur."""
    ours, theirs = _trajectories(instance, switches)
    return float(_found(theirs, ours, switches) == len(theirs))


def trajectory_precision(instance: Values, spec: Values, switches: Switches) -> float:
    """The share of predicted calls that are in the reference."""
    ours, theirs = _trajectories(instance, switches)
    return _found(ours, theirs, switches) / len(ours)


def trajectory_recall(instance: Values, spec: Values, switches: Switches) -> float:
    """The share of the reference's calls that were predicted."""
    ours, theirs = _trajectories(instance, switches)
    return _found(theirs, ours, switches) / len(theirs)


def trajectory_single_tool_use(instance: Values, spec: Values, switches: Switches) -> float:
    """1 if the tool is called."""
    if not spec.get("toolName"):
        raise Refused("INVALID_ARGUMENT", "metric_spec.tool_name: the required field is not set.")
    calls = _calls_of(instance, "predictedTrajectory")
    return float(any(call.get("toolName") == spec["toolName"] for call in calls))


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        text = "This metric needs the extra `evaluation` of cesplan: pip install 'cesplan[evaluation]'."
        raise Refused("UNIMPLEMENTED", text) from error


def _both(instance: Values) -> tuple[Values | None, Values | None]:
    return _first_call(instance["prediction"]), _first_call(instance["reference"])


def _first_call(text: str) -> Values | None:
    """Return the first call in a JSON text; None if there is none with a name and arguments."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    calls = document.get("tool_calls") if isinstance(document, dict) else None
    call = calls[0] if isinstance(calls, list) and calls else None
    if isinstance(call, dict) and isinstance(call.get("name"), str) and isinstance(call.get("arguments"), dict):
        return call if call["name"] else None
    return None


def _share(instance: Values, switches: Switches, same: Callable[[Any, Any], bool]) -> float:
    ours, theirs = _both(instance)
    if ours is None or theirs is None:
        return 0.0
    one, other = ours["arguments"], theirs["arguments"]
    counted = one if switches.counted_parameters == "prediction" else other
    if not counted:
        return float(not one and not other)
    return sum(key in one and key in other and same(one[key], other[key]) for key in counted) / len(counted)


def _folded(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return "".join(text.split()).casefold()


def _trajectories(instance: Values, switches: Switches) -> tuple[list[str], list[str]]:
    ours, theirs = (
        [_key(call, switches) for call in _calls_of(instance, member)]
        for member in ("predictedTrajectory", "referenceTrajectory")
    )
    return ours, theirs


def _calls_of(instance: Values, member: str) -> Sequence[Values]:
    """Return the calls of a trajectory. Raise Refused for an empty one, as the service does. [S]"""
    calls: Sequence[Values] = instance[member].get("toolCalls") or ()
    if not calls:
        raise Refused("INVALID_ARGUMENT", f"{member}.tool_calls: the required field is not set.")
    return calls


def _key(call: Values, switches: Switches) -> str:
    text = str(call.get("toolInput", ""))
    if switches.trajectory_inputs == "json":
        with contextlib.suppress(ValueError, RecursionError):
            text = json.dumps(json.loads(text), sort_keys=True)
    return json.dumps([call.get("toolName", ""), text])


def _found(expected: Sequence[str], there: Sequence[str], switches: Switches) -> int:
    if switches.repeated_calls == "each":
        return sum(call in set(there) for call in expected)
    return (Counter(expected) & Counter(there)).total()
