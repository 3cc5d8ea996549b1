"""`cesplan policy`: the rules of a project, and the tests that they do what they should."""

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import Group
from cesplan.cli.options import format_option
from cesplan.cli.session import Session
from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.features.policy import json_report, text_report
    from cesplan.render.text import diagnostics
    from cesplan.workflow import policy_testing


@click.group(
    "policy",
    cls=Group,
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
  cesplan plan -e prod                       # reports the rules that it violates
  cesplan apply -e prod --allow-policy RULE  # approves what RULE holds back
""",
)
def command() -> None:
    """
    Rules that plans must follow: under `policy` in cesplan.yaml, written in CEL.

    Each rule is evaluated for every create, update, and delete of a plan. A plan that violates a `deny` rule is
    refused, a violated `needs-approval` rule must be approved first, and a violated `warn` rule is reported.
    """


@command.define(
    "test",
    short_help="Test the rules with the cases in policy_test.yaml.",
    epilog="""
\b
A case:
  - name: a guardrail cannot be switched off
    operation:
      address: support-desk/guardrails/pii
      before: {enabled: true}
      after: {enabled: false}
    expect: {guardrails-stay-on: deny}     # {}: no rule is violated

\b
Examples:
  cesplan policy test
  cesplan policy test --format json
  cesplan validate --explain CES111        # how rules are written
  cesplan validate --explain CES112        # how cases are written
""",
)
@format_option
def test(session: Session) -> int:
    """
    Test the rules with the cases in policy_test.yaml, next to cesplan.yaml.

    Each case has an operation, or the part of it that the rules read, and the rules that it should violate.
    Rules that no case covers are listed at the end. Works offline and needs no environment. Exit code 1 if a
    case fails, 7 if a rule or a case is invalid.
    """
    console = session.console
    try:
        tested = policy_testing.prove_policy(session.root)
    except InvalidConfiguration as error:
        console.notify(diagnostics.diagnostics_text(error.diagnostics, console.err_view))
        raise
    if session.json:
        console.data(json_report.PolicyTestReport.of(tested.proofs, tested.untested).text())
    else:
        console.data(text_report.proofs_text(tested.proofs, tested.untested, console.out_view))
    return ExitCode.DONE if all(proof.holds for proof in tested.proofs) else ExitCode.ERROR
