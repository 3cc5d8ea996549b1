"""`cesplan drift --open-branch`: the merge as a commit on a new branch, and nothing else touched."""

import subprocess
from pathlib import Path

import pytest

from tests.drift.conftest import Scene, Stage


@pytest.fixture
def scene(stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Scene:
    """Live edits by two people; a checkout whose owner is known to git, with work that is not committed."""
    made = stage()
    config = tmp_path / "gitconfig"
    config.write_text("[user]\n\tname = Ci\n\temail = ci@acme.example\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    made.edit(1, {"by": "bob", "patch": "tools/lookup-order", "mask": "timeout", "body": {"timeout": "25s"}})
    made.edit(
        2, {"by": "eve", "patch": "agents/gift-finder", "text": ["instruction", "You find", "You look for"]}
    )
    made.edit(
        3,
        {
            "by": "eve",
            "post": "evaluationExpectations",
            "id": "is-kind",
            "body": {"displayName": "Is kind", "llmCriteria": {"prompt": "Be kind."}},
        },
    )
    made.edit(4, {"by": "bob", "delete": "examples/gift-for-a-cook"})
    (made.root / "notes.txt").write_text("mine\n")
    made.change_tree(
        {"file": "agents/billing.yaml", "replace": "displayName: Billing", "by": "displayName: Mine"}
    )
    return made


def _state(scene: Scene) -> tuple[str, ...]:
    """What a checkout is: its branch, its status, its refs, its worktrees."""
    asked = (("symbolic-ref", "HEAD"), ("status", "--porcelain"), ("for-each-ref",), ("worktree", "list"))
    return tuple(scene.git(*words) for words in asked)


def test_the_branch_holds_the_merge_and_names_the_editors(scene: Scene) -> None:
    """One commit on top of what is checked out, with each edit in its message, and each editor a co-author."""
    before = _state(scene)
    code, _, err = scene.say("drift", "--open-branch")
    assert code == 2, err
    assert "Branch cesplan/drift: commit " in err
    assert "changes 4 files. Not pushed." in err
    assert scene.git("log", "--format=%s", "main..cesplan/drift") == "Take live edits of support-desk\n"
    changed = scene.git("diff", "--name-status", "main", "cesplan/drift").splitlines()
    folder = "apps/support-desk"
    assert changed == [
        f"M\t{folder}/agents/gift-finder.md",
        f"A\t{folder}/evaluationExpectations/is-kind.yaml",
        f"D\t{folder}/examples/gift-for-a-cook.yaml",
        f"M\t{folder}/tools/lookup-order.yaml",
    ]
    message = scene.git("log", "-1", "--format=%B", "cesplan/drift")
    assert "- support-desk/tools/lookup-order timeout: 10s → 25s (bob@acme.example, " in message
    trailers = scene.git("log", "-1", "--format=%(trailers)", "cesplan/drift").strip().splitlines()
    assert trailers == [
        "Co-authored-by: bob <bob@acme.example>",
        "Co-authored-by: eve <eve@acme.example>",
    ]
    after = _state(scene)
    assert (after[0], after[1], after[3]) == (before[0], before[1], before[3])
    assert [ref for ref in after[2].splitlines() if "cesplan/drift" not in ref] == before[2].splitlines()
    assert scene.git("fsck", "--no-dangling") == ""


def test_a_branch_that_exists_is_never_moved(scene: Scene) -> None:
    """The second run refuses, with the name to give instead, and changes nothing."""
    scene.git("branch", "cesplan/drift")
    before = _state(scene)
    code, _, err = scene.say("drift", "--open-branch")
    assert code == 1
    assert "The branch cesplan/drift already exists. Nothing was changed." in err
    assert _state(scene) == before
    assert scene.say("drift", "--open-branch=take-two")[0] == 2
    assert scene.git("rev-parse", "--verify", "take-two")


def test_what_both_sides_changed_is_listed_and_left_open(scene: Scene) -> None:
    """The file keeps the tree's value, the message says what is open, and the exit code is that of a merge."""
    scene.change_tree({"file": "tools/lookup-order.yaml", "replace": "timeout: 10s", "by": "timeout: 12s"})
    scene.commit()
    code, _, err = scene.say("drift", "--open-branch=both")
    assert code == 1
    assert "Open, because both sides changed it: support-desk/tools/lookup-order timeout" in err
    message = scene.git("log", "-1", "--format=%B", "both")
    assert "Open, because both sides changed them:\n\n- support-desk/tools/lookup-order timeout\n" in message
    assert "timeout: 12s" in scene.git("show", "both:apps/support-desk/tools/lookup-order.yaml")


def test_nothing_to_take_makes_no_branch(stage: Stage) -> None:
    scene = stage()
    before = _state(scene)
    code, _, err = scene.say("drift", "--open-branch")
    assert (code, _state(scene)) == (0, before)
    assert "No branch was created: nothing was edited live." in err


def test_a_name_that_cannot_be_one_is_refused(scene: Scene) -> None:
    """A name never becomes an option, an expression or a path. It is refused before the service is asked."""
    before = _state(scene)
    scene.service.journal.clear()
    names = ("-x", "a..b", "a b", "refs/../x", "a@{1}", "x.lock", "ä", "a;b")
    codes = {name: scene.say("drift", f"--open-branch={name}")[0] for name in names}
    assert codes == dict.fromkeys(names, 64)
    assert scene.service.journal.count == 0
    assert _state(scene) == before


def test_nothing_of_the_checkout_runs(scene: Scene, tmp_path: Path) -> None:
    """Hooks, filters and monitors that a repository configures are not started."""
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    hooks = scene.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "commit-msg", "post-commit", "post-checkout", "reference-transaction"):
        (hooks / name).write_text(trap.read_text())
        (hooks / name).chmod(0o755)
    for key, value in {
        "filter.trap.clean": str(trap),
        "filter.trap.smudge": str(trap),
        "core.fsmonitor": str(trap),
        "gpg.program": str(trap),
        "commit.gpgSign": "true",
    }.items():
        subprocess.run(("git", "config", key, value), cwd=scene.root, check=True)
    attributes = scene.root / ".git" / "info" / "attributes"
    attributes.parent.mkdir(exist_ok=True)  # git makes it from a template, which tests leave out
    attributes.write_text("* filter=trap\n")
    code, _, err = scene.say("drift", "--open-branch")
    assert code == 2, err
    assert not (tmp_path / "sprung").exists()


def test_an_author_is_foreign_text(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """An author that is no address is no trailer, and cannot forge one."""
    monkeypatch.setitem(
        __import__("tests.drift.conftest", fromlist=["PEOPLE"]).PEOPLE, "mal", "x> Signed-off-by: root <r@x"
    )
    scene.edit(5, {"by": "mal", "patch": "", "mask": "description", "body": {"description": "New."}})
    assert scene.say("drift", "--open-branch")[0] == 2
    trailers = scene.git("log", "-1", "--format=%(trailers)", "cesplan/drift").strip().splitlines()
    assert trailers == [
        "Co-authored-by: bob <bob@acme.example>",
        "Co-authored-by: eve <eve@acme.example>",
    ]
