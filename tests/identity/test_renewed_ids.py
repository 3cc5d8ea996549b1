"""An import renews every id: what was re-created under another one is the same resource."""

from tests.identity.conftest import Scene

AGENT = "apps/help-desk/agents/front-desk.yaml"


def with_ids(scene: Scene) -> None:
    """A tree whose agent has an id of the server's, applied."""
    text = scene.tree.root.joinpath(AGENT).read_text()
    scene.tree.write(AGENT, f"$id: 6f1c2d3e\n{text}")
    scene.apply()
    scene.service.journal.clear()


def renewed(scene: Scene) -> None:
    """The agent of that app has another id, and is otherwise the same."""
    old = "projects/acme-dev/locations/us/apps/help-desk/agents/6f1c2d3e"
    new = old.replace("6f1c2d3e", "77aa88bb")
    rows = [*scene.service.store.below("projects/acme-dev/locations/us", "apps")]
    rows += [
        row
        for kind in ("agents", "tools", "guardrails")
        for row in scene.service.store.below(rows[0].name, kind)
    ]
    bodies = [{**row.body, "name": row.name} for row in rows]
    scene.service.reset()
    for body in bodies:
        scene.service.seed({key: new if value == old else value for key, value in body.items()})


def test_it_is_found_again(scene: Scene) -> None:
    with_ids(scene)
    renewed(scene)
    done = scene.run("plan", "--detailed-exitcode")
    assert done.code == 0, done.out
    assert "help-desk/agents/front-desk was re-created under another id: 6f1c2d3e is gone" in done.out
    assert f"change in {AGENT}: $id: 77aa88bb" in done.out


def test_it_stays_found(scene: Scene) -> None:
    """An apply does not make the new id one that the tree has given: the file still says the old one."""
    with_ids(scene)
    renewed(scene)
    scene.apply()
    scene.tree.replace("apps/help-desk/agents/front-desk.md", "Greet", "Welcome")
    assert "0 to create, 1 to update, 0 to delete" in scene.run("plan").out


def test_an_id_that_a_person_changed_is_another_resource(scene: Scene) -> None:
    """The stamp knows the ids of the last apply: the live one is the tree's own, so the tree has changed."""
    with_ids(scene)
    scene.tree.replace(AGENT, "6f1c2d3e", "1234abcd")
    done = scene.run("plan")
    assert "its $id changed" in done.out
    assert "1 to create, 1 to update, 1 to delete" in done.out


def test_two_that_may_be_it_are_not_chosen_from(scene: Scene) -> None:
    with_ids(scene)
    renewed(scene)
    scene.seed("help-desk/agents/99cc99cc", displayName="Front desk")
    done = scene.run("apply", "--auto-approve")
    assert done.code == 5
    assert "agents/77aa88bb, agents/99cc99cc" in done.err
    assert scene.writes() == []
