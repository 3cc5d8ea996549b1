"""Merging texts on the emulator: two edits of one instruction, and what is left to a person."""

import pytest

from cesplan.config.tree.load import load
from cesplan.domain.features.merge import MergeOutcome, Side
from tests.pull.conftest import Project

INSTRUCTION = "".join(f"- Rule {number} of the desk.\n" for number in range(1, 13))
TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\nvariables: {host: api.example}\n",
    "apps/help-desk/app.yaml": "displayName: Help Desk\n",
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front Desk\ninstruction: {$file: front-desk.md}\n",
    "apps/help-desk/agents/front-desk.md": INSTRUCTION,
}
TEXT = "apps/help-desk/agents/front-desk.md"


@pytest.fixture
def applied(project: Project) -> Project:
    return project.applied(TREE)


def edit_live(project: Project, old: str, new: str) -> None:
    text = project.read("agents/front-desk")["instruction"]
    assert old in text
    project.edit("agents/front-desk", "instruction", {"instruction": text.replace(old, new)})


def verdicts(found: MergeOutcome) -> list[str]:
    return [item.result.value for app in found.apps for resource in app.resources for item in resource.fields]


def test_two_edits_nine_lines_apart_are_both_in_the_file(applied: Project) -> None:
    applied.replace(TEXT, "Rule 2 of the desk", "Rule 2 of the tree")
    edit_live(applied, "Rule 11 of the desk", "Rule 11 of the console")
    found = applied.merged()
    assert (verdicts(found), found.apps[0].is_open) == (["merged"], False)
    expected = INSTRUCTION.replace("Rule 2 of the desk", "Rule 2 of the tree").replace(
        "11 of the desk", "11 of the console"
    )
    assert applied.files()[TEXT] == expected
    applied.apply(allow_drop_unknown=True)
    assert applied.read("agents/front-desk")["instruction"] == expected.removesuffix("\n")
    assert applied.merged().is_empty


def test_a_merge_again_after_an_edit_right_beside_what_it_took_is_no_conflict(applied: Project) -> None:
    """The base is still what was applied: the live edit is in the tree, and the new one is the tree's own."""
    edit_live(applied, "Rule 5 of the desk", "Rule 5 of the console")
    applied.merged()
    applied.replace(TEXT, "Rule 6 of the desk", "Rule 6 of the tree")
    assert verdicts(applied.merged()) == ["kept"]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "end"])
def test_line_ends_and_the_last_line_break_stay(project: Project, ending: str, last: str) -> None:
    text = f"{INSTRUCTION}{last}".replace("\n", ending)
    project.write({**TREE, TEXT: text})
    project.commit()
    project.apply()
    project.replace(TEXT, "Rule 2 of the desk", "Rule 2 of the tree")
    edit_live(project, "Rule 11 of the desk", "Rule 11 of the conso\u0301le")
    project.merged()
    expected = text.replace("Rule 2 of the desk", "Rule 2 of the tree").replace(
        "11 of the desk", "11 of the conso\u0301le"
    )
    assert project.files()[TEXT] == expected
    assert not project.plan().is_empty


def test_variables_stay_in_a_text_that_gets_both_edits(project: Project) -> None:
    """And an edit of what the variable represents is left to a person, with the reason."""
    text = INSTRUCTION.replace("Rule 6 of the desk", "Rule 6 is at ${host}")
    project.write({**TREE, TEXT: text})
    agent = "apps/help-desk/agents/front-desk.yaml"
    project.replace(agent, "{$file: front-desk.md}", "{$file: front-desk.md, $expand: true}")
    project.commit()
    project.apply()
    project.replace(TEXT, "Rule 2 of the desk", "Rule 2 of the tree")
    edit_live(project, "Rule 11 of the desk", "Rule 11 costs ${money}")
    project.merged()
    expected = text.replace("Rule 2 of the desk", "Rule 2 of the tree").replace(
        "11 of the desk", "11 costs $${money}"
    )
    assert project.files()[TEXT] == expected
    project.apply()
    project.replace(TEXT, "Rule 2 of the tree", "Rule 2 of the desk")
    edit_live(project, "api.example", "api.other")
    found = project.merged()
    assert found.apps[0].refused == {
        ("help-desk/agents/front-desk", "instruction"): "a part of it comes from a variable"
    }
    assert "at ${host}" in project.files()[TEXT]


def collide(project: Project) -> None:
    project.replace(TEXT, "Rule 5 of the desk", "Rule 5 of the tree")
    edit_live(project, "Rule 5 of the desk", "Rule 5 of the console")
    edit_live(project, "Rule 11 of the desk", "Rule 11 of the console")


def test_markers_are_written_where_they_were_asked_for_and_refused_until_they_are_gone(
    applied: Project,
) -> None:
    collide(applied)
    found = applied.merged(markers=True)
    assert found.apps[0].is_open
    assert applied.files()[TEXT] == INSTRUCTION.replace("11 of the desk", "11 of the console").replace(
        "- Rule 5 of the desk.\n",
        "<<<<<<< tree\n- Rule 5 of the tree.\n||||||| base\n- Rule 5 of the desk.\n=======\n"
        "- Rule 5 of the console.\n>>>>>>> live\n",
    )
    (error,) = [item for item in load(applied.root).diagnostics if item.severity == "error"]
    assert (error.code, error.place.file, error.place.line) == ("CES079", TEXT, 5)
    text = applied.files()[TEXT]
    head, _, rest = text.partition("<<<<<<< tree\n")
    applied.write({TEXT: head + "- Rule 5 of both.\n" + rest.partition(">>>>>>> live\n")[2]})
    assert {item.address.within_app for item in applied.plan().operations if item.address.kind != "apps"} == {
        "agents/front-desk"
    }


def test_markers_in_code_and_documents_silence_no_check(project: Project) -> None:
    """The tree is proven without the marked texts: what does not parse because of them is not silenced."""
    tool = "apps/help-desk/tools/look-up"
    code = 'def look_up(x: str) -> str:\n    """Look up."""\n    return x\n'
    project.write(
        {
            **TREE,
            f"{tool}.yaml": "pythonFunction: {name: look_up, pythonCode: {$file: look-up.py}}\n",
            f"{tool}.py": code,
        }
    )
    project.commit()
    project.apply()
    project.replace(f"{tool}.py", "return x", "return x + 'tree'")
    live = project.read("tools/look-up")["pythonFunction"]
    live["pythonCode"] = live["pythonCode"].replace("return x", "return x + 'live'")
    project.edit("tools/look-up", "pythonFunction", {"pythonFunction": live})
    edit_live(project, "Rule 5 of the desk", "Rule 5 of the console")
    project.merged(markers=True)
    files = project.files()
    assert files[f"{tool}.yaml"].count("$silence") == 0
    assert "<<<<<<< tree\n    return x + 'tree'\n" in files[f"{tool}.py"]
    assert "Rule 5 of the console" in files[TEXT]


@pytest.mark.parametrize(("winner", "who"), [(Side.TREE, "tree"), (Side.LIVE, "console")])
def test_a_side_that_wins_wins_what_collides_and_nothing_else(applied: Project, winner: Side, who: str) -> None:
    collide(applied)
    found = applied.merged(winner=winner)
    assert not found.apps[0].is_open
    assert applied.files()[TEXT] == INSTRUCTION.replace("5 of the desk", f"5 of the {who}").replace(
        "11 of the desk", "11 of the console"
    )


def test_an_open_collision_writes_nothing_into_its_text(applied: Project) -> None:
    collide(applied)
    before = applied.files()
    found = applied.merged()
    assert (found.written, found.apps[0].is_open) == ((), True)
    assert applied.files() == before
