"""
Where the base of a merge comes from: the tree at the stamp's commit, and what is in for it.

Each weaker base says why it was used; a lost edit would be worse than a conflict too many.
"""

from typing import Any

import pytest

from cesplan.domain.features.merge import AppMerge
from cesplan.workflow.merging import merge
from tests.pull.conftest import Project

TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\n",
    "apps/help-desk/app.yaml": "displayName: Help Desk\nmodelSettings: {model: m-1}\n",
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front Desk\ndescription: old\ninstruction: old\n",
}
AGENT = "apps/help-desk/agents/front-desk.yaml"


def merged(project: Project, **options: Any) -> AppMerge:
    (found,) = merge(project.root, connection=project.connection, **options).apps
    return found


def verdicts(found: AppMerge) -> dict[str, str]:
    return {str(item.path): item.result.value for resource in found.resources for item in resource.fields}


def edit_both_sides(project: Project) -> None:
    """The tree changes one field, live another."""
    project.replace(AGENT, "description: old", "description: tree")
    project.edit("agents/front-desk", "instruction", {"instruction": "live"})


BOTH = {"description": "kept", "instruction": "taken"}


@pytest.fixture
def tree(project: Project) -> Project:
    project.write(TREE)
    return project


def test_the_tree_at_the_stamps_commit_comes_first(tree: Project) -> None:
    """Also when the tree has moved on since, and is below the root of the repository."""
    tree.commit()
    tree.apply()
    edit_both_sides(tree)
    tree.commit()
    found = merged(tree)
    assert (found.base[:11], found.weaker) == ("the tree at", "")
    assert verdicts(found) == BOTH


def test_a_stamp_from_a_dirty_tree_gives_way_to_the_change_log(tree: Project) -> None:
    tree.commit()
    tree.replace(AGENT, "instruction: old", "instruction: dirty")
    tree.apply()
    edit_both_sides(tree)
    found = merged(tree)
    assert found.base.startswith("the change log (the state before the edits since the last apply)")
    assert "with local changes that are not in" in found.weaker
    assert verdicts(found) == BOTH


def test_a_commit_that_is_not_here_is_named(tree: Project) -> None:
    tree.commit()
    tree.apply()
    tree.edit("", "metadata", {"metadata": {**tree.read("")["metadata"], "cesplan-commit": "c0ffee12" * 5}})
    edit_both_sides(tree)
    found = merged(tree)
    assert "the commit c0ffee12c0ff is not in this repository" in found.weaker
    assert found.base.startswith("the change log (the state before the edits")


def test_a_version_of_the_tree_fills_in_what_the_change_log_does_not_tell(tree: Project) -> None:
    tree.write({"apps/help-desk/versions/release-1.yaml": "displayName: One\n"})
    tree.apply()
    edit_both_sides(tree)
    found = merged(tree)
    assert found.base.startswith("the change log (the state before the edits since the last apply)")
    assert found.base.endswith(
        "otherwise the snapshot of version release-1; kinds outside snapshots are compared two-way"
    )
    assert found.weaker == "the last apply ran outside git"
    assert verdicts(found) == BOTH


def test_without_a_stamp_the_change_log_since_the_commit_of_each_file_counts(tree: Project) -> None:
    """A tree that was pulled and never applied: clicking goes on, and edits are distinguished."""
    tree.seed({"": {"displayName": "Help Desk", "modelSettings": {"model": "m-1"}}})
    tree.seed({"agents/front-desk": {"displayName": "Front Desk", "description": "old", "instruction": "old"}})
    tree.commit(date="2026-01-01T00:00:00Z")
    edit_both_sides(tree)
    found = merged(tree)
    assert found.weaker == "the app has no stamp of a complete apply"
    assert "since the files were committed" in found.base
    assert verdicts(found) == BOTH


def test_with_nothing_to_go_by_the_merge_has_two_sides_and_says_so(tree: Project) -> None:
    tree.seed({"": {"displayName": "Help Desk", "modelSettings": {"model": "m-1"}}})
    tree.seed({"agents/front-desk": {"displayName": "Front Desk", "instruction": "live", "tools": []}})
    found = merged(tree)
    assert found.base.startswith("none:")
    assert found.weaker == "the app has no stamp of a complete apply"
    assert verdicts(found) == {"description": "kept", "instruction": "conflict"}


def test_what_was_deleted_live_is_told_from_what_is_new_in_the_tree(tree: Project) -> None:
    tree.write({"apps/help-desk/agents/second.yaml": "displayName: Second\n"})
    tree.commit()
    tree.apply()
    tree.write({"apps/help-desk/agents/third.yaml": "displayName: Third\n"})
    tree.delete("agents/second")
    found = merged(tree)
    assert {item.address.key: item.fate.value for item in found.fates} == {
        "second": "deleted",
        "third": "only_in_tree",
    }
    assert sorted(tree.files("apps/help-desk/agents")) == ["front-desk.yaml", "third.yaml"]


def test_a_base_of_another_environment_is_read_as_that(tree: Project) -> None:
    """The stamp says which environment was applied; its variables count."""
    tree.write(
        {
            "cesplan.yaml": TREE["cesplan.yaml"]
            + "variables: {word: top}\nenvironments: {dev: {variables: {word: dev}}}\n"
        }
    )
    tree.replace(AGENT, "description: old", "description: ${word}")
    tree.commit()
    tree.apply("dev")
    tree.edit("agents/front-desk", "instruction", {"instruction": "live"})
    assert verdicts(merged(tree, environment="dev")) == {"instruction": "taken"}


@pytest.mark.parametrize("target", ["/etc/hostname", "../../../outside.md"])
def test_a_committed_link_that_leads_out_is_left_out_with_a_notice(tree: Project, target: str) -> None:
    """Absolute or outward, it is no reason to end: what it leads to is not part of the tree."""
    (tree.root / "apps/help-desk/notes.md").symlink_to(target)
    tree.commit()
    tree.apply()
    edit_both_sides(tree)
    found = merged(tree)
    assert (found.base[:11], found.weaker) == ("the tree at", "")
    assert verdicts(found) == BOTH
    (notice,) = found.notices
    assert notice.startswith("apps/help-desk/notes.md of the commit ")
    assert "omitted from the base: a link that points outside the tree" in notice


@pytest.mark.parametrize("commit", ["HEAD", "HEAD~0", "--output=x", "main", "c0ffee1"])
def test_a_stamp_names_a_commit_by_its_full_id_only(tree: Project, commit: str) -> None:
    """Anyone who can edit the app may edit its metadata: a revision there would choose what the base is."""
    tree.commit()
    tree.apply()
    tree.edit("", "metadata", {"metadata": {**tree.read("")["metadata"], "cesplan-commit": commit}})
    edit_both_sides(tree)
    assert not merged(tree).base.startswith("the tree at")
