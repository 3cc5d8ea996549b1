"""
Tests of editing hand-written files: exactly the lines that changed, everything else byte for byte.

Each case is a file, a change of its body, and the file afterwards.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.config.editing.trees import TREE, Change, edit, edit_bodies, plant


def put(*path: Any) -> Change:
    """Set a value at a path; the last argument is the value, None takes the field away."""
    *parents, name, value = path

    def change(body: dict[str, Any]) -> None:
        at: Any = body
        for step in parents:
            at = at[step]
        if value is None:
            del at[name]
        else:
            at[name] = value

    return change


HEAD = "# The desk.\n\ndisplayName: 'Front Desk'   # shown\n"

CASES: dict[str, tuple[str, Change, str]] = {
    "tabs that separate stay": (
        "description:\told\t# why\ntools:\n- end_session\t# a\nmodelSettings: {model:\tm}\t\n",
        put("description", "new"),
        "description:\tnew\t# why\ntools:\n- end_session\t# a\nmodelSettings: {model:\tm}\t\n",
    ),
    "a tab inside a text is no separator": (
        "description:\told\ninstruction: \"a:\tb\"\n",
        put("instruction", "a:\tc"),
        'description:\told\ninstruction: "a:\\tc"\n',
    ),
    "a plain text of several lines": (
        "description: one\n  two\n\n  three   # why\ninstruction: i\n",
        put("description", "one two four"),
        "description: one two four   # why\ninstruction: i\n",
    ),
    "a plain text of several lines that gets more": (
        "description:\n  one\n  two\ninstruction: i\n",
        put("description", "one\ntwo"),
        "description: |-\n  one\n  two\ninstruction: i\n",
    ),
    "plain stays plain": ("description: old  # why\n", put("description", "new"), "description: new  # why\n"),
    "plain gets quotes where it needs them": (
        "description: old  # why\n",
        put("description", "a: b"),
        "description: 'a: b'  # why\n",
    ),
    "single quotes stay": ("description: 'old'\n", put("description", "it's"), "description: 'it''s'\n"),
    "double quotes stay": ('description: "old"\n', put("description", "a\tb"), 'description: "a\\tb"\n'),
    "a number": ("modelSettings: {temperature: 0.5} # x\n", put("modelSettings", "temperature", 0.7),
                 "modelSettings: {temperature: 0.7} # x\n"),
    "a literal block keeps its other lines": (
        "instruction: |-  # says what\n    one\n\n    two\n    three\n\n# after\n",
        put("instruction", "one\n\n2\nthree"),
        "instruction: |-  # says what\n    one\n\n    2\n    three\n\n# after\n",
    ),
    "the chomping of a block follows the value": (
        "instruction: |-\n  one\n  two\ndescription: d\n",
        put("instruction", "one\ntwo\n"),
        "instruction: |\n  one\n  two\ndescription: d\n",
    ),
    "a folded block keeps the paragraphs that did not change": (
        "description: >-\n  a long\n  story\n\n  another\n  one\n",
        put("description", "a long story\nnew words"),
        "description: >-\n  a long\n  story\n\n  new words\n",
    ),
    "a plain text that becomes longer than a line is a block": (
        "description: old   # why\n",
        put("description", "one\ntwo"),
        "description: |-   # why\n  one\n  two\n",
    ),
    "a new field stands where people would look for it": (
        "instruction: i\nguardrails: [a-first]\n",
        put("description", "d"),
        "description: d\ninstruction: i\nguardrails: [a-first]\n",
    ),
    "a field that goes takes its line, and no comment above": (
        "# about it\ndescription: d  # short\ninstruction: i\n",
        put("description", None),
        "# about it\ninstruction: i\n",
    ),
    "a long field that goes takes all its lines": (
        "description: |\n  a\n  b\n\ninstruction: i\n",
        put("description", None),
        "\ninstruction: i\n",
    ),
    "an element between brackets goes": (
        "guardrails: [a-first, b-second]  # x\n",
        put("guardrails", ["guardrails/b-second"]),
        "guardrails: [b-second]  # x\n",
    ),
    "an element between brackets comes": (
        "guardrails: [a-first]\n",
        put("guardrails", ["guardrails/a-first", "guardrails/b-second"]),
        "guardrails: [a-first, b-second]\n",
    ),
    "an element of a block list comes, and one goes with the comments that are its own": (
        "tools:\n  # the last\n  - end_session   # e\n  # never\n  - customize_response\n",
        put("tools", ["tools/customize_response", "tools/transfer_to_agent"]),
        "tools:\n  # never\n  - customize_response\n  - transfer_to_agent\n",
    ),
    "a list without indentation keeps its own": (
        "guardrails:\n- a-first # x\n",
        put("guardrails", ["guardrails/a-first", "guardrails/b-second"]),
        "guardrails:\n- a-first # x\n- b-second\n",
    ),
    "the first field of an element goes, the next moves up": (
        (
            "beforeAgentCallbacks:\n"
            "  - description: d\n    # code\n"
            "    pythonCode: 'def before_agent_callback(callback_context): pass'\n"
        ),
        put("beforeAgentCallbacks", 0, "description", None),
        ("beforeAgentCallbacks:\n"
        "  - # code\n    pythonCode: 'def before_agent_callback(callback_context): pass'\n"),
    ),
    "a reference keeps the form it has": (
        "guardrails:\n  - {$ref: guardrails/a-first}  # r\n",
        put("guardrails", ["guardrails/b-second"]),
        "guardrails:\n  - {$ref: guardrails/b-second}  # r\n",
    ),
    "a variable in a text stays": (
        'description: "at https://${host}/v1 now"\n',
        put("description", "at https://api.example/v2 then"),
        'description: "at https://${host}/v2 then"\n',
    ),
    "what looks like a variable is escaped": (
        "description: plain\n",
        put("description", "costs ${x}"),
        "description: costs $${x}\n",
    ),
    "an emptied list says so": ("guardrails: [a-first]\n", put("guardrails", []), "guardrails: []\n"),
    "null becomes a value": ("description: null\n", put("description", "d"), "description: d\n"),
    "an alias is replaced by what it stands for now": (
        "description: &d same\ninstruction: *d  # too\n",
        put("instruction", "other"),
        "description: &d same\ninstruction: other  # too\n",
    ),
    "an anchor changes and its alias keeps what it said": (
        "description: &d same\ninstruction: *d\n",
        put("description", "other"),
        "description: &d other\ninstruction: same\n",
    ),
    "an anchor and its alias that change alike need one edit": (
        "description: &d same\ninstruction: *d\n",
        lambda body: body.update(description="both", instruction="both"),
        "description: &d both\ninstruction: *d\n",
    ),
    "an anchor that goes is taken over by its alias": (
        "description: &d same\ninstruction: *d\n",
        put("description", None),
        "instruction: &d same\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_exactly_the_lines_that_changed(case: str, tmp_path: Path) -> None:
    before, change, after = CASES[case]
    found = edit(tmp_path, HEAD + before, change)
    assert found.text == HEAD + after
    assert (found.others, found.refused) == ({}, {})


def test_merge_keys_give_way_to_a_key_of_the_mapping_itself(tmp_path: Path) -> None:
    text = HEAD + (
        "transferRules:\n  - &base\n    childAgent: helper\n    direction: PARENT_TO_CHILD\n"
        "    deterministicTransfer:\n      expressionCondition: {expression: a}\n"
        "  - <<: *base\n    direction: CHILD_TO_PARENT\n"
    )
    found = edit(tmp_path, text, put("transferRules", 1, "childAgent", "agents/front-desk"))
    assert found.text == text.replace("<<: *base\n", "<<: *base\n    childAgent: front-desk\n")


def test_windows_line_ends_stay(tmp_path: Path) -> None:
    text = "displayName: D\r\ninstruction: |-\r\n  one\r\n  two\r\n"
    found = edit(tmp_path, text, lambda body: body.update(description="new", instruction="one\n2"))
    assert found.text == "displayName: D\r\ndescription: new\r\ninstruction: |-\r\n  one\r\n  2\r\n"


def test_a_file_without_a_last_line_feed_can_grow(tmp_path: Path) -> None:
    assert edit(tmp_path, "displayName: D", put("description", "d")).text == "displayName: D\ndescription: d\n"


@pytest.mark.parametrize("ending", ["\n", ""])
def test_an_included_text_is_edited_in_its_own_file(tmp_path: Path, ending: str) -> None:
    path = "apps/shop-desk/agents/desk.md"
    text = HEAD + "instruction: {$file: desk.md}\n"
    found = edit(tmp_path, text, put("instruction", "one\n2"), {path: f"one\ntwo{ending}"})
    assert (found.text, found.others) == (text, {path: f"one\n2{ending}"})


def test_an_expanded_text_keeps_its_variables(tmp_path: Path) -> None:
    path = "apps/shop-desk/agents/desk.md"
    text = HEAD + "instruction: {$file: desk.md, $expand: true}\n"
    found = edit(
        tmp_path, text, put("instruction", "ask api.example\nthen stop"), {path: "ask ${host}\nthen go\n"}
    )
    assert found.others == {path: "ask ${host}\nthen stop\n"}


def test_a_text_that_others_use_too_is_left_alone_and_gets_a_sibling(tmp_path: Path) -> None:
    text = HEAD + "instruction: {$file: shared.md}   # ours\n"
    others = {
        "apps/shop-desk/agents/shared.md": "one\ntwo\n",
        "apps/shop-desk/agents/helper.yaml": "displayName: Helper\ninstruction: {$file: shared.md}\n",
    }
    found = edit(tmp_path, text, put("instruction", "one\n2"), others)
    assert found.text == HEAD + "instruction: {$file: front-desk.md}   # ours\n"
    assert found.others == {"apps/shop-desk/agents/front-desk.md": "one\n2\n"}


def test_a_text_that_all_its_users_want_changed_alike_is_edited_once(tmp_path: Path) -> None:
    shared = "apps/shop-desk/agents/shared.md"
    names = ("front-desk", "helper")
    agents = {
        f"apps/shop-desk/agents/{n}.yaml": f"displayName: {n}\ninstruction: {{$file: shared.md}}\n"
        for n in names
    }
    plant(tmp_path, {**TREE, **agents, shared: "one\ntwo\n"})
    change = put("instruction", "one\n2")
    found = edit_bodies(tmp_path, {f"shop-desk/agents/{name}": change for name in names})
    assert found.files == {shared: "one\n2\n"}


def test_code_that_is_new_gets_a_file_of_its_own(tmp_path: Path) -> None:
    code = "def before_agent_callback(callback_context):\n    pass"
    found = edit(tmp_path, HEAD, put("beforeAgentCallbacks", [{"pythonCode": code}]))
    assert found.text == HEAD + "beforeAgentCallbacks:\n  - pythonCode: {$file: front-desk.before-agent.py}\n"
    assert found.others == {"apps/shop-desk/agents/front-desk.before-agent.py": code + "\n"}


@pytest.mark.parametrize(
    ("text", "change", "place"),
    [
        ("modelSettings: {temperature: {$var: temperature}}\n", put("modelSettings", "temperature", 0.9),
         "modelSettings.temperature"),
        ("description: at ${host}\n", put("description", "at elsewhere"), "description"),
    ],
)  # fmt: skip
def test_what_comes_from_a_variable_is_refused_and_stays(
    tmp_path: Path, text: str, change: Change, place: str
) -> None:
    found = edit(tmp_path, HEAD + text, lambda body: (change(body), put("instruction", "i")(body))[0])
    (((address, path), why),) = found.refused.items()
    assert (address, path) == ("shop-desk/agents/front-desk", place)
    assert "variable" in why
    assert sorted(found.text.splitlines()) == sorted((HEAD + text + "instruction: i\n").splitlines())


def test_an_id_is_written_at_the_top(tmp_path: Path) -> None:
    assert edit(tmp_path, HEAD, lambda body: None, add_id="1b2c3d4e").text == (
        "# The desk.\n\n$id: 1b2c3d4e\ndisplayName: 'Front Desk'   # shown\n"
    )


def test_an_id_of_an_environment_joins_those_of_others(tmp_path: Path) -> None:
    text = "$id: {prod: 1b2c3d4e}\ndisplayName: D\n"
    plant(tmp_path, {"cesplan.yaml": TREE["cesplan.yaml"]})
    more = {"cesplan.yaml": TREE["cesplan.yaml"].replace("{prod: {}}", "{prod: {}, dev: {}}")}
    found = edit(tmp_path, text, lambda body: None, more, add_id="9f8e7d6c", environment="dev")
    assert found.text == "$id: {prod: 1b2c3d4e, dev: 9f8e7d6c}\ndisplayName: D\n"


def test_extra_fields_are_edited_as_they_stand(tmp_path: Path) -> None:
    text = HEAD + "$extra:\n  brandNew: 1   # soon\n"
    found = edit(tmp_path, text, lambda body: None, extra={"brandNew": 2})
    assert found.text == HEAD + "$extra:\n  brandNew: 2   # soon\n"


def test_a_file_that_needs_no_change_is_not_touched(tmp_path: Path) -> None:
    found = edit(tmp_path, HEAD, lambda body: None)
    assert (found.text, found.others) == (HEAD, {})


@pytest.mark.parametrize(
    "head", ["\ufeff", "%YAML 1.2\n---\n", "# head\n%YAML 1.2\n# more\n---\n", "\ufeff---\n"]
)
def test_what_stands_before_a_document_stays(head: str, tmp_path: Path) -> None:
    """A byte order mark and directives are the file's, whatever is edited behind them."""
    text = f"{head}displayName: Desk\ndescription: old\n"
    found = edit(tmp_path, text, put("description", "new"))
    assert (found.text, found.refused) == (f"{head}displayName: Desk\ndescription: new\n", {})
