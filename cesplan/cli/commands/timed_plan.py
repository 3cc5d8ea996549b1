"""A plan for a command: load the tree, read live, and measure the time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from cesplan.cli.live_line import wait_line
from cesplan.cli.loading import load_tree, show_plan_findings
from cesplan.cli.options import TreeChoice
from cesplan.cli.plan_options import PlanChoice
from cesplan.cli.session import Session
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.domain.features.app_list import ListedApp
    from cesplan.domain.plan import Plan

with lazily():
    from cesplan.workflow import emulating, planning


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPlan:
    """A plan, how many seconds it took, and the address of the emulator; empty for the service."""

    plan: "Plan"
    seconds: float
    address: str = ""
    takeable: tuple["ListedApp", ...] = ()
    """Live apps that a person may have meant instead of those that a first plan creates."""


@contextmanager
def timed_plan(session: Session, tree: TreeChoice, choices: PlanChoice) -> Iterator[TimedPlan]:
    """
    A plan of the tree. An embedded emulator lives as long as the context.

    Raises InvalidConfiguration for a tree with errors, which were reported, and what reading raises.
    """
    started = monotonic()
    # Planning needs what is desired; the files it was read from would be held until the plan is shown.
    loaded = replace(load_tree(session, tree, until_planned=True), tree=None)
    with emulating.emulator(session.root, embedded=session.emulator) as address:
        with wait_line(session, "Reading live resources"):
            planned = planning.plan_loaded(
                loaded,
                options=choices.options,
                allowances=choices.allowances,
                connection=session.connection(address),
            )
        show_plan_findings(session, tree, loaded, planned.plan)
        yield TimedPlan(
            plan=planned.plan, seconds=monotonic() - started, address=address, takeable=planned.takeable
        )
