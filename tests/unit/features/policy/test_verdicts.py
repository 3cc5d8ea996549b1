"""What rules say of operations."""

from typing import Any

import pytest

from cesplan.domain.features.policy import Rule, RuleSeverity, approved
from cesplan.features.policy.defaults import with_defaults
from cesplan.features.policy.proof import subject_of
from cesplan.features.policy.verdicts import rule_verdicts


def _said(rule: Rule, **operation: Any) -> list[str]:
    return [item.message for item in rule_verdicts([rule], [subject_of(operation)])]


def _breaks(condition: str, *, when: str = "", forbids: bool = True, **operation: Any) -> bool:
    rule = Rule(name="r", condition=condition, when=when, forbids=forbids, message="broken")
    said = _said(rule, **operation)
    assert said in ([], ["broken"]), said
    return bool(said)


RAIL: dict[str, Any] = {"address": "shop/guardrails/pii", "before": {"enabled": True}}
AGENT: dict[str, Any] = {"address": "shop/agents/desk", "before": {}}


@pytest.mark.parametrize(
    ("operation", "broken"),
    [
        ({**RAIL, "after": {"enabled": False}}, True),
        ({**RAIL, "after": {}}, True),
        (RAIL, True),
        ({**RAIL, "after": {"enabled": True, "displayName": "PII"}}, False),
        ({**AGENT, "after": {"instruction": "x"}}, False),
    ],
)
def test_no_guardrail_may_be_disabled(operation: dict[str, Any], broken: bool) -> None:
    """Switched off, cleared or deleted; other kinds are not meant."""
    condition = 'action == "delete" || !after.enabled'
    assert _breaks(condition, when='kind == "guardrails"', **operation) is broken


@pytest.mark.parametrize(("temperature", "broken"), [(1, False), (1.0, False), (1.5, True), (None, False)])
def test_no_temperature_above_one(temperature: float | None, broken: bool) -> None:
    """Whole numbers and others compare, and what is absent can be asked for."""
    settings = {} if temperature is None else {"modelSettings": {"temperature": temperature}}
    condition = "after.?modelSettings.?temperature.orValue(0.0) <= 1.0"
    assert _breaks(condition, forbids=False, **AGENT, after=settings) is broken


def test_no_model_outside_a_list() -> None:
    condition = 'after.?modelSettings.?model.orValue("a") in ["a", "b"]'
    assert not _breaks(condition, forbids=False, **AGENT, after={"modelSettings": {"model": "b"}})
    assert _breaks(condition, forbids=False, **AGENT, after={"modelSettings": {"model": "c"}})


def test_no_production_deployment_without_a_new_version() -> None:
    """What a plan knows beside the operation: the environment, and its own numbers."""
    condition = 'environment == "prod" && plan.kinds.versions.create == 0'
    web = {"address": "shop/deployments/web", "before": {}, "after": {}}
    assert _breaks(condition, when='kind == "deployments"', **web, environment="prod")
    assert not _breaks(condition, when='kind == "deployments"', **web, environment="dev")


def test_changes_can_be_asked_for() -> None:
    """Field by field, as reports show them."""
    operation = {**AGENT, "before": {"instruction": "a"}, "after": {"instruction": "b"}}
    assert _breaks('changes.exists(c, c.path == "instruction" && c.action == "modified")', **operation)
    assert _breaks('mask == ["instruction"]', **operation)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (Rule(name="r", condition="after.nowhere > 1"), "Key not found"),
        (Rule(name="r", condition="true", when="before.nowhere"), "Key not found"),
        (Rule(name="r", condition="after.instruction > 1"), "instruction"),
        (Rule(name="r", condition="after.instruction"), "x"),
    ],
)
def test_what_cannot_be_decided_counts_as_broken(rule: Rule, why: str) -> None:
    """A slip in a rule must not open the door."""
    (said,) = _said(rule, **AGENT, after={"instruction": "x"})
    assert said.startswith("shop/agents/desk: this rule cannot be evaluated: ")
    assert why in said or "overload" in said


def test_a_delete_that_is_asked_for_its_after_says_so() -> None:
    (said,) = _said(Rule(name="r", condition="after.enabled"), **RAIL)
    assert said.endswith("; `after` is null for a delete")


def test_a_field_that_may_not_be_set_has_a_way_to_be_asked_for() -> None:
    """The words show it, and it works; an absent `before` that the rule does not look at is no reason."""
    created = {"address": "shop/agents/desk", "action": "create", "after": {}}
    (said,) = _said(Rule(name="r", condition="after.modelSettings.model == 'm'"), **created)
    assert said.endswith("; use `after.?field.orValue(…)` for a field that may be unset")
    kept = Rule(name="r", condition="after.?modelSettings.?model.orValue('m') == 'm'")
    assert _said(kept, **created) == []


def test_messages_hold_names() -> None:
    rule = Rule(name="r", condition="true", forbids=True, message="{key} of {app} in {environment}: {{no}}")
    assert _said(rule, **AGENT, after={}, environment="prod") == ["desk of shop in prod: {no}"]
    assert _said(Rule(name="r", condition="false"), **AGENT, after={}) == [
        "shop/agents/desk violates this rule"
    ]


def test_approval_lifts_only_what_wants_it() -> None:
    """A denial stays one, whatever is approved."""
    rules = [
        Rule(name=name, condition="false", severity=severity)
        for name, severity in (
            ("a", RuleSeverity.NEEDS_APPROVAL),
            ("b", RuleSeverity.NEEDS_APPROVAL),
            ("c", RuleSeverity.DENY),
        )
    ]
    found = approved(rule_verdicts(rules, [subject_of({**AGENT, "after": {}})]), ["a", "c"])
    assert [(item.rule, item.approved, item.is_open) for item in found] == [
        ("a", True, False),
        ("b", False, True),
        ("c", False, False),
    ]
    assert found[1].text == "policy `b`: shop/agents/desk violates this rule; approve it with --allow-policy b"


def test_switches_and_lists_are_there_and_nothing_else() -> None:
    """Also inside what is there; members of a oneof and what the server fills in stay absent."""
    found = with_defaults("agents", {"modelSettings": {"temperature": 1}, "llmAgent": {}, "tools": ["tools/a"]})
    assert found is not None
    assert found["modelSettings"] == {"temperature": 1}
    assert found["llmAgent"] == {}
    assert found["tools"] == ["tools/a"]
    assert found["transferRules"] == found["beforeModelCallbacks"] == []
    assert {"instruction", "displayName", "remoteDialogflowAgent"}.isdisjoint(found)
    assert with_defaults("guardrails", {"displayName": "x"}) == {"displayName": "x", "enabled": False}
    assert with_defaults("guardrails", None) is None
    assert with_defaults("nothing", {"a": 1}) == {"a": 1}


def test_a_model_that_nobody_set_is_not_an_empty_text() -> None:
    """A rule can say what absent means to it."""
    condition = 'after.?modelSettings.?model.orValue("a") in ["a", "b"]'
    assert not _breaks(condition, forbids=False, **AGENT, after={"modelSettings": {"temperature": 1}})
    assert not _breaks(condition, forbids=False, **AGENT, after={})
