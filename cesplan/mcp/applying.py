"""The tool that writes: it plans again, and applies only the plan whose checksum a person gave."""

from contextlib import ExitStack
from dataclasses import replace

from cesplan.cli.confirming import allow_reverts
from cesplan.cli.exit_codes import of_outcomes
from cesplan.cli.progress import gathered
from cesplan.cli.report_formats import FILE_VIEW
from cesplan.domain.errors import CesplanError, Refused
from cesplan.domain.plan import Plan
from cesplan.engine.applying.run import Applying
from cesplan.mcp import inputs, results
from cesplan.mcp.reading import planned
from cesplan.mcp.workspace import Approval, Call
from cesplan.render.machine.checksums import check_checksum
from cesplan.render.machine.formats.outcomes import ApplyReport
from cesplan.render.text.outcome import report_text
from cesplan.workflow.apply_plan import applying


def apply(call: Call, arguments: inputs.PlanInput) -> results.ApplyResult:
    """
    Raises StalePlan if the plan is not the approved one, and Refused for one that the guard or the policy
    refuses, or if the approval was already used; nothing is written then.
    """
    approval = _approval(call)
    plan = planned(call, arguments)
    check_checksum(plan, approval.checksum)
    if plan.blockers:
        raise Refused(reasons=plan.blockers)
    plan = allow_reverts(plan)  # the checksum is that of a plan that was seen
    if not plan.operations:
        report = ApplyReport.of(plan, (), exit_code=0)
        return results.ApplyResult(text="No changes. Live matches the tree.\n", report=report)
    with ExitStack() as stack:
        events = _started(call, plan, approval, stack)
        # A cancelled call ends like Ctrl-C: requests in flight finish; the lease and locks are released.
        call.when_stopped(events.stop)
        done = gathered(events)
    code = of_outcomes(done.outcomes, interrupted=done.interrupted)
    return results.ApplyResult(
        text=report_text(
            done.outcomes, FILE_VIEW, duration=done.seconds, is_all=plan.is_all, undone=done.undone
        ),
        report=ApplyReport.of(plan, done.outcomes, exit_code=code, undone=done.undone),
    )


def _started(call: Call, plan: Plan, approval: Approval, stack: ExitStack) -> Applying:
    """The apply, before its first write. A refusal, such as the lease of another apply, keeps the approval."""
    approval.use()
    try:
        return stack.enter_context(applying(plan, connection=replace(call.connection, shared=None)))
    except CesplanError:
        approval.give_back()
        raise


def _approval(call: Call) -> Approval:
    approval = call.workspace.approval
    if approval is None:  # the tool is not offered in that case
        raise Refused(reasons=("No plan was approved: a person starts the server with --allow-apply.",))
    return approval
