"""Verdicts in a plan: where they stand in reports, what they leave alone, and how much they read."""

from dataclasses import replace

import pytest

from cesplan.domain.plan import Plan
from cesplan.domain.text.typed_diff import Meaning
from cesplan.features.typed_diffs import verdicts
from cesplan.features.typed_diffs.verdicts import verdict, with_typed_diffs
from cesplan.features.weakening.weakening import with_weakening
from cesplan.render.machine.digests import plan_digest
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.services.markdown import plan_markdown
from cesplan.render.text.layout import View
from cesplan.render.text.plan import plan_text
from tests.unit.render.builders import CODE, LIVE_TOKEN, NEW_CODE, TOKEN, change, delete, plan, update

API = """openapi: 3.0.3
paths:
  /orders:
    get:
      operationId: listOrders
      responses: {200: {description: ok}}
"""
MADE = plan(
    update(
        "shop/tools/lookup",
        change("pythonFunction.pythonCode", CODE, CODE.replace("# one", "# an"), language="python"),
    ),
    update(
        "shop/toolsets/crm",
        change("openApiToolset.openApiSchema", API, API.replace("listOrders", "orders"), language="yaml"),
    ),
    update(
        "shop/guardrails/pii",
        change("enabled", True, False),
        before={"enabled": True},
        after={"enabled": False},
    ),
    delete("shop/guardrails/old"),
)


def _judged(made: Plan = MADE) -> Plan:
    return with_weakening(with_typed_diffs(made))


@pytest.mark.parametrize("full", [False, True])
def test_the_verdict_stands_in_the_heading_of_the_field(full: bool) -> None:
    """Also with all lines; a breaking change is told below it with its code."""
    text = plan_text(_judged(), View(width=110, full=full))
    assert "comments and formatting only" in text
    assert "1 breaking change" in text
    assert '! GET /orders: operationId "listOrders" → "orders" (OAS003)' in text


def test_what_weakens_protection_is_first_in_text_and_markdown() -> None:
    text, comment = plan_text(_judged(), View(width=110)), plan_markdown(_judged())
    assert text.split("\n")[:4] == [
        "Weakens protection:",
        "  ! shop/guardrails/pii  enabled: true → false (WEA001)",
        "  ! shop/guardrails/old  the guardrail is deleted (WEA001)",
        "",
    ]
    assert comment.index("Weakens protection") < comment.index("shop/tools/lookup")
    assert comment.index("guardrails/pii</code>") < comment.index("tools/lookup</code>")


def test_json_has_both_and_no_digest_covers_them() -> None:
    """A reviewed plan stays valid when a later version words a verdict in another way."""
    lookup, crm, pii, _ = PlanReport.of(_judged()).document()["resource_changes"]
    assert lookup["field_changes"][0]["typed_diff"] == {
        "verdict": "comments and formatting only",
        "meaning": "same",
        "breaking": False,
        "details": (),
    }
    assert crm["field_changes"][0]["typed_diff"]["details"][0]["code"] == "OAS003"
    assert pii["weakens"] == ({"code": "WEA001", "path": "enabled", "text": "enabled: true → false"},)
    assert "weakens" not in lookup
    assert plan_digest(_judged()) == plan_digest(MADE)
    assert _judged() == MADE


def test_markdown_has_the_verdict_before_the_lines() -> None:
    comment = plan_markdown(_judged())
    assert "`pythonFunction.pythonCode`: comments and formatting only\n" in comment
    assert "  - ⚠️ GET /orders: operationId" in comment


def test_hostile_names_break_out_of_nothing() -> None:
    """Names come from texts of strangers: no mark-up in a comment, no control characters at a terminal."""
    after = API.replace("listOrders", '"@all [x](https://evil.example)\\e[31m <img src=x>"')
    made = _judged(
        plan(update("shop/toolsets/crm", change("openApiToolset.openApiSchema", API, after, language="yaml")))
    )
    assert "\x1b" not in plan_text(made) + plan_markdown(made)
    verdicts_only = plan_markdown(made).partition("```diff")[0]
    assert "<img" not in verdicts_only
    assert "](https" not in verdicts_only


def test_what_reports_hide_gets_no_verdict() -> None:
    """A header that live has in clear must not be quoted by what compares it."""
    header = change("mcpToolset.customHeaders", f'{{"a": "{TOKEN}"}}', f'{{"a": "{LIVE_TOKEN}"}}')
    made = _judged(plan(update("shop/toolsets/crm", header)))
    assert made.operations[0].changes[0].typed is None


def test_short_texts_and_creations_get_no_verdict() -> None:
    """Both values stand on the line already."""
    made = _judged(
        plan(update("shop/agents/a", change("instruction", "Be kind.", "Be brief.", language="markdown")))
    )
    assert made.operations[0].changes[0].typed is None


def test_the_work_of_a_plan_is_bounded_by_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never by a clock: equal plans have equal verdicts."""
    monkeypatch.setattr(verdicts, "MOST_CHARACTERS", len(CODE + NEW_CODE) + 10)
    code = change("pythonFunction.pythonCode", CODE, NEW_CODE, language="python")
    made = with_typed_diffs(plan(update("shop/tools/a", code), update("shop/tools/b", replace(code))))
    first, second = (item.changes[0].typed for item in made.operations)
    assert first is not None
    assert second is not None
    assert (first.verdict, second.meaning) == ("lookup changed", Meaning.UNREAD)
    assert second.verdict == "compared as text (the plan holds too many long texts)"


@pytest.mark.parametrize("language", ["python", "yaml", "markdown"])
def test_texts_that_are_too_long_are_compared_as_text(language: str) -> None:
    found = verdict(language, "a\n" * 600_000, "b\n" * 600_000)
    assert found is not None
    assert found.meaning is Meaning.UNREAD
