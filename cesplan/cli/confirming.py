"""Asking before anything is written."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cesplan.cli.console import Console
from cesplan.cli.session import Session
from cesplan.domain.errors import Declined, Refused
from cesplan.domain.features.policy import approved
from cesplan.domain.options import ALL
from cesplan.domain.plan import Action, Operation, Plan, expected_seconds
from cesplan.domain.settings import Settings
from cesplan.domain.text.words import count, first_rows
from cesplan.domain.text.words import seconds as said

_LONG = 15
"""Seconds of waiting from which the prompt says how long the apply takes."""
_MOST_TARGETS = 5
"""With more live edits than this, a suggested command names none and covers all."""
_MOST_LISTED = 20
"""The most deletes that a prompt lists; the rest is counted, and the plan above lists all."""


def agree(
    console: Console, question: str, *, otherwise: str, verb: str, expected: str = "yes", unattended: str = ""
) -> None:
    """
    Ask for approval: the user must type `expected`. `otherwise` says what was not done, without a period;
    `unattended` says how to do it without a prompt, if --auto-approve alone is not enough. Raises Declined for
    any other answer, and if there is no terminal.
    """
    if not console.can_ask:
        raise Declined(
            summary=f"{otherwise}: there is no terminal to prompt for approval.",
            detail=unattended or f"To {verb} without a prompt, add --auto-approve.",
        )
    if console.ask(question) != expected:
        raise Declined(summary=f"{otherwise}.", detail=f"To {verb}, type `{expected}`.")


def place_of(settings: Settings) -> str:
    """The place of an operation, for a prompt: `prod, acme-prod/us (EMULATOR)`."""
    place = settings.place.short + (f" ({settings.where})" if settings.where else "")
    return f"{settings.environment}, {place}" if settings.environment else place


def confirm(console: Console, plan: Plan, command: str) -> None:
    """
    Ask for `yes`; if resources are deleted, for the number of deletes, which cannot be typed by habit.

    `command` applies without a prompt. Raises Declined for any other answer, and if there is no terminal.
    """
    deletes = plan.count(Action.DELETE)
    agree(
        console,
        _time_needed(plan) + _question(plan, deletes),
        otherwise="Nothing was written",
        verb="apply",
        expected=str(deletes) if deletes else "yes",
        unattended=f"To apply without a prompt:\n\n    {command}",
    )


def approve(console: Console, plan: Plan, names: Iterable[str] = ()) -> Plan:
    """
    The plan after the approvals that the policy requires: with a flag, or here, rule by rule.

    Raises Refused for a plan with refusals or without a terminal, and Declined for any other answer
    than yes.
    """
    plan = replace(plan, verdicts=approved(plan.verdicts, names))
    rules = dict.fromkeys(item.rule for item in plan.verdicts if item.is_open)
    if plan.refusals or (rules and not console.can_ask):
        raise Refused(reasons=plan.blockers)
    for rule in rules:
        violations = "".join(f"    {item.message}\n" for item in plan.verdicts if item.rule == rule)
        question = f"\nThe policy requires approval for `{rule}`:\n{violations}Type `yes` to approve: "
        if console.ask(question) != "yes":
            raise Declined(summary="Nothing was written.", detail=f"`{rule}` was not approved.")
    return replace(plan, verdicts=approved(plan.verdicts, rules))


def allow_reverts(plan: Plan) -> Plan:
    """The plan after a person saw the live edits that it undoes and approved it."""
    return replace(plan, allowances=replace(plan.allowances, revert=frozenset((ALL,))))


def check_reverts(session: Session, plan: Plan, words: Sequence[str]) -> None:
    """Raises Refused, with both ways out, if an apply without a prompt would revert live edits."""
    found = plan.open_reverts
    if not found:
        return
    mergeable = [item for item in found if _is_mergeable(item)]
    few = mergeable if len(mergeable) <= _MOST_TARGETS else []
    targets = [word for item in few for word in ("--target", str(item.address))]
    allowed = [word for item in found[:_MOST_TARGETS] for word in ("--allow-revert", str(item.address))]
    allowed = allowed if len(found) <= _MOST_TARGETS else ["--allow-revert", ALL]
    environment = ["-e", plan.settings.environment] if plan.settings.environment else []
    raise Refused(
        summary="Nothing was written: the plan would revert live edits.",
        detail="\n".join(
            (
                *first_rows([f"{item.address} {item.undoes}" for item in found], _MOST_LISTED),
                "",
                *(
                    [
                        "To keep them, merge them into the tree:",
                        "",
                        f"    {session.command('pull', '--merge', *targets, *environment)}",
                        "",
                    ]
                    if mergeable
                    else []
                ),
                "To revert them:",
                "",
                f"    {session.command('apply', *words, '--auto-approve', *allowed)}",
            )
        ),
    )


def _is_mergeable(operation: Operation) -> bool:
    """
    False for operations that a merge cannot write to files: an app without a folder, and location settings.
    """
    is_former = operation.action is Action.DELETE and operation.address.is_app
    return not is_former and not operation.address.app.startswith("@")


def _time_needed(plan: Plan) -> str:
    """The minimum duration of the apply, if it is long enough to mention."""
    seconds = expected_seconds(plan)
    if seconds < _LONG:
        return ""
    quota = plan.settings.writes_per_minute
    return f"\nThis takes at least {said(seconds)}: the quota is {quota} writes a minute.\n"


def _question(plan: Plan, deletes: int) -> str:
    place = place_of(plan.settings)
    undone = _undone(plan)
    if not deletes:
        return f"\n{undone}Apply this plan to {place}? Type `yes` to apply: "
    deleted = [f"  - {item.address}" for item in plan.shown if item.action is Action.DELETE]
    listing = "\n".join(first_rows(deleted, _MOST_LISTED, "  … and {:,} more"))
    what = count(deletes, "resource")
    return f"\n{undone}This deletes {what} in {place}:\n{listing}\nTo apply, type the number of deletes: "


def _undone(plan: Plan) -> str:
    """The live edits that the plan undoes, and that an approval undoes with it."""
    found = [f"  {item.address} {item.undoes}" for item in plan.open_reverts]
    rows = first_rows(found, _MOST_LISTED, "  … and {:,} more")
    return "\n".join(["This reverts live edits:", *rows, "", ""]) if rows else ""
