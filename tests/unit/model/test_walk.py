"""The walk led by the schema: what is visited in which order, and what a rewriting leaves as it is."""

from typing import Any

import pytest

from cesplan.domain.value import ABSENT
from cesplan.model.kinds import KINDS
from cesplan.model.scalars import Scalar
from cesplan.model.spec import FieldSpec
from cesplan.model.walk import FieldWalk, Rewriting, Trail

AGENT = KINDS["agents"].spec
BODY: dict[str, Any] = {
    "toolsets": [{"toolIds": ["b"], "toolset": "toolsets/x"}, {"toolset": "toolsets/y"}],
    "tools": ["tools/a", "tools/b"],
    "displayName": "a",
    "instruction": None,
    "modelSettings": {"model": "m", "temperature": 0.5},
    "newer": {"tools": ["tools/c"]},
}


def _visited(walk: FieldWalk, body: Any) -> list[str]:
    return [f"{path} {item}" for visit in walk.visits(AGENT, body) for path, item in visit.parts()]


def test_wanted_fields_come_in_the_order_of_the_model_or_of_the_body() -> None:
    """Each message before what is inside it; null counts as absent, and what is unknown is passed over."""

    def refers(_: str, known: FieldSpec) -> bool:
        return known.reference is not None

    in_body = [
        "toolsets[0].toolset toolsets/x",
        "toolsets[1].toolset toolsets/y",
        "tools[0] tools/a",
        "tools[1] tools/b",
    ]
    assert _visited(FieldWalk(refers, as_written=True), BODY) == in_body
    assert _visited(FieldWalk(refers), BODY) == [*in_body[2:], *in_body[:2]]


@pytest.mark.parametrize("body", [None, "text", [], {"modelSettings": "text"}, {"toolsets": {"a": 1}}])
def test_what_has_another_shape_is_not_walked_and_stays(body: Any) -> None:
    assert _visited(FieldWalk(lambda _, known: known.scalar is Scalar.DOUBLE), body) == []
    assert Rewriting().message(AGENT, body) == body


def test_a_rewriting_copies_what_it_does_not_change_and_leaves_out_what_is_absent() -> None:
    class WithoutReferences(Rewriting):
        def leaf(self, known: FieldSpec, value: Any, at: Trail) -> Any:
            return ABSENT if known.reference is not None and at[-1] != "toolset" else value

    made = WithoutReferences().message(AGENT, BODY)
    assert made == {**BODY, "tools": []}
    assert [*made] == [*BODY]
    assert Rewriting().message(AGENT, BODY) == BODY
