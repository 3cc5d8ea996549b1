"""`$protect` holds until an apply has seen it taken back: the stamp keeps what went with the file."""

import pytest

from tests.identity.conftest import Scene

TOOL = "apps/help-desk/tools/audit-log.yaml"
BODY = "clientFunction: {name: audit_log}\n"


@pytest.fixture
def protected(scene: Scene) -> Scene:
    """A protected tool, applied."""
    scene.tree.write(TOOL, "$protect: true\n" + BODY)
    scene.apply()
    scene.service.journal.clear()
    return scene


def refuses(scene: Scene, *words: str) -> str:
    done = scene.run("apply", "--auto-approve", "--allow-mass-delete", *words)
    assert (done.code, scene.writes()) == (5, [])
    assert "audit-log" in scene.live("tools")
    return done.err


def test_a_file_that_goes_takes_no_protection_along(protected: Scene) -> None:
    protected.tree.remove(TOOL)
    assert "help-desk/tools/audit-log would be deleted, but its file said `$protect: true`" in refuses(
        protected
    )


def test_no_flag_lifts_it(protected: Scene) -> None:
    protected.tree.remove(TOOL)
    refuses(protected, "--adopt", "--allow-delete", "help-desk/tools/audit-log")


def test_taken_back_and_applied_it_can_go(protected: Scene) -> None:
    """Taking the line out is a change of the stamp alone, and it is written."""
    protected.tree.write(TOOL, BODY)
    protected.apply()
    protected.tree.remove(TOOL)
    protected.apply()
    assert "audit-log" not in protected.live("tools")


def test_line_and_file_in_one_go_is_not_enough(protected: Scene) -> None:
    """One commit that takes both back is the deletion that the line was to forbid."""
    protected.tree.write(TOOL, BODY)
    protected.tree.remove(TOOL)
    refuses(protected)


def test_another_id_is_a_deletion(protected: Scene) -> None:
    protected.tree.write(TOOL, "$id: audit-two\n" + BODY)
    assert "help-desk/tools/@audit-log would be deleted" in refuses(protected)


def test_a_targeted_apply_forgets_nothing(protected: Scene) -> None:
    protected.tree.replace("apps/help-desk/agents/front-desk.md", "Greet", "Welcome")
    protected.apply("--target", "agents/front-desk")
    protected.tree.remove(TOOL)
    done = protected.run("apply", "--auto-approve", "--allow-mass-delete")
    assert done.code == 5


def test_an_environment_cannot_leave_it_out(scene: Scene) -> None:
    scene.tree.write(TOOL, "$protect: true\n" + BODY)
    scene.tree.write(f"environments/prod/{TOOL}", "$exclude: true\n")
    done = scene.run("plan", "-e", "prod")
    assert done.code == 7
    assert f"`$exclude` cannot leave out a resource that {TOOL} protects" in done.err
