"""Policy on the command line: plan says, apply refuses, a person approves, cases prove."""

import json
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

POLICY = """\
policy:
  - name: rails-stay-on
    when: kind == "guardrails"
    deny: action == "delete" || !after.enabled
    message: "{address} would protect nobody"
  - name: calm
    assert: after.?modelSettings.?temperature.orValue(0.0) <= 0.4
    severity: needs-approval
  - name: code
    when: kind == "tools"
    deny: true
    message: "look at {key}"
    severity: warn
environments:"""
SECRET = "hunter2-and-more"


@pytest.fixture(autouse=True)
def policed(tree: Tree) -> Tree:
    tree.replace("cesplan.yaml", "environments:", POLICY)
    return tree


def _writes(service: EmbeddedEmulator) -> int:
    return sum(entry.method != "GET" for entry in service.journal.entries)


def test_plan_says_what_apply_will_do(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """A warning is a warning; what wants approval comes with its flag."""
    ran = cesplan("plan")
    assert ran.code == 0
    assert "Warning: policy `code`: look at lookup-order\n" in ran.out
    assert "Warning: apply will refuse this plan:\n" in ran.out
    assert "policy `calm`: help-desk violates this rule; approve it with\n    --allow-policy calm" in ran.out
    document = json.loads(cesplan("plan", "--format", "json").out)
    assert [(item["rule"], item["severity"], item["approved"]) for item in document["policy"]] == [
        ("calm", "needs-approval", False),
        ("code", "warn", False),
    ]
    approved = cesplan("plan", "--allow-policy", "calm").out
    assert "apply will refuse" not in approved
    assert "cesplan apply --allow-policy calm" in approved


def test_nothing_is_written_before_it_is_approved(service: EmbeddedEmulator, cesplan: Run) -> None:
    """--auto-approve is not an approval of a rule."""
    ran = cesplan("apply", "--auto-approve")
    assert (ran.code, _writes(service)) == (5, 0)
    assert "approve it with\n  --allow-policy calm" in ran.err
    assert cesplan("apply", "--auto-approve", "--allow-policy", "calm").code == 0


def test_what_is_denied_cannot_be_approved(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    tree.replace("apps/help-desk/guardrails/no-cards.yaml", "enabled: true", "enabled: false")
    allowed = ("--allow-policy", "rails-stay-on", "--allow-policy", "calm")
    ran = cesplan("apply", "--auto-approve", *allowed)
    assert (ran.code, _writes(service)) == (5, 0)
    assert "policy `rails-stay-on`: help-desk/guardrails/no-cards would protect nobody" in ran.err


def test_a_person_approves_rule_by_rule(
    service: EmbeddedEmulator, cesplan: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a terminal each rule is a question of its own, before the one about the plan."""
    asked: list[str] = []
    answers = iter(["no", "yes", "yes"])

    def ask(_: object, question: str) -> str:
        asked.append(question)
        return next(answers)

    monkeypatch.setattr("cesplan.cli.console.Console.can_ask", True)
    monkeypatch.setattr("cesplan.cli.console.Console.ask", ask)
    assert (cesplan("apply").code, _writes(service)) == (1, 0)
    assert cesplan("apply").code == 0
    assert "The policy requires approval for `calm`:\n    help-desk violates this rule\n" in asked[0]
    assert [question.count("calm") for question in asked] == [1, 1, 0]


def test_a_plan_file_carries_its_verdicts(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """Without the tree, whose rules they were: it is refused, or approved when it is made or applied."""
    cesplan("plan", "--out", "open.json")
    cesplan("plan", "--out", "approved.json", "--allow-policy", "calm")
    tree.remove("cesplan.yaml")
    assert (cesplan("apply", "open.json").code, _writes(service)) == (5, 0)
    assert "apply will refuse this plan" in cesplan("show", "open.json").out
    assert "(approved)" in cesplan("show", "approved.json").out.replace("\n", " ")
    assert cesplan("apply", "approved.json").code == 0
    assert cesplan("apply", "open.json", "--allow-policy", "calm").code == 0


def test_rules_see_no_secret(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    """What a rule knows of a secret is the name of its variable; and no report shows more."""
    tree.replace("cesplan.yaml", "policy:", "variables: {greeting: {secret: true}}\npolicy:")
    tree.replace("apps/help-desk/app.yaml", "displayName", "description: ${greeting}\ndisplayName")
    tree.replace("cesplan.yaml", "environments:", "  - {name: peek, deny: after.description}\nenvironments:")
    assert cesplan("validate", "--var", f"greeting={SECRET}").code == 0
    formats = ("text", "json", "jsonl", "markdown", "junit")
    reports = [word for name in formats for word in ("--report", f"{name}=out.{name}")]
    runs = [
        cesplan("plan", "--var", f"greeting={SECRET}", "--out", "plan.json", *reports),
        cesplan("apply", "--auto-approve", "--var", f"greeting={SECRET}"),
    ]
    texts = [Path(f"out.{name}").read_text(encoding="utf-8") for name in formats]
    texts += [Path("plan.json").read_text(encoding="utf-8"), *(ran.out + ran.err for ran in runs)]
    assert all(SECRET not in text for text in texts)
    assert "policy `peek`: help-desk: this rule cannot be evaluated" in " ".join(texts[0].split())
    assert "greeting" in texts[0]


CASES = """\
- name: off
  operation: {address: a/guardrails/b, before: {enabled: true}, after: {enabled: false}}
  expect: {rails-stay-on: deny}
- name: hot
  operation: {address: a/agents/b, before: {}, after: {modelSettings: {temperature: 1}}}
  expect: {calm: needs-approval}
- name: code is not asked
  operation: {address: a/tools/b, after: {}}
  rules: [calm]
  expect: {}
"""


def test_cases_prove_rules(cesplan: Run, tree: Tree) -> None:
    """Nobody is asked; what no case covers is said."""
    tree.write("policy_test.yaml", CASES)
    ran = cesplan("policy", "test")
    assert ran.code == 0
    assert ran.out == (
        "  ok      off  policy_test.yaml:1:3\n"
        "  ok      hot  policy_test.yaml:4:3\n"
        "  ok      code is not asked  policy_test.yaml:7:3\n"
        "\n3 cases, all as expected.\nNotice: no case expects a violation of code\n"
    )


def test_a_case_that_does_not_hold_says_why(cesplan: Run, tree: Tree) -> None:
    tree.write(
        "policy_test.yaml", CASES.replace("enabled: false", "enabled: true").replace("ture: 1", "ture: 0")
    )
    ran = cesplan("policy", "test", "--format", "json")
    document = json.loads(ran.out)
    assert ran.code == 1
    assert document["summary"] == {"cases": 3, "failed": 2}
    assert [case["missing"] for case in document["cases"]] == [["rails-stay-on"], ["calm"], []]
    tree.write("policy_test.yaml", CASES.replace("  rules: [calm]\n", ""))
    text = cesplan("policy", "test").out
    assert "`code` (warn) should pass, but is violated: look at b" in text
    assert "1 of 3 cases failed." in text
