"""`cesplan pull` and `cesplan pull --merge` on the emulator."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

APP = "projects/acme-dev/locations/us/apps/help-desk"
AGENT = "apps/help-desk/agents/front-desk.yaml"

pytestmark = pytest.mark.usefixtures("service")


def edit_live(service: EmbeddedEmulator, **fields: object) -> None:
    """An edit of the agent that nobody made in the tree."""
    row = next(row for row in service.store.children(APP, "agents") if row.name.endswith("/front-desk"))
    service.seed({**row.body, "name": row.name, **fields})


@pytest.fixture
def applied(tree: Tree, cesplan: Run) -> Tree:
    assert cesplan("apply", "--auto-approve").code == 0
    return tree


def test_a_live_app_becomes_a_tree_that_plans_to_nothing(applied: Tree, cesplan: Run) -> None:
    """In another folder, with what to type next."""
    ran = cesplan("pull", "Help desk", "--project", "acme-dev", "--into", "new")
    assert (ran.code, ran.err) == (0, "")
    assert "  + apps/help-desk/agents/front-desk.md\n" in ran.out
    assert "help-desk (EMULATOR): 8 files written for 4 resources.\n" in ran.out
    assert "To check the result:  cesplan plan -C new\n" in ran.out
    assert cesplan("plan", "-C", "new", "--detailed-exitcode").code == 0


def test_pulling_again_writes_nothing(applied: Tree, cesplan: Run) -> None:
    ran = cesplan("pull", "help-desk")
    assert (ran.code, ran.out) == (
        0,
        "Nothing to write. help-desk (EMULATOR): 4 resources compared, no differences.\n",
    )


def test_a_file_that_differs_is_named_and_merge_is_offered(
    applied: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    edit_live(service, description="By hand.")
    ran = cesplan("pull", "help-desk")
    assert ran.code == 1
    assert "  ~ help-desk/agents/front-desk  description\n" in ran.out
    assert "Nothing was written. 1 file differs from live in help-desk (EMULATOR).\n" in ran.out
    assert "cesplan pull --merge help-desk\n" in ran.out


def test_the_result_as_json(applied: Tree, cesplan: Run) -> None:
    found = json.loads(
        cesplan("pull", "help-desk", "--into", "new", "--project", "acme-dev", "--format", "json").out
    )
    assert found["app"] == "help-desk"
    assert found["resources"] == 4
    assert "apps/help-desk/app.yaml" in found["written"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("pull", "x", "--check"), "--check, --theirs, and --ours require --merge."),
        (("pull", "--merge", "--ours", "--theirs"), "cannot be combined"),
        (("pull", "--merge", "--conflict-markers", "--ours"), "--conflict-markers requires --merge"),
        (("pull", "x", "--conflict-markers"), "--conflict-markers requires --merge"),
        (("pull", "x", "--report", "json=x.json"), "--report FORMAT=FILE and --format html require --merge."),
        (("pull", "--format", "html"), "--report FORMAT=FILE and --format html require --merge."),
        (("pull", "--merge", "--version", "v1"), "--version cannot be combined with --merge"),
        (("pull", "nobody"), "There is no app `nobody` there."),
        (("pull", "x", "--into", "new"), "There is no tree here, and the location of the app is unknown."),
    ],
)
def test_what_makes_no_sense_is_said(tree: Tree, cesplan: Run, words: tuple[str, ...], message: str) -> None:
    ran = cesplan(*words)
    assert ran.code == 64
    assert message in ran.err


def test_a_check_says_2_where_there_is_something_to_merge(
    applied: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    ran = cesplan("pull", "--merge", "--check")
    assert ran.code == 0
    assert "Nothing to merge. The tree already matches live.\n" in ran.out
    edit_live(service, description="By hand.")
    before = Path(AGENT).read_text()
    ran = cesplan("pull", "--merge", "--check")
    assert ran.code == 2
    assert "Merge: 1 file would be written.\n" in ran.out
    assert "To merge the changes into the files:  cesplan pull --merge\n" in ran.out
    assert Path(AGENT).read_text() == before


def test_a_merge_edits_the_file_and_the_next_check_is_empty(
    applied: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    edit_live(service, description="By hand.")
    assert cesplan("pull", "--merge").code == 0
    assert Path(AGENT).read_text() == (
        "displayName: Front desk\ndescription: By hand.\n"
        "instruction: {$file: front-desk.md}\ntools: [lookup-order]\n"
    )
    assert cesplan("pull", "--merge", "--check").code == 0


def test_a_conflict_is_shown_with_both_values_and_decided_by_theirs(
    applied: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    applied.replace(AGENT, "Front desk", "Desk of the tree")
    row = next(row for row in service.store.children(APP, "agents") if row.name.endswith("/front-desk"))
    edited = urllib3.request(
        "PATCH",
        f"http://{service.address}/v1beta/{row.name}?updateMask=displayName",
        json={"name": row.name, "displayName": "Desk of the console"},
    )
    assert edited.status == 200
    ran = cesplan("pull", "--merge")
    assert ran.code == 1
    assert "Desk of the tree" in ran.out
    assert "Desk of the console" in ran.out
    assert re.search(r"both changed it, live by \S+, \d{4}-\d\d-\d\d \d\d:\d\d UTC", " ".join(ran.out.split()))
    for way in ("--theirs", "--ours"):
        assert f" cesplan pull --merge {way}\n" in ran.out
    assert "Desk of the tree" in Path(AGENT).read_text()
    assert cesplan("pull", "--merge", "--theirs").code == 0
    assert "Desk of the console" in Path(AGENT).read_text()


def test_a_conflict_that_the_tree_wins_leaves_the_tree_alone(
    applied: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    """And nothing says that the tree had what is live."""
    applied.replace(AGENT, "Front desk", "Desk of the tree")
    edit_live(service, displayName="Desk of the console")
    ran = cesplan("pull", "--merge", "--ours")
    assert ran.code == 0
    assert "conflict: the tree wins" in ran.out
    assert ran.out.endswith("Nothing to merge. The tree is unchanged.\n")
    assert "Desk of the tree" in Path(AGENT).read_text()


def test_texts_that_collide_are_shown_place_by_place_and_marked_on_request(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    """The report names the file and line; the next command is refused until someone decides."""
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "State"]):
        name = ("-c", "user.name=Ann", "-c", "user.email=ann@acme.example", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *name, *words], cwd=tree.root, check=True)
    assert cesplan("apply", "--auto-approve").code == 0
    path = "apps/help-desk/agents/front-desk.md"
    old = tree.root.joinpath(path).read_text()
    tree.write(path, f"Tree's.\n\n{old}")
    edit_live(service, instruction=f"Live's.\n\n{old}".removesuffix("\n"))
    ran = cesplan("pull", "--merge")
    assert ran.code == 1
    assert f"        {path}:1\n        tree │ Tree's.\n" in ran.out
    assert "live │ Live's.\n" in ran.out
    assert "To resolve them in the text files:  cesplan pull --merge --conflict-markers\n" in ran.out
    (field,) = json.loads(cesplan("pull", "--merge", "--format", "json").out)["apps"][0]["fields"]
    assert (field["verdict"], field["file"]) == ("conflict", path)
    assert [(item["line"], item["tree"], item["live"]) for item in field["collisions"]] == [
        (1, "Tree's.", "Live's.")
    ]
    marked = cesplan("pull", "--merge", "--conflict-markers")
    assert (marked.code, f"conflict markers in {path}" in " ".join(marked.out.split())) == (1, True)
    assert (
        tree.root.joinpath(path)
        .read_text()
        .startswith("<<<<<<< tree\nTree's.\n||||||| base\n=======\nLive's.\n>>>>>>> live\n")
    )
    for command in (("validate",), ("plan",), ("pull", "--merge"), ("apply", "--auto-approve")):
        refused = cesplan(*command)
        assert (refused.code, "CES079" in refused.out + refused.err) == (7, True)


def test_a_merge_as_json(applied: Tree, service: EmbeddedEmulator, cesplan: Run) -> None:
    edit_live(service, description="By hand.")
    found = json.loads(cesplan("pull", "--merge", "--check", "--format", "json").out)
    (field,) = found["apps"][0]["fields"]
    assert (field["address"], field["path"], field["verdict"], field["live"]) == (
        "help-desk/agents/front-desk",
        "description",
        "taken",
        "By hand.",
    )
    assert found["written"] == [AGENT]


def test_a_merge_from_git_knows_what_was_applied(tree: Tree, service: EmbeddedEmulator, cesplan: Run) -> None:
    """The stamp of an apply names the commit, and the merge finds the tree there."""
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "State"]):
        git = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@acme.example", "-c", "commit.gpgsign=false"]
        subprocess.run([*git, *words], check=True)
    assert cesplan("apply", "--auto-approve").code == 0
    tree.replace(AGENT, "tools: [lookup-order]", "tools: []")
    edit_live(service, description="By hand.")
    ran = cesplan("pull", "--merge")
    assert "  base: the tree at " in ran.out
    assert "Changed only in the tree, and kept: agents/front-desk tools." in ran.out
    assert "description: By hand.\n" in Path(AGENT).read_text()


@pytest.mark.parametrize("words", [("pull", "help-desk"), ("pull", "--merge")])
def test_what_is_wrong_with_the_tree_is_shown(tree: Tree, cesplan: Run, words: tuple[str, ...]) -> None:
    tree.replace(AGENT, "displayName", "displayname")
    ran = cesplan(*words)
    assert ran.code == 7
    assert "error[CES012] unknown field `displayname`" in ran.err
