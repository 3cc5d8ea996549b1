"""
References between resources: finding them, and removing them for a forced delete.

A reference is a field that the protos annotate with one of this API's resource types.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from cesplan.emulator.contract import Field, load
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.schema.walking import places

# Dangling references are accepted here: the agent that a guardrail or a conversation transfers to
# (docs/api-facts.md), and the mentions of examples and evaluations, which become `invalid` instead.
NEVER_CHECKED = {
    ("TriggerAction.TransferAgent", "agent"),
    ("AgentTransfer", "targetAgent"),
    ("ToolCall", "tool"),
    ("ToolResponse", "tool"),
    ("ToolsetTool", "toolset"),
    ("Example", "entryAgent"),
    ("RunEvaluationRequest", "scheduledEvaluationRun"),
}
# Always checked, whatever the switch: the refusal has been observed (docs/api-facts.md).
ALWAYS_CHECKED = {
    ("App", "rootAgent"),
    ("Deployment", "appVersion"),
    ("ExperimentConfig.VersionRelease.TrafficAllocation", "appVersion"),
}
# The kinds that block a delete without force, and lose the reference with force (docs/api-facts.md).
REFERRERS = {
    "agents": ("apps", "agents", "examples"),
    "tools": ("agents",),
    "toolsets": ("agents",),
    "guardrails": ("apps", "agents"),
    "evaluations": ("evaluationDatasets",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One reference: the message and field it is in, its path, the target's kind and name."""

    message: str
    field: str
    path: str
    kind: str
    target: str


@cache
def kinds_by_type() -> dict[str, str]:
    """Return the kind of each annotated resource type."""
    return {f"ces.googleapis.com/{k.message}": name for name, k in load().kinds.items()}


@cache
def _towards_references() -> Mapping[str, frozenset[str]]:
    """Return by message the fields that are references or contain some: of most bodies a small part."""
    messages = load().messages
    found: dict[str, frozenset[str]] = {}
    while True:
        more = {
            message: frozenset(
                name for name, spec in specs.items() if spec.reference or found.get(spec.value or spec.type)
            )
            for message, specs in messages.items()
        }
        if more == found:
            return found
        found = more


def found_in(message: str, body: Body) -> list[Reference]:
    """Return all references to resources of this API in a stored body."""
    kinds = kinds_by_type()
    return [
        Reference(
            message=place.message,
            field=place.field.name,
            path=place.path,
            kind=kinds[place.field.reference],
            target=place.value,
        )
        for place in places(message, body, only=_towards_references())
        if place.field.reference in kinds
    ]


def without(message: str, body: Body, targets: Collection[str]) -> Body:
    """
    Return the body without references to `targets`. Messages that require such a reference, or become empty
    without it, are removed too.
    """
    kept = _prune(message, body, targets)
    return {} if kept is None else kept


def _prune(message: str, body: Body, targets: Collection[str]) -> Body | None:
    specs = load().messages[message]
    kept: Body = {}
    for name, value in body.items():
        spec = specs.get(name)
        left = value if spec is None else _prune_field(spec, value, targets)
        if left is None:
            if spec is not None and spec.required:
                return None
        else:
            kept[name] = left
    return kept if kept or not body else None


def _prune_field(spec: Field, value: Any, targets: Collection[str]) -> Any:
    if not spec.reference and (spec.value or spec.type) not in load().messages:
        return value
    if spec.is_map:
        pairs = {key: _prune_item(spec, item, targets) for key, item in value.items()}
        return {key: item for key, item in pairs.items() if item is not None} or None
    if spec.repeated:
        items = [_prune_item(spec, item, targets) for item in value]
        return [item for item in items if item is not None] or None
    return _prune_item(spec, value, targets)


def _prune_item(spec: Field, item: Any, targets: Collection[str]) -> Any:
    inner = spec.value or spec.type
    if inner in load().messages:
        return _prune(inner, item, targets)
    return None if spec.reference and item in targets else item
