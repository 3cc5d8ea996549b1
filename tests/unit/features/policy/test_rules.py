"""Rules and cases, and what is wrong with them at its place."""

from pathlib import Path

import pytest

from cesplan.config.tree.load import load
from cesplan.domain.features.policy import Rule, RuleSeverity
from cesplan.features.policy.cases import read_cases
from cesplan.features.policy.rules import read_policy

HEAD = "cesplan: 1\nproject: p\nlocation: us\n"


def _told(root: Path, policy: str) -> list[str]:
    (root / "cesplan.yaml").write_text(HEAD + policy, encoding="utf-8")
    (root / "apps").mkdir(exist_ok=True)
    found = load(root, environ={}, read_policy=read_policy)
    return [f"{item.place}: {item.summary}" for item in found.diagnostics if item.code == "CES111"]


def test_rules_are_read(tmp_path: Path) -> None:
    policy = """\
policy:
  - {name: a, deny: action == "delete"}
  - name: b
    when: kind == "agents"
    assert: |
      size(address) > 1
      && true
    message: "{address} is odd"
    severity: warn
"""
    assert _told(tmp_path, policy) == []
    assert load(tmp_path, environ={}, read_policy=read_policy).policy == (
        Rule(name="a", condition='action == "delete"', forbids=True),
        Rule(
            name="b",
            condition="size(address) > 1\n&& true\n",
            when='kind == "agents"',
            message="{address} is odd",
            severity=RuleSeverity.WARN,
        ),
    )


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("policy: no\n", "4:9: `policy` must be a list of rules, but this is a string"),
        ("policy: [a]\n", "4:10: a rule must be a mapping, but this is a string"),
        ("policy:\n  - {deny: kind == ''}\n", "5:5: a rule needs a `name`"),
        ("policy:\n  - {name: a b, deny: kind == ''}\n", "5:12: `a b` is not a valid name for a rule"),
        ("policy:\n  - {name: a}\n", "5:5: a rule needs `assert` or `deny`"),
        (
            "policy:\n  - {name: a, deny: kind == '', assert: key == ''}\n",
            "5:5: a rule has both `assert` and `deny`",
        ),
        ("policy:\n  - {name: a, deny: 1}\n", "5:21: `deny` must be a string, but this is a number"),
        ("policy:\n  - {name: a, den: kind == ''}\n", "5:15: unknown key `den` in a rule"),
        (
            "policy:\n  - {name: a, deny: true, severity: bad}\n",
            "5:37: `severity` cannot be `bad`",
        ),
        (
            "policy:\n  - {name: a, deny: true, message: 'x {keyy}'}\n",
            "5:36: the message cannot contain `{keyy}`",
        ),
        (
            "policy:\n  - {name: a, deny: kindd == ''}\n",
            "5:21: `deny` is not a valid condition: undeclared reference to 'kindd'",
        ),
        (
            "policy:\n  - name: a\n    deny: |\n      kind == '' ||\n      key === ''\n",
            "8:13: `deny` is not a valid condition: token recognition error",
        ),
        (
            "policy:\n  - {name: a, when: size(kind), deny: true}\n",
            "5:21: `when` is not a valid condition: it must be true or false, but this is int",
        ),
        (
            "policy:\n  - {name: a, deny: true}\n  - {name: a, deny: true}\n",
            "6:12: duplicate rule `a`",
        ),
    ],
)
def test_a_mistake_has_its_place(tmp_path: Path, rule: str, told: str) -> None:
    """Line and column are those inside the condition, also in a block of several lines."""
    found = _told(tmp_path, rule)
    assert any(item.startswith(f"cesplan.yaml:{told}") for item in found), found


def test_an_environment_has_no_policy_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "cesplan.yaml").write_text(HEAD + "environments: {prod: {policy: []}}\n", encoding="utf-8")
    told = [item.summary for item in load(tmp_path, environ={}, read_policy=read_policy).diagnostics]
    assert "`policy` cannot be set in an environment" in told


RULES = (Rule(name="a", condition="true"), Rule(name="b", condition="true"))


def _cases(root: Path, text: str) -> list[str]:
    (root / "policy_test.yaml").write_text(text, encoding="utf-8")
    return [f"{item.place}: {item.summary}" for item in read_cases(root, RULES)[1]]


def test_cases_are_read(tmp_path: Path) -> None:
    text = "- {name: x, operation: {address: a/agents/b, after: {}}, expect: {a: deny}, rules: [a]}\n"
    assert _cases(tmp_path, text) == []
    ((case,), _) = read_cases(tmp_path, RULES)
    assert (case.name, case.rules, dict(case.expected)) == ("x", ("a",), {"a": RuleSeverity.DENY})
    assert dict(case.operation) == {"address": "a/agents/b", "after": {}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: b\n", "1:1"),
        ("- x\n", "1:3: a case must be a mapping, but this is a string"),
        ("- {operation: {address: a}, expect: {}}\n", "1:3: a case needs a `name`"),
        ("- {name: x, expect: {}}\n", "1:3: a case needs an `operation`"),
        ("- {name: x, operation: {kind: agents}, expect: {}}\n", "1:24: an operation needs an `address`"),
        ("- {name: x, operation: {address: a}}\n", "1:3: a case needs `expect`"),
        ("- {name: x, operation: {address: a, afte: {}}, expect: {}}\n", "1:37: unknown key `afte`"),
        ("- {name: x, operation: {address: a, action: drop}, expect: {}}\n", "1:45: `action` must be"),
        ("- {name: x, operation: {address: a, mask: x}, expect: {}}\n", "1:43: `mask` cannot be a string"),
        ("- {name: x, operation: {address: a}, expect: {c: deny}}\n", "1:47: unknown rule `c`"),
        ("- {name: x, operation: {address: a}, expect: {a: no}}\n", "1:50: a severity must be"),
        ("- {name: x, operation: {address: a}, expect: {}, rules: [c]}\n", "1:58: unknown rule `c`"),
    ],
)
def test_a_mistake_in_a_case_has_its_place(tmp_path: Path, text: str, told: str) -> None:
    found = _cases(tmp_path, text)
    assert any(item.startswith(f"policy_test.yaml:{told}") for item in found), found
