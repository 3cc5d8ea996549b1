"""The generators themselves: what they make occurs in every variety, and is always the same."""

from tests.properties.census import census, everything
from tests.properties.dice import seeded
from tests.properties.edits import EDITS, edited
from tests.properties.trees import tree

SEEDS = range(300)


def test_everything_occurs() -> None:
    """All kinds, fields, members of oneofs, scalar types, lists, maps and references occur in some tree."""
    found: set[str] = set()
    for seed in SEEDS:
        found |= census(tree(seeded(seed)))
    assert everything() - found == set()
    assert "a secret" in found


def test_trees_of_an_old_version_have_nothing_newer() -> None:
    """In v1 trees no kind and no field occurs that only v1beta has."""
    found: set[str] = set()
    for seed in range(30):
        found |= census(tree(seeded(seed), api_version="v1"))
    assert not [word for word in found if word.startswith("only in one version")]
    assert {word for word in found if word.startswith("kind ")} == {
        "kind agents",
        "kind apps",
        "kind deployments",
        "kind examples",
        "kind guardrails",
        "kind tools",
        "kind toolsets",
        "kind versions",
    }


def test_every_edit_occurs() -> None:
    """Each way of editing finds something to do, on most trees."""
    words = [edited(dice, tree(dice)).what.split()[0] for dice in map(seeded, range(120))]
    assert set(words) - {"no"} == {
        "added", "changed", "dropped", "locked", "removed", "renamed", "reordered", "set", "switched",
    }  # fmt: skip
    assert words.count("no") < 12
    assert len(EDITS) == 10


def test_the_same_throws_make_the_same_tree() -> None:
    assert tree(seeded(7)) == tree(seeded(7))
    assert tree(seeded(7)) != tree(seeded(8))
