"""Rules keep accepted differences out of the alarm, until their last day, and say when they are of no use."""

from dataclasses import replace
from datetime import date

import pytest

from cesplan.domain.address import Address
from cesplan.domain.choice import names_of
from cesplan.domain.features.drift import DriftReport
from cesplan.domain.features.ignore_rules import FieldPattern, IgnoreRule
from cesplan.domain.field_path import FieldPath
from cesplan.features.drift.alarm import ignoring
from cesplan.features.drift.alarm.ignoring import Rules, joined_unused, with_ignored
from tests.unit.features.drift.reports import app, created, field_drift, report

TODAY = date(2026, 11, 21)


def rule(address: str = "", field: str = "", until: date | None = None) -> IgnoreRule:
    pattern = FieldPattern.parse(field) if field else None
    return IgnoreRule(address=address, field=pattern, reason="tuned live", until=until)


def judged(found: DriftReport, *rules: IgnoreRule, today: date = TODAY) -> DriftReport:
    return with_ignored(found, [Rules(root=".", rules=rules)], today=today)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("instruction", "instruction", True),
        ("instruction", "instructions", False),
        ("modelSettings", "modelSettings.temperature", True),
        ("modelSettings.temperature", "modelSettings", False),
        ("modelSettings.*", "modelSettings.temperature", True),
        ("*.temperature", "modelSettings.temperature", True),
        ("*Settings.temp*", "modelSettings.temperature", True),
        ("*", "modelSettings.temperature", True),
        ("*.*", "instruction", False),
        ("transferRules[*].direction", "transferRules[3].direction", True),
        ("transferRules[3]", "transferRules[30]", False),
        ("variableDeclarations[name=t*].description", "variableDeclarations[name=tier].description", True),
        ("variableDeclarations[name=t*].description", "variableDeclarations[name=vip].description", False),
        ('metadata["team-*"]', 'metadata["team-a.b]c"]', True),
        ("metadata[*]", 'metadata["anything"]', True),
    ],
)
def test_a_star_stands_for_any_text_inside_one_segment(pattern: str, path: str, expected: bool) -> None:
    """And a pattern names all that is inside the place, as `$ignore` does."""
    assert FieldPattern.parse(pattern).names(FieldPath.parse(path)) is expected


@pytest.mark.parametrize("text", ["", ".", "a..b", "a.", "a[", "a[]", "[0]", "a b", "a[0]b", "x" * 501])
def test_what_is_not_a_field_path_is_not_a_pattern(text: str) -> None:
    with pytest.raises(ValueError):
        FieldPattern.parse(text)


def test_many_stars_do_not_backtrack() -> None:
    """A stranger's rule and a stranger's map key cannot hold up a run."""
    pattern = FieldPattern.parse(f'metadata["{"a*" * 200}b"]')
    assert not pattern.names(FieldPath.parse(f'metadata["{"a" * 100_000}"]'))


def test_a_rule_names_by_address_and_field_and_gives_its_reason() -> None:
    """Only what it names leaves the alarm; the difference stays in the report."""
    text, temperature = field_drift(), field_drift(0.3, path="modelSettings.temperature")
    found = judged(report(app(text, temperature, created())), rule("agents/*", "modelSettings.*"))
    assert [item.ignored for item in found.apps[0].items] == ["", "tuned live", ""]
    assert len(found.alarming) == 2
    assert found.unused == {}


def test_a_rule_without_a_field_names_whole_resources() -> None:
    """So that what appears live is accepted, too; a rule with a field never does that."""
    found = report(app(created()))
    assert not judged(found, rule("desk/tools/*")).has_drift
    assert judged(found, rule("desk/tools/*", "*")).has_drift


def test_a_rule_holds_on_its_last_day_and_not_after_it() -> None:
    """An expired rule is reported with what it would still name."""
    found, once = report(app(field_drift())), rule("agents", until=TODAY)
    assert not judged(found, once).has_drift
    later = judged(found, once, today=date(2026, 11, 22))
    assert later.has_drift
    assert later.unused == {"address agents": "expired after 2026-11-21; it named 1 of these differences"}


def test_a_rule_that_matches_nothing_is_reported_where_all_was_checked() -> None:
    """Not where an app could not be read: its drift may be what the rule is about."""
    unmatched = rule("agents/biling")
    assert judged(report(app(field_drift())), unmatched).unused == {"address agents/biling": "matches nothing"}
    failed = app(key="other", error="It could not be read.")
    assert judged(report(app(field_drift()), failed), unmatched).unused == {}
    narrowed = with_ignored(
        report(app(field_drift())), [Rules(root=".", rules=[unmatched])], today=TODAY, is_whole=False
    )
    assert narrowed.unused == {}


def test_the_rules_of_one_tree_say_nothing_about_another() -> None:
    here, there = app(field_drift()), app(field_drift(), tree="../voice", key="voice")
    trees = [Rules(root=".", rules=[rule("agents")]), Rules(root="../voice", rules=[rule("tools")])]
    found = with_ignored(report(here, there), trees, today=TODAY)
    assert [bool(one.alarming) for one in found.apps] == [False, True]
    assert found.unused == {"../voice: address tools": "matches nothing"}


def test_a_rule_is_unused_in_a_fleet_only_where_each_shard_says_so() -> None:
    one = judged(report(app(field_drift())), rule("agents"), rule("tools"))
    other = judged(report(app(key="other")), rule("agents"), rule("tools"))
    assert (one.unused, other.unused) == (
        {"address tools": "matches nothing"},
        {"address agents": "matches nothing", "address tools": "matches nothing"},
    )
    assert joined_unused([one, other]) == {"address tools": "matches nothing"}


def test_pending_changes_are_no_alarm_with_or_without_a_rule() -> None:
    pending = replace(field_drift(), drift_class="pending")
    assert not judged(report(app(pending)), rule("agents")).has_drift


def test_an_address_is_held_against_the_rules_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of rules and tens of thousands of differences end in seconds."""
    asked: list[Address] = []

    def counting(address: Address) -> frozenset[str]:
        asked.append(address)
        return names_of(address)

    monkeypatch.setattr(ignoring, "names_of", counting)
    items = [field_drift(path=f'metadata["{number}"]') for number in range(50)]
    rules = [rule(f"desk/agents/x{number}*") for number in range(100)]
    found = judged(report(app(*items, created())), *rules, rule("agents/*"))
    assert len(asked) == 2
    assert len(found.alarming) == 1
