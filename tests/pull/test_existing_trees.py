"""Pulling into trees that exist: nothing written by hand is lost, and what is there is recognized."""

from typing import Any

import pytest

from cesplan.domain.choice import Choice
from cesplan.domain.errors import CesplanError, InvalidConfiguration, UsageError
from cesplan.workflow.pulling import Pulled, pull
from tests.pull.conftest import APP, PLACE, Project

MACHINE = "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9"
TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\n",
    "apps/help-desk/app.yaml": "# ours\ndisplayName: Help Desk\n",
    "apps/help-desk/agents/front-desk.yaml": "# by hand\ndisplayName: Front Desk\n",
}
LIVE: dict[str, dict[str, Any]] = {
    "": {"displayName": "Help Desk"},
    f"agents/{MACHINE}": {"displayName": "Front Desk"},
    "agents/helper": {"displayName": "Helper", "childAgents": [f"{APP}/agents/{MACHINE}"]},
    "tools/look-up": {"clientFunction": {"name": "look_up", "description": "d"}},
}


def pulled(project: Project, app: str = "help-desk", **options: Any) -> Pulled:
    return pull(project.root, app, connection=project.connection, **options)


def test_what_is_new_gets_files_and_what_is_equal_is_not_touched(project: Project) -> None:
    """References name resources by the keys that the tree has for them."""
    project.write(TREE)
    project.seed(LIVE)
    found = pulled(project)
    assert found.written == ("apps/help-desk/agents/helper.yaml", "apps/help-desk/tools/look-up.yaml")
    files = project.files()
    assert {path: files[path] for path in TREE} == TREE
    assert files["apps/help-desk/agents/helper.yaml"] == "displayName: Helper\nchildAgents: [front-desk]\n"
    assert found.equal == 2


def test_where_a_file_says_something_else_nothing_is_written_at_all(project: Project) -> None:
    project.write(
        {**TREE, "apps/help-desk/agents/front-desk.yaml": "displayName: Front Desk\ndescription: ours\n"}
    )
    project.seed(LIVE)
    before = project.files()
    found = pulled(project)
    assert [(str(address), fields) for address, fields in found.differing] == [
        ("help-desk/agents/front-desk", ("description",))
    ]
    assert (found.written, project.files()) == ((), before)


def test_what_is_only_in_the_tree_stays(project: Project) -> None:
    project.write({**TREE, "apps/help-desk/agents/not-yet.yaml": "displayName: Not yet\n"})
    project.seed(LIVE)
    found = pulled(project)
    assert [str(address) for address in found.only_in_tree] == ["help-desk/agents/not-yet"]
    assert "apps/help-desk/agents/not-yet.yaml" in project.files()


def test_a_display_name_that_changes_renames_no_file(project: Project) -> None:
    project.seed(LIVE)
    pulled(project, place=PLACE)
    before = project.files()
    project.seed({f"agents/{MACHINE}": {"displayName": "Reception"}})
    found = pulled(project)
    assert [str(address) for address, _ in found.differing] == ["help-desk/agents/front-desk"]
    assert project.files() == before


def test_a_plan_never_creates_what_is_there(project: Project) -> None:
    """Adoption: a tree written by hand, on an app that exists; nothing live is named for a create."""
    project.write(TREE)
    project.seed(LIVE)
    assert project.plan().is_empty
    assert [item.reason.value for item in project.plan(adopt=True).shown] == ["not_in_tree"]


def test_only_what_is_chosen_is_pulled_and_others_are_named_by_their_ids(project: Project) -> None:
    project.seed(LIVE)
    found = pulled(
        project, place=PLACE, choice=Choice(only=("app", "agents/*"), exclude=("agents/front-desk",))
    )
    files = project.files()
    assert sorted(files) == ["apps/help-desk/agents/helper.yaml", "apps/help-desk/app.yaml", "cesplan.yaml"]
    assert f"childAgents: [agents/@{MACHINE}]\n" in files["apps/help-desk/agents/helper.yaml"]
    (notice,) = found.notices
    assert notice.startswith("help-desk/agents/front-desk was skipped")


def test_what_a_location_has_once_comes_along_unless_the_tree_has_it(project: Project) -> None:
    """It is shared by all apps there, and owned as declared."""
    policy = {"endpointControlPolicy": {"enforcementScope": "ALWAYS", "allowedOrigins": ["https://a.example"]}}
    project.seed(LIVE)
    project.seed({"securitySettings": policy}, app=PLACE.name)
    pulled(project, place=PLACE, choice=Choice(exclude=("tools",)))
    text = "endpointControlPolicy:\n  enforcementScope: ALWAYS\n  allowedOrigins:\n    - https://a.example\n"
    assert project.files()["securitySettings.yaml"] == text
    project.write({"securitySettings.yaml": "# ours\n" + text})
    pulled(project)
    assert project.files()["securitySettings.yaml"] == "# ours\n" + text


def test_a_pattern_that_means_nothing_is_said(project: Project) -> None:
    """With what was probably meant, and before a file is written."""
    project.seed(LIVE)
    with pytest.raises(
        UsageError, match=r"`agents/front-dsk` matches no resource.* Did you mean `agents/front-desk`"
    ):
        pulled(project, place=PLACE, choice=Choice(only=("app", "agents/front-dsk")))
    assert project.files() == {}


def test_a_version_is_pulled_from_its_snapshot(project: Project) -> None:
    snapshot = {"app": {"name": APP, "displayName": "As it was"}, "agents": [], "tools": []}
    project.seed({**LIVE, "versions/release-1": {"displayName": "Release 1", "snapshot": snapshot}})
    pulled(project, place=PLACE, version="Release 1")
    assert project.files() == {
        "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\napiVersion: v1beta\napps: [apps/*]\n",
        "apps/help-desk/app.yaml": "displayName: As it was\n",
    }
    with pytest.raises(UsageError, match="no version `release-9`"):
        pulled(project, version="release-9")


def test_a_new_file_of_an_environment_holds_the_id_of_that_environment(project: Project) -> None:
    project.write({**TREE, "cesplan.yaml": TREE["cesplan.yaml"] + "environments: {dev: {}, prod: {}}\n"})
    project.write(
        {"apps/help-desk/agents/front-desk.yaml": f"$id: {{dev: {MACHINE}}}\ndisplayName: Front Desk\n"}
    )
    other = "99999999-5f60-4718-8293-a4b5c6d7e8f9"
    project.seed({**LIVE, f"guardrails/{other}": {"displayName": "Be kind"}})
    pulled(project, environment="dev")
    assert (
        project.files()["apps/help-desk/guardrails/be-kind.yaml"]
        == f"$id:\n  dev: {other}\ndisplayName: Be kind\n"
    )


@pytest.mark.parametrize("name", ["help-desk", "Help Desk", APP])
def test_an_app_goes_by_its_id_its_display_name_and_its_full_name(project: Project, name: str) -> None:
    project.seed(LIVE)
    assert pulled(project, name, place=PLACE).app == "help-desk"


def test_an_app_that_is_not_there_is_named_with_those_that_are(project: Project) -> None:
    project.seed(LIVE)
    with pytest.raises(UsageError) as error:
        pulled(project, "helpdesk", place=PLACE)
    assert error.value.summary == "There is no app `helpdesk` there. Did you mean `help-desk`?"
    assert "help-desk   Help Desk" in error.value.detail


def test_a_display_name_that_two_apps_have_is_not_guessed(project: Project) -> None:
    project.seed(LIVE)
    project.seed({"": {"displayName": "Help Desk"}}, app=APP.replace("help-desk", "other-desk"))
    with pytest.raises(UsageError, match="more than one app"):
        pulled(project, "Help Desk", place=PLACE)


def test_without_a_tree_somebody_has_to_say_where_the_app_is(project: Project) -> None:
    with pytest.raises(UsageError, match="the location of the app is unknown"):
        pulled(project)


def test_a_second_app_stands_beside_the_first_under_a_key_of_its_own(project: Project) -> None:
    project.write(TREE)
    project.seed(LIVE)
    project.seed({"": {"displayName": "Help Desk"}}, app=APP.replace("help-desk", MACHINE))
    found = pulled(project, MACHINE)
    assert found.written == ("apps/help-desk-1b2c/app.yaml",)
    assert project.files()["apps/help-desk-1b2c/app.yaml"] == f"$id: {MACHINE}\ndisplayName: Help Desk\n"


def test_a_tree_with_errors_is_left_alone(project: Project) -> None:
    project.write({**TREE, "apps/help-desk/app.yaml": "displayname: Help Desk\n"})
    project.seed(LIVE)
    with pytest.raises(InvalidConfiguration):
        pulled(project)


def test_a_folder_that_is_a_link_out_of_the_tree_is_refused(project: Project) -> None:
    (project.root / "elsewhere").mkdir()
    tree = project.root / "tree"
    (tree / "apps").mkdir(parents=True)
    (tree / "apps" / "help-desk").symlink_to(project.root / "elsewhere")
    project.seed(LIVE)
    with pytest.raises(CesplanError, match="leads out of the tree"):
        pull(tree, "help-desk", new_tree=True, place=PLACE, connection=project.connection)
    assert [*(project.root / "elsewhere").iterdir()] == []
