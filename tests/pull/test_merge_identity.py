"""
Merging after an import: every resource has a new id, and is the same one.

Its `$id` line is rewritten where it is, and what someone changed in a resource is merged as always.
"""

import json
import urllib.request
from collections.abc import Mapping
from typing import Any

import pytest

from cesplan.domain.features.merge import MergeOutcome
from cesplan.workflow.merging import merge
from cesplan.workflow.pulling import pull
from tests.pull.conftest import APP, Project

AGENT = "apps/help-desk/agents/front-desk.yaml"
TOOL = "apps/help-desk/tools/look-up.yaml"
TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\n",
    "apps/help-desk/app.yaml": "displayName: Help Desk\nrootAgent: front-desk\n",
    AGENT: "# The one that answers.\n$id: 11111111-aaaa   # from the console\ndisplayName: Front Desk\n"
    "instruction: Be kind.\ntools: [look-up]\n",
    TOOL: "$id: {dev: 22222222-aaaa, prod: 99999999-aaaa}   # each its own\n"
    "pythonFunction: {name: look_up, pythonCode: 'def look_up(): ...'}\n",
}
ENVIRONMENTS = "environments: {dev: {}, prod: {}}\n"


@pytest.fixture
def applied(project: Project) -> Project:
    """The tree with its two environments, applied to `dev`."""
    project.write({**TREE, "cesplan.yaml": TREE["cesplan.yaml"] + ENVIRONMENTS})
    project.commit()
    project.apply("dev")
    return project


def renew(project: Project, **edits: Any) -> None:
    """Every resource under another id, as an import with OVERWRITE leaves an app."""
    new = {"agents/11111111-aaaa": "agents/11111111-bbbb", "tools/22222222-aaaa": "tools/22222222-bbbb"}
    names = {f"{APP}/{old}": f"{APP}/{now}" for old, now in new.items()}
    bodies = [project.read(""), *(project.read(old) for old in new)]
    project.emulator.reset()

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: renamed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [*map(renamed, value)]
        return names.get(value, value) if isinstance(value, str) else value

    for body in bodies:
        made = renamed(body)
        extra = edits if "/agents/" in made["name"] else {}
        project.emulator.seed({**made, **extra})


def merged(project: Project, **options: Any) -> MergeOutcome:
    return merge(project.root, connection=project.connection, environment="dev", **options)


def test_a_plan_of_what_an_import_made_anew_is_empty(applied: Project) -> None:
    """Neither a create nor a delete, and never a changed id: live changed, not the tree."""
    renew(applied)
    made = applied.plan("dev")
    assert made.is_empty
    assert [text.partition(";")[0] for text in made.notices if "re-created" in text] == [
        "help-desk/agents/front-desk was re-created under another id: 11111111-aaaa is gone",
        "help-desk/tools/look-up was re-created under another id: 22222222-aaaa is gone",
    ]


def test_the_id_lines_are_rewritten_where_they_are(applied: Project) -> None:
    """In a map only the entry of this environment; what was one id for all stays that of the others."""
    renew(applied)
    found = merged(applied)
    files = applied.files()
    assert files[AGENT] == TREE[AGENT].replace(
        "$id: 11111111-aaaa   # from the console",
        "$id:   # from the console\n  prod: 11111111-aaaa\n  dev: 11111111-bbbb",
    )
    assert files[TOOL] == TREE[TOOL].replace("dev: 22222222-aaaa", "dev: 22222222-bbbb")
    assert [(str(item.address), item.old, item.new) for item in found.apps[0].re_created] == [
        ("help-desk/agents/front-desk", "11111111-aaaa", "11111111-bbbb"),
        ("help-desk/tools/look-up", "22222222-aaaa", "22222222-bbbb"),
    ]
    assert (found.removed, found.apps[0].fates, found.apps[0].is_open) == ((), (), False)
    made = applied.plan("dev")
    assert made.is_empty
    assert not any("re-created" in text for text in made.notices)


def test_an_id_without_environments_is_one_word_again(project: Project) -> None:
    project.write(
        {**TREE, TOOL: TREE[TOOL].replace("{dev: 22222222-aaaa, prod: 99999999-aaaa}", "22222222-aaaa")}
    )
    project.commit()
    project.apply()
    renew(project)
    merge(project.root, connection=project.connection)
    files = project.files()
    assert files[AGENT] == TREE[AGENT].replace("11111111-aaaa", "11111111-bbbb")
    assert files[TOOL].splitlines()[0] == "$id: 22222222-bbbb   # each its own"


def test_edits_of_both_sides_are_merged_as_of_any_other_resource(applied: Project) -> None:
    renew(applied, instruction="Be kind and brief.")
    applied.replace(AGENT, "tools: [look-up]", "description: Answers.\ntools: [look-up]")
    found = merged(applied)
    (fields,) = [item.fields for item in found.apps[0].resources if item.fields]
    assert {str(item.path): item.result.value for item in fields} == {
        "instruction": "taken",
        "description": "kept",
    }
    assert "instruction: Be kind and brief.\n" in applied.files()[AGENT]
    (operation,) = applied.plan("dev").shown
    assert (str(operation.address), operation.action.value) == ("help-desk/agents/front-desk", "update")


def test_a_second_import_is_followed_too(applied: Project) -> None:
    renew(applied)
    merged(applied)
    applied.commit()
    applied.apply("dev")
    bodies = {at: applied.read(at) for at in ("", "agents/11111111-bbbb", "tools/22222222-bbbb")}
    applied.emulator.reset()
    for body in bodies.values():
        text = str(body["name"]).replace("-bbbb", "-cccc")
        agent = {**body, "name": text, "tools": [f"{APP}/tools/22222222-cccc"]} if "/agents/" in text else {}
        app = {**body, "rootAgent": f"{APP}/agents/11111111-cccc"} if text == APP else {}
        applied.emulator.seed(agent or app or {**body, "name": text})
    assert applied.plan("dev").is_empty
    merged(applied)
    assert "  dev: 11111111-cccc\n" in applied.files()[AGENT]


def test_a_real_import_over_an_app_is_followed_with_all_its_references(applied: Project) -> None:
    """The service exports the app and imports it over itself: agents, tools and guardrails have new ids."""
    sent = post(applied, f"{APP}:exportApp", {"exportFormat": "JSON"})["response"]["appContent"]
    options = {"conflictResolutionStrategy": "OVERWRITE"}
    place = APP.rpartition("/apps/")[0]
    content = {"appId": "help-desk", "importOptions": options, "appContent": sent}
    assert "error" not in post(applied, f"{place}/apps:importApp", content)
    made = applied.plan("dev")
    assert {item.action.value for item in made.shown} <= {"update"}
    found = merged(applied)
    assert {str(item.address) for item in found.apps[0].re_created} == {
        "help-desk/agents/front-desk",
        "help-desk/tools/look-up",
    }
    assert (found.apps[0].fates, found.removed) == ((), ())
    assert applied.plan("dev").is_empty
    assert "tools: [look-up]\n" in applied.files()[AGENT]


def post(project: Project, name: str, body: Mapping[str, Any]) -> Any:
    request = urllib.request.Request(
        f"http://{project.emulator.address}/v1beta/{name}",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_an_id_that_a_person_wrote_is_not_taken_back(applied: Project) -> None:
    """The stamp knows the old id: the tree has changed, not live, and the merge leaves the line alone."""
    applied.replace(TOOL, "22222222-aaaa", "33333333-aaaa")
    merged(applied)
    assert "dev: 33333333-aaaa" in applied.files()[TOOL]


def test_a_display_name_that_was_changed_live_is_a_field(applied: Project) -> None:
    applied.edit("agents/11111111-aaaa", "displayName", {"displayName": "Reception"})
    found = merged(applied)
    assert applied.files()[AGENT] == TREE[AGENT].replace("Front Desk", "Reception")
    assert (found.apps[0].fates, found.apps[0].re_created) == ((), ())
    assert applied.plan("dev").is_empty


def test_a_plain_pull_says_it_and_writes_no_second_file(applied: Project) -> None:
    renew(applied)
    before = applied.files()
    found = pull(applied.root, "help-desk", environment="dev", connection=applied.connection)
    assert [text.partition(":")[0] for text in found.notices] == [
        "help-desk/agents/front-desk was re-created under another id",
        "help-desk/tools/look-up was re-created under another id",
    ]
    assert (found.written, applied.files()) == ((), before)


def test_a_check_shows_it_and_writes_nothing(applied: Project) -> None:
    renew(applied)
    before = applied.files()
    found = merged(applied, check=True)
    assert len(found.apps[0].re_created) == 2
    assert (applied.files(), found.is_empty) == (before, False)
