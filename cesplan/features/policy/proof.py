"""Proving: running a project's cases against its rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cesplan.domain.address import parse_address
from cesplan.domain.features.policy import PolicyCase, Proof, Rule
from cesplan.domain.plan import Action
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.features.policy.defaults import with_defaults
from cesplan.features.policy.facts import impact_facts
from cesplan.features.policy.language import NO_RELEASE
from cesplan.features.policy.verdicts import Budget, Subject, rule_verdicts
from cesplan.model.kinds import KINDS

_REASONS = {Action.CREATE: "not_in_live", Action.UPDATE: "field_changed", Action.DELETE: "not_in_tree"}


def prove(cases: Iterable[PolicyCase], rules: Sequence[Rule]) -> tuple[Proof, ...]:
    """
    What the rules say in each case, in the order of the cases.

    Raises TooMuchWork if all of them together take more than one plan may.
    """
    budget = Budget()
    return tuple(_proof(case, rules, budget) for case in cases)


def _proof(case: PolicyCase, rules: Sequence[Rule], budget: Budget) -> Proof:
    selected = [rule for rule in rules if not case.rules or rule.name in case.rules]
    verdicts = rule_verdicts(selected, [subject_of(case.operation)], budget)
    broken = {item.rule: item for item in verdicts}
    return Proof(
        case=case,
        missing=tuple(name for name in case.expected if name not in broken),
        surprising=tuple(item for item in verdicts if case.expected.get(item.rule) is not item.severity),
    )


def subject_of(operation: Mapping[str, Any]) -> Subject:
    """A whole operation from the parts in a case; missing parts are derived from the others."""
    address = parse_address(str(operation["address"]))
    before, after = operation.get("before"), operation.get("after")
    action = Action(operation.get("action") or _action(before, after))
    changes = operation.get("changes")
    found = [*_changes(address.kind, before, after)] if changes is None else changes
    texts = dict.fromkeys(("environment", "project", "location", "display_name", "file"), "")
    return {
        **texts,
        "app": str(address.app),
        "kind": str(address.kind),
        "key": str(address.key),
        "reason": _REASONS[action],
        "mask": sorted({str(item.get("mask", "")) for item in found if isinstance(item, dict)}),
        "plan": _numbers(address.kind, action),
        "runs": [],
        "weakens": [],
        "used_by": [],
        "impact": impact_facts(None),
        **operation,
        "action": str(action),
        "before": with_defaults(address.kind, before),
        "after": with_defaults(address.kind, after),
        "changes": found,
        "release": {**NO_RELEASE, **(operation.get("release") or {})},
    }


def _action(before: Any, after: Any) -> Action:
    if before is None and after is not None:
        return Action.CREATE
    return Action.UPDATE if after is not None else Action.DELETE


def _changes(kind: str, before: Any, after: Any) -> Iterator[dict[str, Any]]:
    spec = next((item.spec for name, item in KINDS.items() if name == kind), None)
    if spec is None or not isinstance(before, dict) or not isinstance(after, dict):
        return
    for item in diff(spec, after, before, Scope()):
        yield {
            "path": str(item.path),
            "action": str(item.action),
            "before": item.before,
            "after": item.after,
            "mask": str(item.mask),
        }


def _numbers(kind: str, action: Action) -> dict[str, Any]:
    """The totals of a plan with only this operation."""
    none = {str(item): 0 for item in Action}
    one = {**none, str(action): 1}
    return {**one, "kinds": {str(name): one if name == kind else none for name in KINDS}}
