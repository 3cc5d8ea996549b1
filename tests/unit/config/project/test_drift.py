"""
`drift.ignore` of cesplan.yaml becomes rules; each mistake is said at its place, and its rule does not hold.
"""

from datetime import date
from pathlib import Path

import pytest

from cesplan.config.tree.load import load
from cesplan.workflow import start


def loaded(folder: Path, drift: str, environment: str = ""):
    start(folder)
    with (folder / "cesplan.yaml").open("a", encoding="utf-8") as file:
        file.write(f"environments: {{prod: {{}}}}\ndrift: {drift}\n")
    return load(folder, environment=environment)


def test_rules_are_those_of_all_environments(tmp_path: Path) -> None:
    found = loaded(
        tmp_path,
        "{ignore: [{address: agents/*, field: modelSettings.*, reason: tuned, until: 2026-12-31}, "
        "{address: hello-shop/tools/x, reason: theirs}]}",
        environment="prod",
    )
    assert found.diagnostics == ()
    assert [(str(rule), rule.reason, rule.until) for rule in found.ignore_rules] == [
        ("address agents/*, field modelSettings.*", "tuned", date(2026, 12, 31)),
        ("address hello-shop/tools/x", "theirs", None),
    ]


def test_a_reason_is_one_line(tmp_path: Path) -> None:
    """It is a part of lines in reports."""
    (rule,) = loaded(tmp_path, '{ignore: [{address: agents, reason: "tuned\\n  live"}]}').ignore_rules
    assert rule.reason == "tuned live"


@pytest.mark.parametrize(
    ("drift", "said"),
    [
        ("[]", "`drift` must be a mapping"),
        ("{ignored: []}", "unknown key `ignored` in `drift`"),
        ("{ignore: {}}", "`ignore` must be a list of rules"),
        ("{ignore: [agents]}", "an ignore rule must be a mapping"),
        ("{ignore: [{address: agents}]}", "an ignore rule needs a `reason`"),
        ("{ignore: [{address: agents, reason: ''}]}", "`reason` must be a string"),
        ("{ignore: [{reason: why}]}", "an ignore rule needs an `address` or a `field`"),
        ("{ignore: [{addres: agents, reason: why}]}", "unknown key `addres` in an ignore rule"),
        ("{ignore: [{address: a/b/c/d, reason: why}]}", "the `address` of an ignore rule is not valid"),
        ("{ignore: [{address: a//c, reason: why}]}", "the `address` of an ignore rule is not valid"),
        ("{ignore: [{field: 'a..b', reason: why}]}", "the `field` of an ignore rule is not valid"),
        ("{ignore: [{field: [a], reason: why}]}", "`field` must be a string"),
        ("{ignore: [{field: a, reason: why, until: tomorrow}]}", "the `until` of an ignore rule is not valid"),
        (
            "{ignore: [{field: a, reason: why, until: 2026-02-30}]}",
            "the `until` of an ignore rule is not valid",
        ),
        ("{ignore: [{field: a, reason: why, until: 20261231}]}", "`until` must be a string"),
    ],
)
def test_each_mistake_is_an_error_at_its_place(tmp_path: Path, drift: str, said: str) -> None:
    found = loaded(tmp_path, drift)
    assert found.ignore_rules == ()
    assert [item.code for item in found.diagnostics][:1] == ["CES006"]
    assert any(said in item.summary for item in found.diagnostics), found.diagnostics
    assert all(str(item.place).startswith("cesplan.yaml:") for item in found.diagnostics)


def test_a_misspelled_key_is_suggested(tmp_path: Path) -> None:
    found = loaded(tmp_path, "{ignore: [{addres: agents, reason: why}]}").diagnostics
    assert "address" in {item.suggestion for item in found}


def test_there_are_at_most_500_rules(tmp_path: Path) -> None:
    """Each is held against each difference, and a pull request can bring them."""
    rules = ", ".join(["{address: agents, reason: why}"] * 501)
    found = loaded(tmp_path, f"{{ignore: [{rules}]}}")
    assert "at most 500 rules" in found.diagnostics[0].summary


def test_an_environment_cannot_have_rules_of_its_own(tmp_path: Path) -> None:
    start(tmp_path)
    with (tmp_path / "cesplan.yaml").open("a", encoding="utf-8") as file:
        file.write("environments: {prod: {drift: {}}}\n")
    (found,) = load(tmp_path).diagnostics
    assert found.summary == "`drift` cannot be set in an environment"
