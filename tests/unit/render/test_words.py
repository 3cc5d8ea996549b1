"""The reason of an operation in words."""

import pytest

from cesplan.domain.change import Origin
from cesplan.render.plan_words import reason_of
from tests.unit.render.builders import create, delete


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (Origin.TREE, "removed from the tree"),
        (Origin.BOTH, "removed from the tree"),
        (Origin.LIVE, "not in the tree"),
        (Origin.UNKNOWN, "not in the tree"),
    ],
)
def test_only_what_was_in_the_tree_is_removed_from_it(origin: Origin, words: str) -> None:
    """A resource that was created live, or whose past is unknown, was perhaps never in the tree."""
    assert reason_of(delete("support-desk/tools/old", origin=origin)) == words


def test_other_reasons_do_not_depend_on_the_origin() -> None:
    assert reason_of(create("support-desk/tools/one", origin=Origin.LIVE)) == "new"
