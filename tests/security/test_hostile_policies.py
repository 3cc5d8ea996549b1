"""
Policies that a stranger may send: rules by the thousand, and conditions that ask for files of the machine.

What all rules together may take is computed before they are evaluated, so that a plan is refused and a machine
is not exhausted.
"""

import os
import sys
from functools import partial
from pathlib import Path

import pytest

from cesplan.cli.running import run
from cesplan.config.tree.load import load
from cesplan.domain.features.policy import Rule
from cesplan.emulator import EmbeddedEmulator
from cesplan.features.policy import proof, verdicts
from cesplan.features.policy.cost import TooCostly, cost
from cesplan.features.policy.language import ExpressionError, compile_expression
from cesplan.features.policy.proof import subject_of
from cesplan.features.policy.rules import read_policy
from cesplan.features.policy.verdicts import Budget, TooMuchWork
from tests.security.hostile_trees import SMALL_TREE, write_tree

PROJECT = SMALL_TREE["cesplan.yaml"]
AGENT = subject_of({"address": "help-desk/agents/front-desk", "after": {"displayName": "Front desk"}})


def findings(root: Path, policy: str) -> list[str]:
    write_tree(root, {**SMALL_TREE, "cesplan.yaml": f"{PROJECT}policy:\n{policy}"})
    return [item.summary for item in load(root, environ={}, read_policy=read_policy).diagnostics]


def test_a_policy_has_a_largest_number_of_rules(tmp_path: Path) -> None:
    """None of them is read then: a policy in part would let through what the rest denies."""
    rules = "".join(f"- {{name: r{number}, deny: 'true'}}\n" for number in range(501))
    assert findings(tmp_path, rules) == ["a policy can have at most 500 rules, but has 501"]


def test_all_conditions_together_have_a_largest_length(tmp_path: Path) -> None:
    """Reading a condition of 10,000 characters takes a tenth of a second; it is said once."""
    long = " || ".join(["key == 'a'"] * 700)
    rules = "".join(f'- {{name: r{number}, deny: "{long} || {number} == 1"}}\n' for number in range(25))
    said = findings(tmp_path, rules)
    assert said == ["all conditions of a policy together are longer than 200,000 characters"]


def test_a_message_has_a_largest_length(tmp_path: Path) -> None:
    """It is repeated for each operation."""
    rule = f"- {{name: r, deny: 'true', message: '{'x' * 1_001}'}}\n"
    assert findings(tmp_path, rule) == ["the message is longer than 1,000 characters"]


def test_a_message_quotes_the_beginning_of_a_long_name() -> None:
    """A display name of the console may be megabytes."""
    rule = Rule(name="r", condition="true", forbids=True, message="{display_name}" * 70)
    [verdict] = verdicts.rule_verdicts([rule], [{**AGENT, "display_name": "x" * 4_000_000}])
    assert len(verdict.message) == 70_000


def test_all_rules_for_all_operations_have_a_limit_together() -> None:
    """Each alone is affordable; nothing is said of a part of them."""
    rules = [Rule(name=f"r{number}", condition=f"after.displayName != '{number}'") for number in range(10)]
    subjects = [AGENT] * 100
    assert verdicts.rule_verdicts(rules, subjects) == ()
    with pytest.raises(TooMuchWork, match="its rules take too much work for this many operations"):
        verdicts.rule_verdicts(rules, subjects, Budget(work=10_000_000))


def test_verdicts_have_a_largest_number() -> None:
    rules = [Rule(name="r", condition="false")]
    assert len(verdicts.rule_verdicts(rules, [AGENT] * 10, Budget(verdicts=10))) == 10
    with pytest.raises(TooMuchWork, match="violated more than 50,000 times"):
        verdicts.rule_verdicts(rules, [AGENT] * 11, Budget(verdicts=10))


def test_a_plan_that_takes_too_much_is_refused_and_not_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The plan is shown, `apply` ends with 5 and writes nothing, and `policy test` says the same."""
    rule = "policy:\n- {name: r, deny: 'false'}\n"
    case = "- {name: c, operation: {address: help-desk/agents/a, after: {}}, expect: {}}\n"
    write_tree(tmp_path, {**SMALL_TREE, "cesplan.yaml": PROJECT + rule, "policy_test.yaml": case})
    monkeypatch.chdir(tmp_path)
    with EmbeddedEmulator() as running:
        monkeypatch.setenv("CES_EMULATOR_HOST", running.address)
        monkeypatch.setattr(verdicts, "Budget", partial(Budget, work=10_000))
        monkeypatch.setattr(proof, "Budget", partial(Budget, work=10_000))
        assert run(["apply", "--auto-approve"]) == 5
        assert "the policy cannot be evaluated: its rules take too much work" in "".join(capsys.readouterr())
        assert run(["plan"]) == 0
        assert "2 to create" in capsys.readouterr().out
        assert run(["policy", "test"]) == 1
        assert "The policy cannot be evaluated: its rules take too much work" in capsys.readouterr().err
        monkeypatch.undo()
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("CES_EMULATOR_HOST", running.address)
        assert run(["apply", "--auto-approve"]) == 0


def test_a_function_of_unknown_cost_is_refused() -> None:
    """What the tables do not know could cost anything: here one that the library has and rules do not know."""
    from cel_expr_python import cel
    from cel_expr_python.ext import ext_math

    environment = cel.NewEnv(variables={}, extensions=[ext_math.ExtMath()])
    checked = environment.compile("math.greatest(1, 2) == 2").serialize()
    with pytest.raises(TooCostly, match=r"the function `math\.@max` is not available in rules"):
        cost(checked, ())


@pytest.mark.parametrize(
    "condition",
    [
        "string(1) + '1' == '11' && int('1') + 1 - 1 * 1 / 1 % 1 == -1 && uint(1) == 1u && double(1) == 1.0",
        "bytes(key) == b'' || bool('true') || type(key) == string || dyn(1) == 1 || key.matches('a')",
        "timestamp('2026-01-01T00:00:00Z') - duration('1s') < timestamp('2026-01-01T00:00:00Z')",
        "key.charAt(0) + key.substring(1) + key.trim() + key.reverse() + key.lowerAscii() == key.upperAscii()",
        "key.split('-').join('+').replace('a', 'b').indexOf('a') > key.lastIndexOf('a')",
        "'%s'.format([key]) == strings.quote(key) && !key.startsWith('a') && key.endsWith('a')",
        "after.?a.hasValue() ? after[?'a'].orValue('') == '' : after.?b.or(after.?c).value() == ''",
        "optional.of(1) == optional.none() || optional.ofNonZeroValue(1).optMap(x, x + 1).orValue(2) == 2",
        "mask.all(m, m in ['a']) && mask.exists(m, m == 'a') && mask.exists_one(m, m == 'a') && has(after.a)",
        "mask.map(m, m).filter(m, true)[0] == mask.first().orValue(mask.last().orValue('')) && size(mask) > 1",
        "timestamp(key).getHours() > duration(key).getSeconds() || timestamp(key).getFullYear('UTC') > 1",
        "timestamp(key).getDayOfWeek('America/Argentina/Buenos_Aires') == timestamp(key).getMonth('+02:00')",
    ],
)
def test_functions_of_cel_are_known(condition: str) -> None:
    """All that the documentation of CEL has for texts, numbers, times, lists and optional values."""
    assert compile_expression(condition)


@pytest.mark.skipif(sys.platform != "linux", reason="pipes and devices as Linux has them")
@pytest.mark.parametrize(
    "zone", ["'{pipe}'", "'../../..{pipe}'", "'/dev/zero'", "'file:{pipe}'", "key", "'UTC' + '/x'", "''"]
)
def test_a_rule_opens_no_file(tmp_path: Path, zone: str) -> None:
    """The library opens the file that a time zone names, wherever it is: a pipe was waited for, for ever."""
    os.mkfifo(tmp_path / "pipe")
    condition = (
        f"timestamp('2026-01-01T00:00:00Z').getHours({zone.replace('{pipe}', str(tmp_path / 'pipe'))}) > 1"
    )
    with pytest.raises(ExpressionError) as caught:
        compile_expression(condition)
    assert caught.value.text == "a time zone must be a name in quotes, such as 'Europe/Berlin'"
