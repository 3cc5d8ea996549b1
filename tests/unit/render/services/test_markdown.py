"""Plans and outcomes as comments on a pull request."""

import re
from dataclasses import replace

import pytest

from cesplan.domain.address import parse_address
from cesplan.domain.change import EditKind, LiveEdit, Origin
from cesplan.domain.diagnostic import Diagnostic, Severity, SourcePlace
from cesplan.domain.errors import Conflict, InvalidConfiguration, Refused
from cesplan.domain.features.policy import RuleSeverity, RuleVerdict
from cesplan.domain.outcome import Applied, Failed, Skipped
from cesplan.domain.plan import Plan
from cesplan.render.services.markdown import LIMIT, plan_markdown
from cesplan.render.services.markdown_outcomes import diagnostics_markdown, error_markdown, outcomes_markdown
from tests.unit.render.builders import (
    FRONT_DESK,
    INSTRUCTION,
    LIVE_EDITS,
    LIVE_TOKEN,
    MIXED,
    NEW_INSTRUCTION,
    TOKEN,
    change,
    create,
    delete,
    plan,
    update,
)
from tests.unit.render.golden import assert_golden


def _lines(text: str, pattern: str) -> list[int]:
    return [number for number, row in enumerate(text.split("\n")) if re.search(pattern, row)]


def _big(each: int = 1) -> Plan:
    """400 resources: first what is harmless, at the end what is not."""
    long = INSTRUCTION * each
    agents = [
        update(
            f"shop/agents/a-{number:03}",
            change("instruction", long, long.replace("refund", f"voucher {number}"), language="markdown"),
        )
        for number in range(300)
    ]
    tools = [
        create(f"shop/tools/t-{number:03}", file=f"apps/shop/tools/t-{number:03}.yaml") for number in range(70)
    ]
    rails = [update(f"shop/guardrails/g-{number:02}", change("enabled", True, None)) for number in range(20)]
    deletes = [delete(f"shop/examples/e-{number}") for number in range(10)]
    verdict = RuleVerdict(
        rule="guardrails-stay-on",
        severity=RuleSeverity.NEEDS_APPROVAL,
        address=parse_address("shop/guardrails/g-07"),
        message="shop/guardrails/g-07 would be off",
    )
    return plan(
        *agents, *tools, *rails, *deletes, refusals=("10 of 12 examples would be deleted",), verdicts=(verdict,)
    )


def test_a_plan_is_a_comment() -> None:
    """Mark, sums, refusals, and each resource folded away with its differences."""
    assert_golden("plan-mixed.md", plan_markdown(MIXED))


def test_400_resources_fit_and_what_matters_comes_first() -> None:
    """Refusals, then what the policy speaks of, deletes, guardrails; nothing is left out without a word."""
    text = plan_markdown(_big(each=20))
    assert len(text) <= LIMIT
    assert text.startswith("<!-- cesplan:plan:prod -->\n")
    refusal = _lines(text, "10 of 12 examples would be deleted")[0]
    verdict = _lines(text, "<code>shop/guardrails/g-07</code>")[0]
    deletes = _lines(text, "delete <code>shop/examples/")
    rails = _lines(text, "update <code>shop/guardrails/(?!g-07)")
    agents = _lines(text, "update <code>shop/agents/")
    assert (len(deletes), len(rails), len(agents)) == (10, 19, 300)
    assert refusal < verdict < min(deletes) < max(deletes) < min(rails) < max(rails) < min(agents)
    assert "--allow-policy guardrails-stay-on" in text
    assert "**70 to create**, **320 to update**, **10 to delete**" in text
    assert "20 changes to guardrails" in text


def test_room_that_is_left_shows_the_first_resources_whole() -> None:
    """One line a resource takes half the room; the other half goes to those that matter."""
    text = plan_markdown(_big(each=20))
    assert "\n<code>-</code> delete <code>shop/examples/e-0</code>: not in the tree ⚠️\n\n- used by" in text
    assert "\n<details><summary><code>~</code> update <code>shop/agents/a-000</code>" in text
    assert "\n- <code>~</code> update <code>shop/agents/a-299</code>" in text
    assert len(text) > LIMIT * 0.9


@pytest.mark.parametrize(
    ("limit", "resources"), [(LIMIT, 400), (20_000, 195), (6_000, 15), (1_500, 0), (400, 0), (120, 0)]
)
def test_no_limit_is_ever_passed(limit: int, resources: int) -> None:
    """Down to a few words, which still say that there is more."""
    text = plan_markdown(_big(), limit=limit)
    assert len(text) <= limit
    assert text.startswith("<!-- cesplan:plan:prod -->")
    new = sum(map(int, re.findall("create ([0-9]+) tools", text)))
    assert len(_lines(text, "<code>[~-]</code>")) + new >= resources
    assert resources == 400 or re.search("more", text)


def test_unchanged_parts_are_folded_before_resources_are() -> None:
    """What did not change around a change goes first."""
    whole = plan_markdown(plan(FRONT_DESK))
    folded = plan_markdown(plan(FRONT_DESK), limit=len(whole) - 1)
    assert "Ask for the order number." in whole
    assert "Ask for the order number." not in folded
    assert "more than three days late" in folded


def test_no_secret_and_no_markup_of_others_gets_through() -> None:
    """Secrets are names; a text cannot end its fence, open a tag or call someone."""
    nasty = update(
        "shop/agents/x",
        change("instruction", "a\nb", "a\n```\n</details><!-- @maintainers\nb", language="markdown"),
        change("displayName", "x", "`y` <b>"),
    )
    text = plan_markdown(plan(*MIXED.operations, nasty, notices=("ask @alice <b>",)))
    assert TOKEN not in text
    assert LIVE_TOKEN not in text
    assert "````diff" in text
    assert '``` "`y` <b>" ```' in text or '`` "`y` <b>" ``' in text
    assert "@alice" not in text
    assert "&lt;b&gt;" in text


def test_nothing_to_do_is_short() -> None:
    assert plan_markdown(plan(unchanged=3)) == (
        "<!-- cesplan:plan:prod -->\n### cesplan plan · prod · acme-prod/us\n\n"
        "**No changes.** 3 resources compared.\n\n"
    )


def test_an_apply_tells_what_failed_first() -> None:
    """In place of the plan's order."""
    one, two, three = update("shop/agents/a"), update("shop/agents/b"), delete("shop/tools/c")
    outcomes = [
        Applied(operation=three, seconds=0.2),
        Skipped(operation=two, because="shop/agents/a"),
        Failed(operation=one, error=Conflict(summary="It changed.", detail="Make a new plan.")),
    ]
    text = outcomes_markdown(plan(one, two, three), outcomes, exit_code=3)
    assert text == (
        "<!-- cesplan:apply:prod -->\n### cesplan apply · prod\n\n"
        "**1 deleted, 1 failed, 1 skipped.** Exit code 3.\n\n"
        "- `shop/agents/a`: **failed**: It changed.\n  ```text\n  Make a new plan.\n  ```\n"
        "- `shop/agents/b`: skipped, after shop/agents/a\n"
        "- `shop/tools/c`: deleted, 0.2 s\n"
    )


def _findings(number: int) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            code="CES012",
            severity=Severity.ERROR if at % 2 else Severity.WARNING,
            summary=f"unknown field `f{at}`",
            place=SourcePlace(file="apps/shop/app.yaml", line=at + 1),
            detail="Nobody knows it. " * 20,
        )
        for at in range(number)
    )


def test_a_validation_has_errors_first_and_fits() -> None:
    text = diagnostics_markdown(_findings(500), 31)
    assert len(text) <= LIMIT
    assert text.startswith("<!-- cesplan:validate:default -->")
    assert "**250 errors, 250 warnings** in 31 files." in text
    assert max(_lines(text, r"\*\*error\*\*")) < min(_lines(text, r"\*\*warning\*\*"))


def test_an_error_takes_the_place_of_the_last_comment() -> None:
    """The same mark, so that nobody goes on reading a plan that is no longer true."""
    refused = error_markdown("plan", Refused(reasons=("no",)), exit_code=5, environment="prod")
    assert refused.startswith("<!-- cesplan:plan:prod -->")
    assert "⛔ no" in refused
    invalid = error_markdown("plan", InvalidConfiguration(diagnostics=_findings(2)), exit_code=7)
    assert "unknown field `f1`" in invalid
    assert "f0" not in invalid


def test_the_text_is_the_same_every_time() -> None:
    assert plan_markdown(_big()) == plan_markdown(_big())
    assert NEW_INSTRUCTION.split("\n")[4][2:] in plan_markdown(MIXED)


def test_reverts_of_live_edits_stand_above_ordinary_changes_with_author_and_time() -> None:
    text = plan_markdown(LIVE_EDITS)
    sums = "⚠️ **Reverts 1 live edit and deletes 1 resource created live.**"
    assert sums in text.split("\n")[3]
    order = re.findall("(?m)^(?:<details><summary>)?<code>[+~-]</code> [a-z]+ <code>(.*?)</code>", text)
    assert order == [
        "shop/agents/try-out",
        "shop/examples/old",
        "shop/agents/front-desk",
        "shop/guardrails/words",
        "shop/tools/faq",
    ]
    assert "— deletes what was created live by eve@\u2060acme.example, 2026-11-20 18:03 UTC\n" in text
    assert '- `description`: `"By hand"` → `"By the tree"`\n' in text
    assert "  - ⚠️ live edit by bob@\u2060acme.example, 2026-11-20 17:40 UTC; the tree changed it too\n" in text


def test_the_name_of_an_editor_cannot_act_in_a_comment() -> None:
    edit = LiveEdit(kind=EditKind.UPDATED, author="</summary>\n\n# @everyone ![x](//evil) \x1b[2J", time="soon")
    item = update("shop/agents/a", change("description", "x", "y", origin=Origin.LIVE, edit=edit))
    text = plan_markdown(plan(replace(item, origin=Origin.LIVE, reverts=True, edit=edit)))
    assert not [sign for sign in ("@everyone", "](", "\x1b") if sign in text]
    assert text.count("</summary>") == 1
    assert not [row for row in text.split("\n") if row.startswith("# ")]


def test_an_edit_that_the_log_does_not_tell_of_is_unattributed() -> None:
    edit = LiveEdit(kind=EditKind.UPDATED)
    item = update("shop/agents/a", change("description", "x", "y", origin=Origin.LIVE, edit=edit))
    text = plan_markdown(plan(replace(item, origin=Origin.LIVE, reverts=True, edit=edit)))
    assert "- ⚠️ Reverts a live edit (unattributed)\n" in text
    assert "  - ⚠️ live edit (unattributed)\n" in text
