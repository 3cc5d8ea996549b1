"""Choosing: the requested evaluations of a live app, and what each demands."""

import hashlib
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from cesplan.domain.errors import UsageError
from cesplan.domain.features.evaluation import Demanded, EvaluationChoice
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import last_id
from cesplan.domain.text.words import did_you_mean
from cesplan.domain.value import Body, canonical_text
from cesplan.engine.pulling.lookup import find_child
from cesplan.features.evaluation.thresholds import thresholds_in_force
from cesplan.model.kinds import DATASETS, EVALUATIONS

_DEMANDS = ("golden", "scenario", "evaluationMetricsThresholdOverride", "evaluationMetricsConfigOverride")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenEvaluations:
    """
    Evaluations by their references, in order; `dataset` is the only dataset, if nothing else was requested.
    """

    evaluations: tuple[Demanded, ...]
    dataset: str = ""


def choose(choice: EvaluationChoice, live: LiveApp, naming: Naming) -> ChosenEvaluations:
    """The evaluations of a choice. Raises UsageError for a part of it that matches nothing."""
    by_name = {item.name: item for item in live.children.get(EVALUATIONS, ())}
    if not by_name:
        raise UsageError(summary="The app has no evaluations.", detail="Nothing was started.")
    found: set[str] = set(by_name) if choice.everything else set()
    datasets = [find_child(text, DATASETS, live, naming) for text in choice.datasets]
    for item in datasets:
        found |= _members(item, by_name, naming)
    for tag in choice.tags:
        found |= _tagged(tag, by_name)
    for pattern in choice.names:
        found |= _matching(pattern, by_name, naming)
    alone = len(datasets) == 1 and not (choice.tags or choice.names or choice.everything)
    chosen = [demanded(by_name[name], live.app.body, naming) for name in found]
    return ChosenEvaluations(
        evaluations=tuple(sorted(chosen, key=lambda item: item.reference)),
        dataset=datasets[0].name if alone else "",
    )


def demanded(item: LiveResource, app: Body, naming: Naming) -> Demanded:
    """What one live evaluation demands."""
    golden = item.body.get("golden")
    turns = golden.get("turns") if isinstance(golden, dict) else None
    demands = {name: item.body[name] for name in _DEMANDS if name in item.body}
    return Demanded(
        name=item.name,
        reference=naming.to_reference(item.name),
        display_name=str(item.body.get("displayName", "")),
        turns=max(1, len(turns) if isinstance(turns, list) else 0) if golden is not None else 0,
        thresholds=thresholds_in_force(app, item.body),
        digest=hashlib.sha256(canonical_text(demands).encode()).hexdigest(),
        update_time=str(item.body.get("updateTime", "")),
    )


def _members(dataset: LiveResource, by_name: Mapping[str, LiveResource], naming: Naming) -> set[str]:
    listed = {str(name) for name in dataset.body.get("evaluations") or ()}
    by_reference = {naming.to_reference(name): name for name in by_name}
    found = {by_reference[ref] for ref in map(naming.to_reference, listed) if ref in by_reference}
    title = dataset.body.get("displayName") or last_id(dataset.name)
    if len(found) < len(listed):
        raise UsageError(
            summary=f"The dataset `{title}` refers to evaluations that do not exist.",
            detail="Nothing was started. Correct the dataset and apply it.",
        )
    if not found:
        raise UsageError(summary=f"The dataset `{title}` is empty.", detail="Nothing was started.")
    return found


def _tagged(tag: str, by_name: Mapping[str, LiveResource]) -> set[str]:
    found = {name for name, item in by_name.items() if tag in (item.body.get("tags") or ())}
    known = sorted({str(one) for item in by_name.values() for one in item.body.get("tags") or ()})
    return found or _refused("evaluation with the tag", tag, known)


def _matching(pattern: str, by_name: Mapping[str, LiveResource], naming: Naming) -> set[str]:
    spellings = {name: _spellings(item, naming) for name, item in by_name.items()}
    found = {name for name, texts in spellings.items() if any(fnmatchcase(text, pattern) for text in texts)}
    return found or _refused(
        "evaluation", pattern, sorted({text for texts in spellings.values() for text in texts})
    )


def _spellings(item: LiveResource, naming: Naming) -> tuple[str, ...]:
    reference = naming.to_reference(item.name)
    return (str(item.body.get("displayName", "")), reference.partition("/")[2], reference, item.id)


def _refused(what: str, text: str, known: Sequence[str]) -> set[str]:
    hint = did_you_mean(text, known)
    raise UsageError(summary=f"The app has no {what} `{text}`.{hint}", detail="Nothing was started.")
