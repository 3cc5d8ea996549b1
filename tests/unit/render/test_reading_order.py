"""What can hurt is read first, then what changes, then what is new, by kind."""

from dataclasses import replace

from cesplan.domain.change import Origin, Weakening
from cesplan.domain.field_path import FieldPath
from cesplan.domain.plan import Action, Operation
from cesplan.render.field_redactor import redactor_of
from cesplan.render.places import element_name
from cesplan.render.reading_order import NewOfKind, grouped, in_reading_order
from cesplan.render.services.markdown import plan_markdown
from cesplan.render.text.layout import View
from cesplan.render.text.plan import plan_text
from tests.unit.render.builders import change, create, delete, plan, update

TOOLS = [create(f"shop/tools/{name}") for name in ("d", "b", "a", "c")]
WEAK = (Weakening(code="WEA001", path="enabled", text="enabled: true → false"),)
OPERATIONS = [
    *TOOLS,
    update("shop/agents/plain", change("description", "x", "y")),
    create("shop/versions/v2"),
    update("shop/deployments/web", change("appVersion", "versions/v1", "versions/v2")),
    replace(update("shop/agents/weak", change("enabled", True, None)), weakens=WEAK),
    replace(update("shop/agents/edited", change("x", 1, 2)), reverts=True, origin=Origin.LIVE),
    delete("shop/tools/gone"),
    replace(delete("shop/tools/theirs"), reverts=True, origin=Origin.LIVE),
    update("shop/guardrails/rail", change("description", "x", "y")),
    create("shop/agents/new"),
]
ORDER = [
    "tools/theirs", "tools/gone", "agents/edited", "agents/weak", "deployments/web", "guardrails/rail",
    "agents/plain", "tools/d", "tools/b", "tools/a", "tools/c", "agents/new", "versions/v2",
]  # fmt: skip


def names(operations: list[Operation]) -> list[str]:
    return [item.address.within_app for item in operations]


def test_what_can_hurt_comes_first_and_what_is_new_last() -> None:
    assert names(in_reading_order(OPERATIONS)) == ORDER


def test_several_new_resources_of_a_kind_are_read_together_by_name() -> None:
    """Three stand by themselves; so does one that has something to say."""
    (group,) = [item for item in grouped(OPERATIONS) if isinstance(item, NewOfKind)]
    assert [item.address.key for item in group.operations] == ["a", "b", "c", "d"]
    assert not any(isinstance(item, NewOfKind) for item in grouped(TOOLS[:3]))
    noted = [replace(TOOLS[0], notes=("mind this",)), *TOOLS[1:]]
    assert not any(isinstance(item, NewOfKind) for item in grouped(noted))


def test_nothing_is_lost_by_grouping() -> None:
    found = grouped(OPERATIONS)
    flat = [one for item in found for one in (item.operations if isinstance(item, NewOfKind) else [item])]
    assert {item.address for item in flat} == {item.address for item in OPERATIONS}
    assert len(flat) == len(OPERATIONS)


def test_text_and_comment_have_the_same_order() -> None:
    made = plan(*OPERATIONS)
    for text, words in (
        (plan_text(made), "  + 4 tools   a, b, c, d\n"),
        (plan_markdown(made), "create 4 tools"),
    ):
        places = [text.rindex(name) for name in ORDER[:7]]
        assert places == sorted(places)
        assert max(places) < text.index(words)


def test_the_whole_view_shows_every_new_resource_by_itself() -> None:
    text = plan_text(plan(*OPERATIONS), View(full=True))
    assert all(f"  + tools/{name}" in text for name in "abcd")


def test_a_delete_shows_what_it_loses_and_by_which_name() -> None:
    """The first lines; with --full all of them."""
    body = {"displayName": "Rate us", "description": "Stars", "instruction": "\n".join(map(str, range(20)))}
    gone = replace(delete("shop/agents/0a1b"), before=body, display_name="Rate us")
    text = plan_text(plan(gone), View(width=80))
    assert '  - agents/0a1b               not in the tree   "Rate us"\n        - description: Stars\n' in text
    assert "          … 17 more lines (--full shows them)\n" in text
    assert "-description: Stars\n" in plan_markdown(plan(gone))
    assert "- it begins:" in plan_markdown(plan(gone))


def test_what_is_short_is_open_in_a_comment_and_what_is_long_is_folded() -> None:
    short = update("shop/agents/a", change("description", "x", "y"))
    long = update("shop/agents/b", change("instruction", "a\nb\nc", "a\nB\nc", language="markdown"))
    text = plan_markdown(plan(short, long))
    assert "\n<code>~</code> update <code>shop/agents/a</code>: 1 field\n\n- `description`: `x` → `y`\n" in text
    assert "<details><summary><code>~</code> update <code>shop/agents/b</code>: 1 field</summary>" in text


def test_a_callback_goes_by_what_it_says_that_it_does() -> None:
    """By its description, else by the docstring of its code; what cannot be read has no name."""

    def named(callback: dict[str, str]) -> str:
        changed = replace(
            change("beforeToolCallbacks", "a", "b"), path=FieldPath.parse("beforeToolCallbacks[0]")
        )
        operation = replace(update("shop/agents/desk", changed), after={"beforeToolCallbacks": [callback]})
        return element_name(changed.path, operation, redactor_of(operation))

    code = 'import re\n\ndef before_tool_callback(tool, input):\n    """Check the number.\n\n    More."""\n'
    assert named({"pythonCode": code}) == "Check the number."
    assert named({"pythonCode": code, "description": "Orders\nand more"}) == "Orders"
    for unreadable in ("def f(:", "x = 1", "def f(): pass", "\0", "(" * 5_000):
        assert named({"pythonCode": unreadable}) == ""


def test_a_transfer_rule_goes_by_the_agent_that_it_is_about() -> None:
    """Not by its number alone, in text and in the comment."""
    rules = [{"childAgent": "agents/x"}, {"childAgent": "agents/billing", "direction": "CHILD_TO_PARENT"}]
    path = FieldPath.parse("transferRules[1].deterministicTransfer.expressionCondition.expression")
    changed = replace(change("transferRules", "a", "b"), path=path)
    operation = replace(update("shop/agents/desk", changed), after={"transferRules": rules})
    assert element_name(changed.path, operation, redactor_of(operation)) == "billing, child to parent"
    assert ".expression (billing, child to parent)" in plan_text(plan(operation))
    assert "`transferRules[1].deterministicTransfer.expressionCondition.expression` (billing," in plan_markdown(
        plan(operation)
    )
    assert element_name(FieldPath.parse("transferRules[7].x"), operation, redactor_of(operation)) == ""


def test_what_goes_is_shown_before_what_comes() -> None:
    moved = change("tools", ["tools/a", "tools/b"], ["tools/b", "tools/c"], is_set=True)
    made = plan(update("shop/agents/desk", moved))
    assert plan_text(made).index("- a\n") < plan_text(made).index("+ c\n")
    assert "− `tools/a`, + `tools/c`" in plan_markdown(made)


def test_a_new_deployment_says_what_it_serves() -> None:
    made = replace(create("shop/deployments/web"), after={"appVersion": "versions/v2"})
    assert "new, appVersion v2" in plan_text(plan(made))
    assert made.action is Action.CREATE
