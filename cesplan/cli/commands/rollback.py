"""`cesplan rollback`: move a deployment back to a version, and with `--draft` the draft, too."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.app_options import AppChoice, app_options
from cesplan.cli.exit_codes import ExitCode, of_outcomes, worst
from cesplan.cli.group import define
from cesplan.cli.live_line import progress_line, wait_line
from cesplan.cli.loading import service_connection
from cesplan.cli.options import TreeChoice, tree_options
from cesplan.cli.plan_options import allow_mass_delete_option, allow_policy_option, allow_unlock_option
from cesplan.cli.report_formats import write_report
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.errors import CesplanError, Declined, Refused
from cesplan.domain.lazily import lazily
from cesplan.domain.options import ALL, Allowances
from cesplan.domain.outcome import Outcome

if TYPE_CHECKING:
    from cesplan.domain.features.going_back import MoveResult, RestoreResult
    from cesplan.domain.plan import Plan
    from cesplan.features.going_back.plans import GoingBack
    from cesplan.workflow.going_back.planning import RollbackRequest, WayBack

with lazily():
    from cesplan.cli import carry_out as carrying
    from cesplan.cli import confirming
    from cesplan.domain.features import going_back
    from cesplan.features.going_back import text_report
    from cesplan.render.machine.formats import going_back as going_back_json
    from cesplan.render.text import plan as plan_words
    from cesplan.workflow.going_back import planning, restoring


@dataclass(kw_only=True)
class _Done:
    """The results so far, for the report."""

    outcomes: tuple[Outcome, ...] = ()
    interrupted: bool = False
    moved: "MoveResult | None" = None
    restored: "RestoreResult | None" = None
    error: int = ExitCode.DONE
    """The exit code of the error that ended the command."""

    @property
    def code(self) -> int:
        codes = [of_outcomes(self.outcomes, interrupted=self.interrupted), self.error]
        if self.moved is not None and not self.moved.is_verified:
            codes.append(ExitCode.PARTIAL)
        if self.restored is not None and not self.restored.is_proven:
            codes.append(ExitCode.PARTIAL)
        return worst(codes)


@define(
    "rollback",
    epilog="""
\b
Examples:
  cesplan rollback -e prod --deployment web-chat
  cesplan rollback -e prod --to v41 --auto-approve
  cesplan rollback -e prod --deployment web-chat --draft     # the draft, too
""",
)
@click.option(
    "--to",
    metavar="VERSION",
    default="",
    help="The version to go back to, by key, id, or display name.  [default: the one served before]",
)
@click.option(
    "--deployment",
    metavar="DEPLOYMENT",
    default="",
    help="The deployment that goes back, by key, id, or display name.  [default: the only one of the app]",
)
@click.option("--draft", is_flag=True, help="Restore the draft from the version, too.")
@shared.auto_approve(help="Go back without a prompt. Required if there is no terminal.")
@click.option(
    "--allow-revert",
    multiple=True,
    metavar="ADDRESS",
    help="With --auto-approve, revert the live edits of this resource, or of `all`. Can be repeated.",
)
@allow_mass_delete_option(help="Allow --draft to delete most resources of a kind.")
@allow_unlock_option(help="Unlock a locked app for the deployment, and lock it again afterwards.")
@allow_policy_option
@app_options
@tree_options
@report_options("text", "json")
def command(
    session: Session,
    to: str,
    deployment: str,
    draft: bool,
    auto_approve: bool,
    allow_revert: tuple[str, ...],
    allow_mass_delete: bool,
    allow_unlock: bool,
    allow_policy: tuple[str, ...],
    app_choice: AppChoice,
    tree: TreeChoice,
) -> int:
    """
    Move a deployment back to a version that it served before.

    Shows what would change and asks. One request writes the deployment and removes a traffic split; then the
    deployment is read again. Without --to, cesplan takes the previous version from the change log; if the
    deployment has just gone back, it stays where it is, so that running the command twice goes back once.

    With --draft, the service also restores the draft from the version, after it saves the current draft as a
    new version. The plan shows every field that changes and the live edits that are reverted. Just before the
    restore, the draft is read again; if it is no longer what was shown, it is not restored (exit code 4).
    Afterwards, it is compared with the version: a difference ends with exit code 3.

    The tree does not change: going back counts as a live edit, which `cesplan apply` does not revert without
    approval. Change the version in the tree, or revert the commit.

    Not to be confused with `cesplan apply --on-error rollback`, which undoes the writes of a failed apply.
    """
    request = planning.RollbackRequest(
        to=to,
        deployment=deployment,
        draft=draft,
        allowances=Allowances(
            mass_delete=allow_mass_delete,
            unlock=allow_unlock,
            policy=frozenset(allow_policy),
            revert=frozenset(allow_revert),
        ),
    )
    done = _Done()
    with (
        service_connection(session) as connection,
        planning.way_back(app_choice.target(session, tree, "rollback"), connection) as way,
    ):
        address = connection.emulator
        with wait_line(session, "Reading live resources"):
            found = way.going_back(request)
        _show(session, found, way)
        _note_what_is_done(found, done)
        if not found.is_empty:
            words = _words(request, app_choice, tree)
            found = _approved(session, found, way, request, words, auto_approve=auto_approve)
            request = replace(request, allowances=found.plans[0].allowances)
            try:
                _move(session, found, way, address, done)
                if not _has_failed(done):
                    _restore(session, found, way, request, address, done)
            except CesplanError as error:
                done.error = error.exit_code
                _report(session, found, done)
                raise
    return _report(session, found, done)


def _note_what_is_done(found: "GoingBack", done: _Done) -> None:
    """Record the parts that needed no change: they were read, and are as they should be."""
    if found.deployment is not None and found.deployment.plan.is_empty:
        done.moved = going_back.MoveResult(serves=found.deployment.now, is_verified=True)
    if found.draft is not None and found.draft.is_done:
        done.restored = going_back.RestoreResult()


def _show(session: Session, found: "GoingBack", way: "WayBack") -> None:
    """Show the way back and its plans, where people read the result."""
    console = session.console
    is_text = session.reports.stdout == "text"
    write, view = (console.data, console.out_view) if is_text else (console.notify, console.err_view)
    write(text_report.heading_text(found, way.desired.settings, view))
    for plan in found.plans:
        if not plan.is_empty:
            write(plan_words.plan_text(replace(plan, refusals=(), left_out=()), view, is_all=False) + "\n")


def _approved(
    session: Session,
    found: "GoingBack",
    way: "WayBack",
    request: "RollbackRequest",
    words: list[str],
    *,
    auto_approve: bool,
) -> "GoingBack":
    """The same, approved by the guard, the policy, and a person. Raises Refused and Declined."""
    reasons = tuple(reason for plan in found.plans for reason in plan.refusals)
    if reasons:
        raise Refused(summary="Nothing was written: going back is refused.", reasons=reasons)
    found = _with_plans(found, [confirming.approve(session.console, plan) for plan in found.plans])
    if auto_approve:
        _check_reverts(found.plans)
        return found
    _ask(session, found, way, words)
    allowances = replace(request.allowances, revert=frozenset((ALL,)))
    return _with_plans(found, [replace(plan, allowances=allowances) for plan in found.plans])


def _with_plans(found: "GoingBack", plans: list["Plan"]) -> "GoingBack":
    rest = iter(plans)
    if found.deployment is not None:
        found = replace(found, deployment=replace(found.deployment, plan=next(rest)))
    if found.draft is not None:
        found = replace(found, draft=replace(found.draft, plan=next(rest)))
    return found


def _check_reverts(plans: Iterable["Plan"]) -> None:
    edits = [item for plan in plans for item in plan.open_reverts]
    if edits:
        rows = [f"{item.address} {item.undoes}" for item in edits]
        flags = "\n".join(f"    --allow-revert {item.address}" for item in edits)
        raise Refused(
            summary="Nothing was written: going back would revert live edits.",
            detail="\n".join([*rows, "", "To revert them, add:", "", flags]),
        )


def _ask(session: Session, found: "GoingBack", way: "WayBack", words: list[str]) -> None:
    console = session.console
    command = session.command("rollback", *words, "--auto-approve")
    if not console.can_ask:
        raise Refused(
            summary="Nothing was written: there is no terminal to prompt for approval.",
            detail=f"To go back without a prompt:\n\n    {command}",
        )
    text, expected = text_report.question(found, way.desired.settings)
    console.notify_escaped(text.rpartition("\n")[0] + "\n")
    if console.ask(text.rpartition("\n")[2]) != expected:
        raise Declined(summary="Nothing was written.", detail=f"To go back, type `{expected}`.")


def _move(session: Session, found: "GoingBack", way: "WayBack", address: str, done: _Done) -> None:
    """Apply the plan of the deployment as usual, then read it again."""
    move = found.deployment
    if move is None or move.plan.is_empty:
        return
    finished = carrying.carry_out(session, move.plan, address, "stop")
    done.outcomes, done.interrupted = finished.outcomes, finished.interrupted
    serves = way.serving(move.name)
    version_id = move.target.version.id
    done.moved = going_back.MoveResult(
        serves=serves, is_verified=[item.version for item in serves] == [version_id]
    )


def _has_failed(done: _Done) -> bool:
    return done.interrupted or (done.moved is not None and not done.moved.is_verified)


def _restore(
    session: Session, found: "GoingBack", way: "WayBack", request: "RollbackRequest", address: str, done: _Done
) -> None:
    if found.draft is None or found.draft.is_done:
        return
    with progress_line(session) as on_progress:
        done.restored = restoring.restore_draft(
            way, found.draft, request, session.connection(address), on_progress
        )


def _report(session: Session, found: "GoingBack", done: _Done) -> int:
    """Give the report, with the results so far."""
    code = done.code

    def json() -> str:
        move, draft = found.deployment, found.draft
        return going_back_json.RollbackReportJson.from_value(
            app=found.app,
            exit_code=code,
            deployment=going_back_json.MovedDeploymentJson.of(
                move.address, move.now, move.target, move.plan, done.outcomes, done.moved, found.titles
            )
            if move
            else None,
            draft=going_back_json.RestoredDraftJson.of(draft.version, draft.plan, done.restored)
            if draft
            else None,
        ).text()

    write_report(
        session, lambda view: text_report.result_text(found, done.moved, done.restored, view), json=json
    )
    return code


def _words(request: "RollbackRequest", app_choice: AppChoice, tree: TreeChoice) -> list[str]:
    words = [*tree.words, *app_choice.words]
    words += ["--deployment", request.deployment] if request.deployment else []
    words += ["--to", request.to] if request.to else []
    return words + (["--draft"] if request.draft else [])
