"""Options that may change a plan, and those that the guard asks for: gathered into one value."""

import os
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

import click

from cesplan.cli.options import complete_address, gathered
from cesplan.domain.address import parse_address
from cesplan.domain.choice import Choice
from cesplan.domain.frozen import dataclass
from cesplan.domain.options import ALL, Allowances, PlanOptions

COMMIT = "CESPLAN_COMMIT"
"""
The environment variable in which pipelines name the planned commit: their checkout is often a temporary merge.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChoice:
    """Options that change a plan, and allowances for the guard; `commit` is as typed, if given."""

    options: PlanOptions
    allowances: Allowances
    commit: str = ""

    @property
    def words(self) -> list[str]:
        """The options as they would be typed again, for commands that are suggested."""
        options, allowances = self.options, self.allowances
        words = ["--commit", self.commit] if self.commit else []
        words += ["--adopt"] if options.adopt else []
        words += [] if options.prune is None else ["--prune" if options.prune else "--no-prune"]
        words += [word for text in options.choice.only for word in ("--target", text)]
        words += [word for text in options.choice.exclude for word in ("--exclude", text)]
        for name, addresses in (
            ("--resend", options.resend),
            ("--force", options.force),
            ("--allow-delete", allowances.delete),
            ("--allow-policy", allowances.policy),
            ("--allow-revert", allowances.revert),
        ):
            words += [word for address in sorted(addresses) for word in (name, address)]
        flags = {
            "--allow-mass-delete": allowances.mass_delete,
            "--allow-empty": allowances.empty,
            "--allow-unlock": allowances.unlock,
            "--allow-drop-unknown": options.allow_drop_unknown,
        }
        return words + [name for name, given in flags.items() if given]

    @property
    def without_approvals(self) -> "PlanChoice":
        """The options that would change the plan itself, without approvals of policy rules."""
        return replace(self, allowances=replace(self.allowances, policy=frozenset()))


def plan_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that may change a plan; the command receives them as `choices`."""
    return gathered(function, _PLAN, "choices", _plan_choice)


def _addresses(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> frozenset[str]:
    for text in value:
        try:
            parse_address(text)
        except ValueError as error:
            raise click.BadParameter(str(error), context, parameter) from error
    return frozenset(value)


def _addresses_or_all(
    context: click.Context, parameter: click.Parameter, value: tuple[str, ...]
) -> frozenset[str]:
    named = _addresses(context, parameter, tuple(text for text in value if text != ALL))
    return named | {ALL} if ALL in value else named


def _plan_choice(**given: Any) -> PlanChoice:
    given["allow_policy"] = frozenset(given["allow_policy"])
    return PlanChoice(
        options=PlanOptions(
            **{name: given[name] for name in ("adopt", "prune", "resend", "force", "allow_drop_unknown")},
            choice=Choice(only=given["target"], exclude=given["exclude"]),
            commit=given["commit"] or os.environ.get(COMMIT, ""),
        ),
        allowances=Allowances(**{item.name: given[f"allow_{item.name}"] for item in fields(Allowances)}),
        commit=given["commit"],
    )


allow_policy_option = click.option(
    "--allow-policy",
    multiple=True,
    metavar="RULE",
    help="Approve changes that this policy rule in cesplan.yaml holds back.",
)
allow_unlock_option = partial(click.option, "--allow-unlock", is_flag=True)
allow_mass_delete_option = partial(click.option, "--allow-mass-delete", is_flag=True)

_PLAN = (
    click.option(
        "--adopt",
        is_flag=True,
        help="Take over apps that this tree was never applied to in this environment.",
    ),
    click.option(
        "--prune/--no-prune",
        default=None,
        help="Whether to delete live resources that are not in the tree.  [default: as in cesplan.yaml]",
    ),
    click.option(
        "--target",
        multiple=True,
        metavar="PATTERN",
        shell_complete=complete_address,
        help="Plan only these resources and their dependencies; `*` matches within one part of the address.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        shell_complete=complete_address,
        help="Exclude these resources and their dependents.",
    ),
    click.option(
        "--commit",
        metavar="SHA",
        default="",
        help=f"The commit to record in the stamp; {COMMIT} in the environment does the same."
        "  [default: the one checked out]",
    ),
    click.option(
        "--resend",
        multiple=True,
        metavar="ADDRESS",
        shell_complete=complete_address,
        callback=_addresses,
        help="Resend write-only fields of this resource, such as credentials.",
    ),
    click.option(
        "--force",
        multiple=True,
        metavar="ADDRESS",
        shell_complete=complete_address,
        callback=_addresses,
        help="Delete this resource even if others refer to it; the service drops their references.",
    ),
    click.option(
        "--allow-delete",
        multiple=True,
        metavar="ADDRESS",
        shell_complete=complete_address,
        callback=_addresses,
        help="Allow deletion of this app, deployment, or other guarded resource.",
    ),
    allow_mass_delete_option(help="Allow deletion of many resources of one kind."),
    click.option("--allow-empty", is_flag=True, help="Allow an empty tree to empty an app."),
    allow_unlock_option(help="Unlock a locked app for the apply, then lock it again."),
    click.option(
        "--allow-drop-unknown",
        is_flag=True,
        help="Allow replaced lists to lose fields that this version of cesplan does not know.",
    ),
    allow_policy_option,
    click.option(
        "--allow-revert",
        multiple=True,
        metavar="ADDRESS|all",
        shell_complete=complete_address,
        callback=_addresses_or_all,
        help="Allow an unattended apply to revert live edits of this resource, or all of them.",
    ),
)
