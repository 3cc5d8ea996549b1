"""Policing: the project's rules over a plan. What they deny is refused, the rest is approved or only said."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from cesplan.domain.errors import UsageError
from cesplan.domain.options import Allowances
from cesplan.domain.plan import Plan
from cesplan.domain.policy import Gravity, Rule, approved
from cesplan.engine.policy.filling import filled
from cesplan.engine.policy.judging import judge
from cesplan.render.policy_facts import plan_numbers, policy_facts


def police(plan: Plan, rules: Sequence[Rule], allowances: Allowances) -> Plan:
    """The plan with what the policy says of it. Raises UsageError where an approved rule does not exist."""
    unknown = sorted(allowances.policy - {rule.name for rule in rules})
    if unknown:
        known = ", ".join(rule.name for rule in rules) or "none"
        raise UsageError(
            summary=f"The policy has no rule `{unknown[0]}`.", detail=f"Rules in cesplan.yaml: {known}."
        )
    if not rules:
        return plan
    verdicts = approved(judge(rules, _subjects(plan)), allowances.policy)
    denied = (item.text for item in verdicts if item.gravity is Gravity.DENY)
    return replace(plan, verdicts=verdicts, refusals=(*plan.refusals, *denied))


def _subjects(plan: Plan) -> Iterator[dict[str, Any]]:
    numbers = plan_numbers(plan)
    for facts in policy_facts(plan):
        sides = {side: filled(facts["kind"], facts[side]) for side in ("before", "after")}
        yield {**facts, **sides, "plan": numbers}
