"""`cesplan apply FILE`: a reviewed plan, exactly or not at all."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.cli.carry_out import carry_out, nothing_to_do, report
from cesplan.cli.confirming import approve
from cesplan.cli.live_line import wait_line
from cesplan.cli.options import TreeChoice
from cesplan.cli.report_formats import FILE_VIEW, error_renderers
from cesplan.cli.reports import Renderers
from cesplan.cli.session import Session
from cesplan.domain.errors import StalePlan
from cesplan.domain.lazily import lazily
from cesplan.domain.reviewed import Stale
from cesplan.domain.text.words import some_of

if TYPE_CHECKING:
    from cesplan.domain.reviewed import Reviewed
    from cesplan.engine.reviewing.recheck import Rechecked

with lazily():
    from cesplan.render.machine.formats import events
    from cesplan.render.machine.formats import stale as stale_json
    from cesplan.render.text import stale as stale_words
    from cesplan.workflow import emulating
    from cesplan.workflow import reviewed as reviewed_workflow


_MOST_NAMES = 3
"""The most resources that a hint or a remark names; more would bury what matters."""


def apply_file(
    session: Session, tree: TreeChoice, file: Path, on_error: str, approvals: Iterable[str] = ()
) -> int:
    """Read, check again, and apply; without a prompt, because the file is the approval."""
    session.reports.check_apart(file)
    reviewed = reviewed_workflow.load_reviewed(
        file, variables=tree.variables, connection=session.connection(""), root=session.root
    )
    session.reports.environment = reviewed.plan.settings.environment
    with emulating.emulator(session.root, embedded=session.emulator) as address:
        reviewed_workflow.check_place(
            reviewed,
            root=session.root,
            environment=tree.environment,
            endpoint=session.endpoint,
            emulated=bool(address),
        )
        reviewed = replace(reviewed, plan=approve(session.console, reviewed.plan, approvals))
        try:
            with wait_line(session, "Reading live resources"):
                again = reviewed_workflow.rechecked(reviewed, connection=session.connection(address))
        except Stale as stale:
            return _show_stale(session, stale, reviewed)
        _show_rechecked(session, again)
        if not again.plan.operations:
            return _all_done(session, again)
        finished = carry_out(session, again.plan, address, on_error)
    words = [word for name in sorted(tree.variables) for word in ("--var", f"{name}=…")]
    hints = {"To continue": session.command("apply", str(file), *words)}
    return report(session, again.plan, finished, hints, is_all=False)


def _show_stale(session: Session, stale: Stale, reviewed: "Reviewed") -> int:
    console = session.console
    environment = reviewed.plan.settings.environment
    words = ["-e", environment] if environment else []
    hints = {"To see the new plan": session.command("plan", *words)}
    addresses = sorted({str(item.address) for item in stale.moved})
    targets = [word for address in addresses[:_MOST_NAMES] for word in ("--target", address)]
    hints["To take the live changes into the tree"] = session.command("pull", "--merge", *targets, *words)
    console.notify(stale_words.stale_text(stale, console.err_view, hints=hints))
    reports = session.reports
    reports.stream(console, [*events.stale_lines(stale), events.error_line(stale)])
    text = stale_words.stale_text(stale, FILE_VIEW, hints=hints)
    renderers: Renderers = {
        **error_renderers(reports, StalePlan(summary=stale.summary, detail=text.strip("\n"))),
        "text file": lambda: text,
        "json": lambda: stale_json.StaleReport.of(stale, exit_code=stale.exit_code).text(),
    }
    reports.write_final(console, renderers)
    return stale.exit_code


def _show_rechecked(session: Session, again: "Rechecked") -> None:
    """Report resources that changed without affecting the plan."""
    for items, said in (
        (again.refreshed, "changed since this plan was made; the planned change to it is the same"),
        (again.done, "already as planned"),
    ):
        if items:
            names = some_of([str(item.address) for item in items], _MOST_NAMES)
            session.console.notify(f"{names}: {said}.\n")


def _all_done(session: Session, again: "Rechecked") -> int:
    message = "No changes. Everything in this plan is already live.\n"
    if session.reports.stdout == "text":
        session.console.data(message)
    return nothing_to_do(session, again.plan, message)
