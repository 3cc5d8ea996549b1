"""Comments of list elements: they go where the element goes that they are about."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.config.editing.trees import Change, edit

HEAD = "displayName: Desk\n"
FOUR = [f"agents/{name}" for name in ("helper", "front-desk", "a", "b")]


def rule(agent: str, expression: str = "x") -> dict[str, Any]:
    return {
        "childAgent": f"agents/{agent}",
        "direction": "PARENT_TO_CHILD",
        "deterministicTransfer": {"expressionCondition": {"expression": expression}},
    }


def written(agent: str, expression: str = "x", *, comment: str = "", behind: str = "") -> str:
    above = "".join(f"  # {line}\n" for line in comment.split("\n")) if comment else ""
    return (
        f"{above}  - childAgent: {agent}{f'   # {behind}' if behind else ''}\n    direction: PARENT_TO_CHILD\n"
        f"    deterministicTransfer: {{expressionCondition: {{expression: {expression}}}}}\n"
    )


def new_rule(agent: str, expression: str = "x") -> str:
    return (
        f"  - childAgent: {agent}\n    direction: PARENT_TO_CHILD\n    deterministicTransfer:\n"
        f"      expressionCondition:\n        expression: {expression}\n"
    )


def rules(*found: dict[str, Any]) -> Change:
    return lambda body: body.update(transferRules=[*found])


TWO = "transferRules:\n" + written("helper", comment="Refunds go\nto the helper.", behind="Ann's") + written(
    "front-desk", comment="All else."
)  # fmt: skip
BEFORE = rule("helper"), rule("front-desk")

CASES = {
    "an element before the first": (
        rules(rule("front-desk", "new"), *BEFORE),
        "transferRules:\n" + new_rule("front-desk", "new") + TWO.removeprefix("transferRules:\n"),
    ),
    "an element between two": (
        rules(BEFORE[0], rule("front-desk", "new"), BEFORE[1]),
        TWO.replace("  # All else.", new_rule("front-desk", "new") + "  # All else."),
    ),
    "an element that goes": (rules(BEFORE[1]), TWO[:15] + TWO[TWO.index("  # All else.") :]),
    "the last element goes": (rules(BEFORE[0]), TWO[: TWO.index("  # All else.")]),
    "two that change places": (
        rules(*reversed(BEFORE)),
        "transferRules:\n" + TWO[TWO.index("  # All else.") :] + TWO[15 : TWO.index("  # All else.")],
    ),
    "two that change places, and one of them changes": (
        rules(BEFORE[1], rule("helper", "x1")),
        "transferRules:\n"
        + TWO[TWO.index("  # All else.") :]
        + TWO[15 : TWO.index("  # All else.")].replace("expression: x", "expression: x1"),
    ),
    "one goes, and another comes in its place": (
        rules(rule("front-desk", "new"), BEFORE[1]),
        "transferRules:\n" + new_rule("front-desk", "new") + TWO[TWO.index("  # All else.") :],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_comments_of_a_rule_stay_with_the_rule(case: str, tmp_path: Path) -> None:
    change, after = CASES[case]
    found = edit(tmp_path, HEAD + TWO, change)
    assert (found.text, found.refused) == (HEAD + after, {})


def test_a_comment_about_the_whole_list_stays_at_its_top(tmp_path: Path) -> None:
    """It is kept apart by an empty line, is on the line of the key, or is less indented than the elements."""
    head = "guardrails:   # in this order\n# Ask Ann.\n  # Cards first.\n\n"
    found = edit(
        tmp_path,
        HEAD + head + "  # never drop it\n  - a-first\n  - b-second\n",
        lambda body: body.update(guardrails=["guardrails/b-second"]),
    )
    assert found.text == HEAD + head + "  - b-second\n"


def test_a_comment_inside_an_element_is_part_of_it(tmp_path: Path) -> None:
    text = (
        "transferRules:\n  - childAgent: helper\n    # inside\n    direction: PARENT_TO_CHILD\n"
        "    deterministicTransfer: {expressionCondition: {expression: x}}\n    # at its end\n"
    )
    found = edit(tmp_path, HEAD + text + written("front-desk"), rules(*reversed(BEFORE)))
    assert found.text == HEAD + "transferRules:\n" + written("front-desk") + text.removeprefix(
        "transferRules:\n"
    )


def test_a_text_in_a_file_of_its_own_goes_along_and_is_edited_there(tmp_path: Path) -> None:
    """A callback that moved and changed keeps its file."""
    code = "def before_agent_callback(callback_context):\n    return None  # {}\n"
    agents = "apps/shop-desk/agents"
    text = "beforeAgentCallbacks:\n" + "".join(
        f"  # The {name} one.\n  - pythonCode: {{$file: {name}.py}}\n" for name in ("first", "second")
    )
    files = {f"{agents}/{name}.py": code.format(name) for name in ("first", "second")}

    def change(body: dict[str, Any]) -> None:
        one, two = body["beforeAgentCallbacks"]
        body["beforeAgentCallbacks"] = [two, {"pythonCode": one["pythonCode"] + "\n    # more"}]

    found = edit(tmp_path, HEAD + text, change, files)
    assert found.text == HEAD + (
        "beforeAgentCallbacks:\n  # The second one.\n  - pythonCode: {$file: second.py}\n"
        "  # The first one.\n  - pythonCode: {$file: first.py}\n"
    )
    assert found.others == {f"{agents}/first.py": code.format("first") + "    # more\n"}


def test_an_anchor_is_not_moved_behind_its_alias(tmp_path: Path) -> None:
    text = (
        "transferRules:\n  # one\n  - childAgent: helper\n    direction: PARENT_TO_CHILD\n"
        "    deterministicTransfer: &when {expressionCondition: {expression: x}}\n"
        "  # two\n  - {childAgent: front-desk, direction: PARENT_TO_CHILD, deterministicTransfer: *when}\n"
    )
    found = edit(tmp_path, HEAD + text, rules(*reversed(BEFORE)))
    assert found.refused == {}
    assert found.text != HEAD + text


def test_windows_line_ends_and_a_missing_last_one_survive_a_move(tmp_path: Path) -> None:
    text = "displayName: D\r\nguardrails:\r\n# one\r\n- a-first\r\n# two\r\n- b-second"
    found = edit(
        tmp_path, text, lambda body: body.update(guardrails=["guardrails/b-second", "guardrails/a-first"])
    )
    assert found.text.split("\r\n")[:6] == [
        "displayName: D",
        "guardrails:",
        "# two",
        "- b-second",
        "# one",
        "- a-first",
    ]
    assert "\n" not in found.text.replace("\r\n", "")


NAMES = [f"rule-{number}" for number in range(7)]
AGENTS = {f"apps/shop-desk/agents/{name}.yaml": f"displayName: {name}\n" for name in NAMES}


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_every_comment_stays_with_its_element_however_the_list_changes(
    tmp_path: Path, data: st.DataObject
) -> None:
    """
    Random lists with comments, of which elements are taken out, put in, moved and changed.

    What a reader sees is compared: each element of the new file, with the comments above, behind and inside it.
    """
    some = st.sets(st.sampled_from(NAMES))
    old = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True))
    above, behind, inside, gaps, changed = (data.draw(some) for _ in range(5))
    new = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=7, unique=True))
    text = "transferRules:\n" + "".join(
        ("\n" if name in gaps else "")
        + written(
            name,
            f"is_{name[-1]}",
            comment=f"above {name}" if name in above else "",
            behind=f"behind {name}" if name in behind else "",
        ).replace("    direction", f"    # inside {name}\n    direction" if name in inside else "    direction")
        for name in old
    )
    wanted = [rule(name, f"is_{name[-1]}{' && z' if name in changed else ''}") for name in new]
    found = edit(tmp_path, HEAD + text, rules(*wanted), AGENTS)
    assert found.refused == {}
    seen = re.findall(
        r"((?:^ *#.*\n)?)^  - childAgent: (\S+)(.*)\n((?:    # inside.*\n)?)    direction", found.text, re.M
    )
    known = set(old)
    assert [(name, *(part.strip(" #\n") for part in (one, two, three))) for one, name, two, three in seen] == [
        (
            name,
            *(
                f"{where} {name}" if name in commented & known else ""
                for where, commented in (("above", above), ("behind", behind), ("inside", inside))
            ),
        )
        for name in new
    ]
