"""Asking before anything is written."""

from collections.abc import Iterable
from dataclasses import replace

from cesplan.cli.console import Console
from cesplan.domain.errors import Declined, Refused
from cesplan.domain.features.policy import approved
from cesplan.domain.plan import Action, Plan

_MOST_LISTED = 20
"""Of more deletes than fit a screen the rest is counted; the plan above has them all."""


def confirm(console: Console, plan: Plan, command: str) -> None:
    """
    Ask for a yes; where something is deleted, for the number of deletes, which nobody types by habit.

    `command` is what to type to go on unasked. Raises Declined for any other answer, and Refused where nobody
    can be asked.
    """
    if not console.can_ask:
        raise Refused(
            summary="Nothing was written: there is no terminal to prompt for approval.",
            detail=f"To apply without a prompt:\n\n    {command}",
        )
    deletes = plan.count(Action.DELETE)
    wanted = str(deletes) if deletes else "yes"
    if console.ask(_question(plan, deletes)) != wanted:
        raise Declined(summary="Nothing was written.", detail=f"To apply, type `{wanted}`.")


def approve(console: Console, plan: Plan, names: Iterable[str] = ()) -> Plan:
    """
    The plan after somebody approved what the policy wants approved: with a flag, or here, rule by rule.

    Raises Refused for a plan with refusals and where nobody can be asked, and Declined for any other answer
    than yes.
    """
    plan = replace(plan, verdicts=approved(plan.verdicts, names))
    rules = dict.fromkeys(item.rule for item in plan.verdicts if item.is_open)
    if plan.refusals or (rules and not console.can_ask):
        raise Refused(reasons=plan.blockers)
    for rule in rules:
        said = "".join(f"    {item.message}\n" for item in plan.verdicts if item.rule == rule)
        question = f"\nThe policy requires approval for `{rule}`:\n{said}Type `yes` to approve: "
        if console.ask(question) != "yes":
            raise Declined(summary="Nothing was written.", detail=f"`{rule}` was not approved.")
    return replace(plan, verdicts=approved(plan.verdicts, rules))


def _question(plan: Plan, deletes: int) -> str:
    place = f"{plan.settings.place.project}/{plan.settings.place.location}"
    place += f" ({plan.settings.where})" if plan.settings.where else ""
    if not deletes:
        return f"\nApply this plan to {place}? Type `yes` to apply: "
    what = "1 resource" if deletes == 1 else f"{deletes} resources"
    gone = [str(item.address) for item in plan.shown if item.action is Action.DELETE]
    rows = [f"  - {address}" for address in gone[:_MOST_LISTED]]
    rows += [f"  … and {len(gone) - _MOST_LISTED} more"] if len(gone) > _MOST_LISTED else []
    listing = "\n".join(rows)
    return f"\nThis deletes {what} in {place}:\n{listing}\nTo apply, type the number of deletes: "
