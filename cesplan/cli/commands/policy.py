"""`cesplan policy`: the rules of a project, and the proof that they say what they should."""

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.options import common_options, format_option
from cesplan.cli.session import Session
from cesplan.domain.errors import InvalidConfiguration


@click.group(
    "policy",
    context_settings=CONTEXT,
    epilog="""
\b
A rule:
  policy:
    - name: guardrails-stay-on
      when: kind == "guardrails"
      deny: action == "delete" || !after.enabled
      severity: deny           # or needs-approval, or warn

\b
Examples:
  cesplan policy test
  cesplan plan -e prod                       # says which rules it breaks
  cesplan apply -e prod --allow-policy RULE  # approves what needs approval
""",
)
def command() -> None:
    """
    Rules over what plans may do: under `policy` in cesplan.yaml, written in CEL.

    Each rule is asked about every create, update and delete of a plan. What it denies is refused, what needs
    approval is refused until somebody approves it, and the rest is only said.
    """


@command.command(
    "test",
    cls=Command,
    short_help="Ask the rules about the cases in policy_test.yaml.",
    context_settings=CONTEXT,
    epilog="""
\b
A case:
  - name: a guardrail cannot be switched off
    operation:
      address: support-desk/guardrails/pii
      before: {enabled: true}
      after: {enabled: false}
    expect: {guardrails-stay-on: deny}     # {}: no rule is broken

\b
Examples:
  cesplan policy test
  cesplan policy test --format json
  cesplan validate --explain CES111        # how rules are written
  cesplan validate --explain CES112        # how cases are written
""",
)
@format_option
@common_options
@click.pass_obj
def test(session: Session) -> int:
    """
    Ask the rules about the cases in policy_test.yaml, beside cesplan.yaml.

    Each case is an operation, or as much of it as the rules look at, and the rules that it should break. What
    no case expects is said at the end. Asks nobody, and needs no environment. Exit code 1 when a case does not
    hold, 7 when a rule or a case has a mistake.
    """
    from cesplan.features.policy.report import proofs_json, proofs_text
    from cesplan.workflow.policy_testing import prove_policy

    console = session.console
    try:
        tested = prove_policy(session.root)
    except InvalidConfiguration as error:
        from cesplan.render.text.diagnostics import diagnostics_text

        console.tell(diagnostics_text(error.diagnostics, console.err_view))
        raise
    if session.json:
        console.data(proofs_json(tested.proofs, tested.untested))
    else:
        console.data(proofs_text(tested.proofs, tested.untested, console.out_view))
    return ExitCode.DONE if all(proof.holds for proof in tested.proofs) else ExitCode.ERROR
