"""What every plan of an app ends with: the stamp."""

from typing import Any

import pytest

from cesplan.domain.app_metadata.stamp import id_mark, stamp_texts
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Reason
from cesplan.engine.comparing.stamp import new_stamp
from cesplan.engine.comparing.value_redactor import NOTHING_SECRET
from cesplan.engine.planning.context import context_of
from tests.unit.engine.builders import NOTHING, desired, live, planned

TREE = desired({"agents/front-desk": {"displayName": "Front"}})
SAME = stamp_texts(
    new_stamp(
        TREE.apps[0], TREE, context_of(TREE.apps[0], TREE, NOTHING, PlanOptions(), NOTHING_SECRET).matched, 5
    )
)
LIVE = {"agents/front-desk": {"displayName": "Front"}}


@pytest.mark.parametrize(
    ("metadata", "stamps"),
    [
        ({}, True),
        ({"cesplan-digest": "of another tree"}, True),
        ({"cesplan-commit": "c0ffee" * 7}, True),
        (SAME, False),
        ({**SAME, "cesplan-sequence": "17"}, False),
        ({**SAME, "cesplan-wrote": "0a1b2c3d"}, False),
        ({**SAME, "cesplan-partial": "0" * 32}, True),
        ({**SAME, "cesplan-commit": "0123456789" * 4}, True),
    ],
)
def test_an_apply_that_was_killed_before_its_stamp_is_finished(metadata: dict[str, Any], stamps: bool) -> None:
    """Live matches the tree and the stamp says otherwise: it is written, and that is not a change to anyone."""
    made = planned(TREE, live(LIVE, {"displayName": "Shop", "metadata": metadata}, stamped=False))
    assert [item.reason for item in made.operations] == [Reason.STAMP] * stamps
    assert made.is_empty


def test_no_lock_is_opened_for_a_stamp_alone() -> None:
    tree = desired({"agents/front-desk": {"displayName": "Front"}}, {"displayName": "Shop", "locked": True})
    assert planned(tree, live(LIVE, {"displayName": "Shop", "locked": True}, stamped=False)).operations == ()


def test_first_contact_that_holds_something_back_leaves_no_stamp() -> None:
    state = live({**LIVE, "agents/theirs": {"displayName": "Theirs"}}, stamped=False)
    assert planned(TREE, state).operations == ()


def test_the_stamp_says_what_the_apply_writes() -> None:
    """By marks of ids, so that an edit of anything else before the stamp is known as one."""
    tree = desired({"agents/front-desk": {"displayName": "Desk"}, "agents/new-desk": {"displayName": "New"}})
    (stamp,) = [item for item in planned(tree, live(LIVE)).operations if item.reason is Reason.STAMP]
    marks = sorted(id_mark("agents", name) for name in ("front-desk", "new-desk"))
    assert (stamp.after or {})["metadata"]["cesplan-wrote"] == " ".join(marks)
