"""
Merging what was edited in one environment of a tree that several share: no other one changes unsaid, or breaks.
"""

from typing import Any

import pytest

from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.merge import MergeOutcome
from cesplan.workflow.merging import merge
from tests.pull.conftest import APP, Project

DESK = "apps/help-desk/agents/front-desk.yaml"
HERE = f"environments/dev/{DESK}"

TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\n"
    "environments: {dev: {}, prod: {project: acme-prod}}\n",
    "apps/help-desk/app.yaml": "displayName: Help Desk\n",
    DESK: "displayName: Front Desk   # shared\ndescription: Greets.\n"
    "modelSettings: {model: gemini-2.5-flash, temperature: 0.5}\ntools: [look-up]\n",
    HERE: "# only here\nmodelSettings: {temperature: 0.1}   # for tests\n",
    "apps/help-desk/tools/look-up.yaml": "clientFunction: {name: look_up, description: Looks up.}\n",
}


@pytest.fixture
def applied(project: Project) -> Project:
    """The tree, committed and applied to dev."""
    project.write(TREE)
    project.commit()
    project.apply("dev")
    return project


def merged(project: Project, **options: Any) -> MergeOutcome:
    return merge(project.root, environment="dev", connection=project.connection, **options)


def touched(found: MergeOutcome) -> dict[str, list[str]]:
    return {name: [item.within_app for item in items] for name, items in found.touched.items()}


def edit_desk(project: Project) -> None:
    """One field that dev says itself, one that all environments share."""
    project.edit(
        "agents/front-desk",
        "description,modelSettings",
        {"description": "Greets warmly.", "modelSettings": {"model": "gemini-2.5-flash", "temperature": 0.2}},
    )


def test_a_field_that_differs_by_environment_is_edited_there_and_the_others_are_named(applied: Project) -> None:
    edit_desk(applied)
    found = merged(applied)
    files = applied.files()
    assert files[HERE] == "# only here\nmodelSettings: {temperature: 0.2}   # for tests\n"
    assert files[DESK] == TREE[DESK].replace("Greets.", "Greets warmly.")
    assert touched(found) == {"": ["agents/front-desk"], "prod": ["agents/front-desk"]}
    assert not found.apps[0].is_open
    assert applied.plan("dev").is_empty


def test_with_overlay_nothing_is_written_that_others_share(applied: Project) -> None:
    edit_desk(applied)
    found = merged(applied, only_here=True)
    files = applied.files()
    assert files[DESK] == TREE[DESK]
    assert files[HERE] == (
        "# only here\ndescription: Greets warmly.\nmodelSettings: {temperature: 0.2}   # for tests\n"
    )
    assert touched(found) == {}
    assert applied.plan("dev").is_empty


def test_with_overlay_a_file_is_made_where_there_was_none(applied: Project) -> None:
    """A list is said whole, a cleared field is null, a long text is beside its file."""
    (applied.root / HERE).unlink()
    applied.commit()
    applied.apply("dev")
    applied.edit(
        "agents/front-desk",
        "description,instruction,tools,modelSettings.temperature",
        {"instruction": "One.\nTwo.", "tools": [f"{APP}/tools/end_session"], "modelSettings": {}},
    )
    found = merged(applied, only_here=True)
    new = {path: text for path, text in applied.files().items() if path not in TREE}
    assert applied.files()[HERE] == (
        "description: null\nmodelSettings:\n  temperature: null\n"
        "instruction: {$file: front-desk.md}\ntools: [end_session]\n"
    )
    assert new == {"environments/dev/apps/help-desk/agents/front-desk.md": "One.\nTwo.\n"}
    assert touched(found) == {}
    assert applied.plan("dev").is_empty


@pytest.mark.parametrize("only_here", [False, True])
def test_what_is_gone_in_one_environment_is_left_out_of_it(applied: Project, only_here: bool) -> None:
    """The shared file stays: elsewhere the tool is live."""
    applied.edit("agents/front-desk", "tools", {})
    applied.delete("tools/look-up")
    found = merged(applied, only_here=only_here)
    files = applied.files()
    assert files["apps/help-desk/tools/look-up.yaml"] == TREE["apps/help-desk/tools/look-up.yaml"]
    assert files["environments/dev/apps/help-desk/tools/look-up.yaml"] == "$exclude: true\n"
    assert found.removed == ()
    assert touched(found) == ({} if only_here else {"": ["agents/front-desk"], "prod": ["agents/front-desk"]})
    assert applied.plan("dev").is_empty


def test_what_is_new_in_one_environment_stays_there_with_overlay(applied: Project) -> None:
    applied.create("tools/parcel-tool", {"clientFunction": {"name": "parcel", "description": "Where it is."}})
    found = merged(applied, only_here=True)
    assert found.written == ("environments/dev/apps/help-desk/tools/parcel-tool.yaml",)
    assert touched(found) == {}
    assert applied.plan("dev").is_empty


def test_nothing_is_written_that_would_break_another_environment(applied: Project) -> None:
    """The patch of prod tests what it changes; the edit of dev would make it fail."""
    applied.write(
        {
            "environments/prod/apps/help-desk/agents/front-desk.patch.yaml": (
                "- {op: test, path: /description, value: Greets.}\n"
            )
        }
    )
    edit_desk(applied)
    before = applied.files()
    with pytest.raises(InvalidConfiguration, match="Nothing was written") as caught:
        merged(applied)
    assert [item.code for item in caught.value.diagnostics] == ["CES103"]
    assert applied.files() == before
    merged(applied, only_here=True)
    assert applied.plan("dev").is_empty


def test_a_patch_that_says_the_field_is_left_to_people(applied: Project) -> None:
    patch = "environments/dev/apps/help-desk/agents/front-desk.patch.yaml"
    applied.write({patch: "- {op: replace, path: /description, value: Patched.}\n"})
    applied.commit()
    applied.apply("dev")
    edit_desk(applied)
    before = applied.files()
    found = merged(applied)
    assert found.apps[0].refused == {
        ("help-desk/agents/front-desk", ""): f"{patch} overrides its file: edit one of them"
    }
    assert found.apps[0].is_open
    assert applied.files() == before


def test_a_check_proves_too_and_writes_nothing(applied: Project) -> None:
    edit_desk(applied)
    before = applied.files()
    found = merged(applied, check=True)
    assert touched(found) == {"": ["agents/front-desk"], "prod": ["agents/front-desk"]}
    assert applied.files() == before


def test_what_the_service_takes_and_the_checks_do_not_is_silenced(applied: Project) -> None:
    """A merge never leaves a tree that `validate` refuses."""
    voice = {"en-US": {"voice": "en-US-A", "speakingRate": 9.0}}
    applied.seed({"": {**applied.read(""), "audioProcessingConfig": {"synthesizeSpeechConfigs": voice}}})
    found = merged(applied)
    assert [item.code for item in found.diagnostics if item.severity == "error"] == []
    assert "$silence:\n  CES062: live is like this\n" in applied.files()["apps/help-desk/app.yaml"]
    assert applied.plan("dev").is_empty


def test_what_comes_up_behind_a_silenced_error_is_silenced_too(applied: Project) -> None:
    """Checks pass over files with errors, so one round of silencing is not enough."""
    broken = {"beforeAgentCallbacks": [{"pythonCode": "def broken(:\n"}], "instruction": "Help."}
    applied.seed({"agents/nameless": broken})
    found = merged(applied)
    assert [item.code for item in found.diagnostics if item.severity == "error"] == []
    assert "$silence:\n  CES018: live is like this\n  CES040: live is like this\n" in "".join(
        applied.files("apps/help-desk/agents").values()
    )


NEW = "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9"


@pytest.mark.parametrize(
    ("environment", "before", "after"),
    [
        (
            "dev",
            "$id: {dev: old-desk-1, prod: desk-2}   # ids\n",
            f"$id: {{dev: {NEW}, prod: desk-2}}   # ids\n",
        ),
        ("dev", "$id: old-desk-1\n", f"$id:\n  prod: old-desk-1\n  dev: {NEW}\n"),
        ("", "$id: old-desk-1   # why\n", f"$id: {NEW}   # why\n"),
    ],
)
def test_the_id_of_what_was_made_anew_is_written_down(
    project: Project, environment: str, before: str, after: str
) -> None:
    """An import renews every id: what has the display name of the missing one is it, in this environment."""
    project.write(
        {**{path: text for path, text in TREE.items() if path != HERE}, DESK: f"{before}{TREE[DESK]}"}
    )
    project.commit()
    project.apply(environment)
    body = project.read("agents/old-desk-1")
    project.delete("agents/old-desk-1")
    project.seed({f"agents/{NEW}": {key: value for key, value in body.items() if key != "name"}})
    found = merge(project.root, environment=environment, connection=project.connection)
    assert project.files()[DESK] == f"{after}{TREE[DESK]}"
    assert [str(item) for item in found.apps[0].ids] == ["help-desk/agents/front-desk"]
    assert project.plan(environment).is_empty


def test_a_tree_of_links_is_proved_and_not_followed_out(applied: Project) -> None:
    """The copy that is proved writes through no link, and the tree's own files stay those they were."""
    outside = applied.root.parent / "outside.yaml"
    outside.write_text("kept\n")
    (applied.root / "notes.yaml").symlink_to(outside)
    (applied.root / "loop").symlink_to(applied.root)
    edit_desk(applied)
    before = applied.files()
    merged(applied, check=True)
    assert applied.files() == before
    assert outside.read_text() == "kept\n"
    outside.unlink()
