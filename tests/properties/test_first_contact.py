"""
Law: what a tree does not name does not change on first contact, in lists and maps as well.

The oracle looks at the live body before and after, and knows of lists only whether they have keys and an order.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from cesplan.domain.naming import Naming
from cesplan.domain.value import Body, canonical_text
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.planning.first_contact import laid_over
from cesplan.model.element_keys import keys_of
from cesplan.model.kinds import Kind, kind_of
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec
from tests.properties.dice import Dice
from tests.properties.steadily import steadily
from tests.properties.test_masks import KINDS_WITH_UPDATES, a_pair
from tests.properties.trees import APP, WHERE

NAMING = Naming(place=WHERE, app_id=APP)


@pytest.mark.parametrize("kind", KINDS_WITH_UPDATES)
def test_what_the_file_does_not_name_stays(kind: str) -> None:
    @steadily(40)
    def law(throws: Dice) -> None:
        nothing_unnamed_goes(throws, kind_of(kind))

    law()


def nothing_unnamed_goes(throws: Dice, kind: Kind) -> None:
    wanted, there = (normalize(kind.spec, body, NAMING) for body in a_pair(throws, kind))
    laid = laid_over(kind.spec, wanted, there.body)
    assert [*lost(kind.spec, there.body, laid.body, wanted.body)] == []
    assert [*lost(kind.spec, wanted.body, laid.body, wanted.body)] == []
    again = laid_over(kind.spec, wanted, laid.body)
    assert diff(kind.spec, again.body, laid.body, Scope()) == ()


def lost(spec: MessageSpec, before: Body, after: Body, wanted: Any, path: str = "") -> Iterator[str]:
    """The places of a body that are no longer there."""
    for name, value in before.items():
        known, here = spec.fields[name], f"{path}.{name}"
        members = spec.oneofs.get(known.oneof, ())
        switched = isinstance(wanted, dict) and any(other in wanted for other in members if other != name)
        if name not in after:
            if not switched:
                yield here
            continue
        inner = wanted.get(name) if isinstance(wanted, dict) else None
        yield from _lost(known, value, after[name], inner, here)


def _lost(known: FieldSpec, before: Any, after: Any, wanted: Any, here: str) -> Iterator[str]:
    match known.cardinality:
        case Cardinality.LIST:
            yield from _lost_elements(known, before, after, here)
        case Cardinality.MAP:
            yield from (f"{here}[{key}]" for key in before if key not in after)
        case Cardinality.ONE if known.scalar is Scalar.MESSAGE:
            yield from lost(known.message, before, after, wanted, here)


def _lost_elements(known: FieldSpec, before: list[Any], after: list[Any], here: str) -> Iterator[str]:
    keys = (keys_of(known, before), keys_of(known, after))
    if keys[0] is not None and keys[1] is not None:
        yield from (f"{here}{key}" for key in keys[0] if key not in keys[1])
    elif known.scalar is not Scalar.MESSAGE or known.list_meaning is ListMeaning.SET:
        gone = Counter(map(canonical_text, before)) - Counter(map(canonical_text, after))
        yield from (f"{here}[{text}]" for text in gone)
    elif len(after) < len(before):
        yield f"{here}: {len(before) - len(after)} fewer"
