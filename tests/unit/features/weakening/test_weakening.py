"""Weakened protection: the direction of each mark, and what counts beside fields."""

import itertools
from typing import Any

import pytest

from cesplan.domain.app_metadata.stamp import Stamp, stamp_texts
from cesplan.domain.change import Weakening
from cesplan.domain.naming import Naming
from cesplan.domain.plan import Reason
from cesplan.domain.resource_name import Place
from cesplan.features.weakening.codes import CODE_OF, UNPROTECTED, WEAKENING_CODES
from cesplan.features.weakening.weakening import weakened, with_weakening
from cesplan.model.kinds import KINDS, kind_of
from cesplan.model.marks import Guards, Protects
from cesplan.model.spec import message_names, message_spec
from tests.unit.render.builders import SECRET, change, create, delete, operation, plan, update

ON, OFF = True, False
LAXER = "BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH", "BLOCK_NONE", "OFF"
TURN = "EvaluationMetricsThresholds.GoldenEvaluationMetricsThresholds.TurnLevelMetricsThresholds"
EXPECTATION = "EvaluationMetricsThresholds.GoldenEvaluationMetricsThresholds.ExpectationLevelMetricsThresholds"
WIDGET = "ChannelProfile.WebWidgetConfig.SecuritySettings"
AUTH = {"bearerTokenConfig": {"token": "$context.variables.t"}}
FILTER = "Guardrail.ContentFilter"

FALLS: list[tuple[str, str, Any, Any]] = [
    ("Guardrail", "enabled", ON, OFF),
    ("Guardrail", "enabled", ON, None),
    (FILTER, "bannedContents", ["a", "b"], ["b"]),
    (FILTER, "bannedContentsInUserInput", ["a"], None),
    (FILTER, "bannedContentsInAgentResponse", ["a"], ["c"]),
    (FILTER, "sensitiveWordsExemptions", None, ["a"]),
    ("Guardrail.LlmPolicy", "policyScope", "USER_QUERY_AND_AGENT_RESPONSE", "USER_QUERY"),
    ("Guardrail.LlmPolicy", "policyScope", "USER_QUERY_AND_AGENT_RESPONSE", None),
    ("Guardrail.LlmPolicy", "policyScope", None, "AGENT_RESPONSE"),
    ("Guardrail.LlmPolicy", "failOpen", OFF, ON),
    ("Guardrail.LlmPolicy", "failOpen", None, ON),
    ("Guardrail.LlmPolicy", "allowShortUtterance", ON, OFF),
    ("Guardrail.LlmPromptSecurity", "failOpen", OFF, ON),
    *(("Guardrail.ModelSafety.SafetySetting", "threshold", *pair) for pair in itertools.pairwise(LAXER)),
    ("Guardrail.ModelSafety.SafetySetting", "threshold", "BLOCK_ONLY_HIGH", None),
    ("GuardrailSupervisor", "detectionMode", "BLOCKING", "NON_BLOCKING"),
    ("App", "guardrails", ["guardrails/a", "guardrails/b"], ["guardrails/b"]),
    ("Agent", "guardrails", ["guardrails/a"], []),
    ("VpcScSettings", "allowedOrigins", ["https://a"], ["https://a", "https://b"]),
    ("EndpointControlPolicy", "allowedOrigins", [], ["https://b"]),
    ("EndpointControlPolicy", "enforcementScope", "ALWAYS", "VPCSC_ONLY"),
    ("EndpointControlPolicy", "enforcementScope", "ALWAYS", None),
    (WIDGET, "enablePublicAccess", OFF, ON),
    (WIDGET, "enableOriginCheck", ON, OFF),
    (WIDGET, "allowedOrigins", ["https://a"], ["https://a", "https://b"]),
    (WIDGET, "allowedOrigins", ["https://a"], []),
    (WIDGET, "enableRecaptcha", ON, OFF),
    (TURN, "semanticSimilaritySuccessThreshold", 4, 3),
    (TURN, "semanticSimilaritySuccessThreshold", None, 2),
    (TURN, "semanticSimilaritySuccessThreshold", 4, None),
    (TURN, "overallToolInvocationCorrectnessThreshold", None, 0.9),
    (EXPECTATION, "toolInvocationParameterCorrectnessThreshold", 1, 0.5),
    ("EvaluationMetricsThresholds.ToolMatchingSettings", "extraToolCallBehavior", "FAIL", "ALLOW"),
    ("RedactionConfig", "enableRedaction", ON, OFF),
    ("RedactionConfig", "inspectTemplate", "projects/p/locations/us/inspectTemplates/t", None),
    ("RedactionConfig", "deidentifyTemplate", "projects/p/locations/us/deidentifyTemplates/t", None),
    ("LoggingSettings", "requiredRecordingConsent", ON, OFF),
    ("OpenApiTool", "apiAuthentication", AUTH, None),
    ("OpenApiToolset", "apiAuthentication", AUTH, None),
    ("McpTool", "apiAuthentication", AUTH, None),
    ("McpToolset", "apiAuthentication", AUTH, None),
    ("RemoteAgentTool", "apiAuthentication", AUTH, None),
    ("ConnectorTool", "authConfig", {"oauth2AuthCodeConfig": {"oauthToken": "x"}}, None),
    ("ConnectorToolset", "authConfig", {"oauth2AuthCodeConfig": {"oauthToken": "x"}}, None),
]
STAYS: list[tuple[str, str, Any, Any]] = [
    (WIDGET, "allowedOrigins", [], ["https://a"]),
    ("Guardrail", "enabled", None, OFF),
    ("Guardrail.LlmPolicy", "policyScope", None, "USER_QUERY"),
    (TURN, "semanticSimilaritySuccessThreshold", None, 3),
    ("OpenApiTool", "apiAuthentication", {}, None),
]


def _weakens(message: str, name: str, before: Any, after: Any) -> list[Weakening]:
    sides = ({} if value is None else {name: value} for value in (before, after))
    return [*weakened(message_spec(message), *sides)]


@pytest.mark.parametrize(("message", "name", "before", "after"), FALLS)
def test_each_mark_falls_in_one_direction(message: str, name: str, before: Any, after: Any) -> None:
    """One way it is reported under the code of what it guards; the other way it is not."""
    mark = message_spec(message).fields[name].mark(Protects)
    assert mark is not None
    assert [(item.code, item.path) for item in _weakens(message, name, before, after)] == [
        (CODE_OF[mark.what], name)
    ]
    if after != ["c"]:
        assert _weakens(message, name, after, before) == []


@pytest.mark.parametrize(("message", "name", "before", "after"), STAYS)
def test_what_means_the_same_or_protects_more_is_not_reported(
    message: str, name: str, before: Any, after: Any
) -> None:
    assert _weakens(message, name, before, after) == []


def test_every_mark_has_its_direction_tested() -> None:
    """A mark without a case above might point in the wrong direction."""
    marked = {
        (name, field.name)
        for name in message_names()
        for field in message_spec(name).fields.values()
        if field.mark(Protects)
    }
    assert marked == {(message, name) for message, name, _, _ in FALLS}


def test_every_order_holds_values_of_its_enum() -> None:
    for name in message_names():
        for field in message_spec(name).fields.values():
            if (mark := field.mark(Protects)) and field.enum:
                assert {*mark.order, *filter(None, [mark.absent])} <= set(field.enum)
                assert set(field.enum) - set(mark.order) == {field.unspecified}


def test_places_inside_keyed_lists_are_named_by_their_key() -> None:
    """A category that loses its threshold, and one that goes, weaken the guardrail."""
    low = {"category": "HARM_CATEGORY_TOXIC", "threshold": "BLOCK_LOW_AND_ABOVE"}
    gone = {"category": "HARM_CATEGORY_PROFANITY", "threshold": "BLOCK_ONLY_HIGH"}
    sides = (
        {"modelSafety": {"safetySettings": [low, gone]}},
        {"modelSafety": {"safetySettings": [{**low, "threshold": "OFF"}]}},
    )
    assert [item.text for item in weakened(kind_of("guardrails").spec, *sides)] == [
        "modelSafety.safetySettings[category=HARM_CATEGORY_TOXIC].threshold: BLOCK_LOW_AND_ABOVE → OFF",
        "modelSafety.safetySettings[category=HARM_CATEGORY_PROFANITY].threshold: BLOCK_ONLY_HIGH → not set",
    ]


def test_a_turn_put_in_front_moves_thresholds_and_lowers_none() -> None:
    """Turns have no key: the plan's own alignment says which one is which."""
    strict = {"steps": [{"userInput": {"text": "Refund"}}], **_bar(4)}
    hello = {"steps": [{"userInput": {"text": "Hello"}}]}
    before, moved, lower = ({"golden": {"turns": turns}} for turns in ([strict], [hello, strict], [_bar(1)]))
    assert [*weakened(kind_of("evaluations").spec, before, moved)] == []
    path = "golden.turns[0].turnLevelMetricsThresholdsOverride.semanticSimilaritySuccessThreshold"
    found = weakened(kind_of("evaluations").spec, before, lower)
    assert [(item.path, item.text) for item in found] == [(path, f"{path}: 4 → 1")]


def _bar(score: int) -> dict[str, Any]:
    return {"turnLevelMetricsThresholdsOverride": {"semanticSimilaritySuccessThreshold": score}}


def test_a_tool_of_another_type_does_not_lose_its_authentication() -> None:
    """What authenticated is gone with it; a filter that a guardrail loses is reported."""
    before = {"openApiTool": {"apiAuthentication": AUTH}}
    assert [*weakened(kind_of("tools").spec, before, {"pythonFunction": {"name": "f"}})] == []
    lost = weakened(kind_of("guardrails").spec, {"contentFilter": {"bannedContents": ["x"]}}, {})
    assert [item.text for item in lost] == ["contentFilter.bannedContents: removes x"]


def test_a_deleted_guardrail_counts_and_a_created_one_does_not() -> None:
    made = with_weakening(
        plan(delete("shop/guardrails/pii"), delete("shop/tools/x"), create("shop/guardrails/b"))
    )
    assert [[item.text for item in found.weakens] for found in made.operations] == [
        ["the guardrail is deleted"],
        [],
        [],
    ]
    assert [name for name, kind in KINDS.items() if kind.protects] == ["guardrails"]


def test_a_secret_is_not_quoted() -> None:
    found = update(
        "shop/guardrails/pii",
        change("contentFilter.bannedContents", [SECRET], None),
        before={"contentFilter": {"bannedContents": [SECRET]}},
        after={},
    )
    (item,) = with_weakening(plan(found)).operations[0].weakens
    assert SECRET.text not in item.text
    assert item.text.startswith("contentFilter.bannedContents: removes ")


def test_every_code_has_a_page() -> None:
    assert {*CODE_OF.values(), UNPROTECTED} == set(WEAKENING_CODES)
    assert set(CODE_OF) == set(Guards)
    assert all(code.page for code in WEAKENING_CODES.values())


def test_protection_that_the_stamp_no_longer_holds_counts() -> None:
    """Only the stamp changes; the resource goes by its key where the plan knows it."""
    naming = Naming(
        place=Place(project="p", location="us"), app_id="shop", keys={("deployments", "d-1"): "web"}
    )
    old, new = (
        {
            "metadata": stamp_texts(
                Stamp(digest="sha256:" + "0" * 64, app=naming.app_name, protected=frozenset(held))
            )
        }
        for held in (("deployments/d-1", "tools/t"), ("tools/t",))
    )
    stamp = operation("shop", "update", Reason.STAMP, before=old, after=new)
    made = with_weakening(plan(stamp, namings={"shop": naming}))
    assert [(item.code, item.text) for item in made.operations[0].weakens] == [
        ("WEA007", "deployments/web: $protect is removed")
    ]
