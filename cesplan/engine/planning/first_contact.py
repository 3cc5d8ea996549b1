"""
First contact: whatever the tree does not name is kept, also in lists and maps.

On an app that was never applied, a file is merged over the live resource: what it names gets its value, and
everything else stays. Lists are replaced as a whole on the wire, so their remaining elements must be sent.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.value import ABSENT, Body, canonical_text, comparable
from cesplan.engine.comparing.normalize import Normalized
from cesplan.engine.comparing.pairs import Pair, pair_by_keys, pair_by_order, pair_by_value
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec


def laid_over(spec: MessageSpec, desired: Normalized, live: Body) -> Normalized:
    """A desired body, completed with everything in the live one that the file does not mention."""
    return replace(desired, body=_Laying(desired).message(spec, desired.body, live, FieldPath()))


def held_back(changes: Iterable[FieldChange], kept: Iterable[FieldChange]) -> tuple[FieldChange, ...]:
    """The removals that are held back: `changes` of the file alone that are not `kept` by the merged body."""
    left = Counter(_mark(item) for item in kept)
    held: list[FieldChange] = []
    for item in changes:
        if item.action is FieldAction.ADDED or item.action is FieldAction.MOVED:
            continue
        if item.is_set:
            held += _gone_of_set(item)
        elif left[_mark(item)]:
            left[_mark(item)] -= 1
        else:
            held.append(item)
    return tuple(held)


def _mark(change: FieldChange) -> tuple[str, str]:
    """
    Identifies a change by place and old value, because places in lists shift if earlier elements are kept.
    """
    segments = tuple(Index(0) if isinstance(item, Index) else item for item in change.path.segments)
    return str(FieldPath(segments)), comparable(change.before)


def _gone_of_set(change: FieldChange) -> Iterator[FieldChange]:
    """The elements that only live has in a set, each as a separate change."""
    before, after = ([*value] if isinstance(value, list) else [] for value in (change.before, change.after))
    for pair in pair_by_value(after, before):
        if pair.desired is None and pair.live is not None:
            element = before[pair.live]
            text = element if isinstance(element, str) else canonical_text(element)
            yield replace(change, path=change.path / Entry(text), action=FieldAction.REMOVED, before=element)


class _Laying:
    """Recursive, because the result for a field depends on the live value, down to each element."""

    def __init__(self, desired: Normalized) -> None:
        self._named = desired.named

    def message(self, spec: MessageSpec, desired: Body, live: Body, here: FieldPath) -> Body:
        body = dict(desired)
        for known in spec.settable:
            if known.name in live:
                value = self._field(spec, known, desired, live[known.name], here / known.name)
                if value is not ABSENT:
                    body[known.name] = value
        return body

    def _field(self, spec: MessageSpec, known: FieldSpec, desired: Body, live: Any, here: FieldPath) -> Any:
        one = desired.get(known.name, ABSENT)
        if one is not ABSENT:
            return self._both(known, one, live, here)
        if known.oneof and any(name in desired for name in spec.oneofs[known.oneof]):
            return ABSENT
        if not self._is_named(here):
            return live
        inside = known.cardinality is Cardinality.ONE and known.scalar is Scalar.MESSAGE
        if inside and isinstance(live, dict) and self._is_named_inside(here):
            return self.message(known.message, {}, live, here)
        return ABSENT

    def _is_named(self, here: FieldPath) -> bool:
        return any(path.is_inside(here) for path in self._named)

    def _is_named_inside(self, here: FieldPath) -> bool:
        return any(path != here and path.is_inside(here) for path in self._named)

    def _both(self, known: FieldSpec, one: Any, live: Any, here: FieldPath) -> Any:
        if known.cardinality is Cardinality.LIST and isinstance(one, list) and isinstance(live, list):
            return self._list(known, one, live, here)
        if known.cardinality is Cardinality.MAP and isinstance(one, dict) and isinstance(live, dict):
            return self._map(known, one, live, here)
        return self._one(known, one, live, here)

    def _one(self, known: FieldSpec, one: Any, live: Any, here: FieldPath) -> Any:
        if known.scalar is Scalar.MESSAGE and isinstance(one, dict) and isinstance(live, dict):
            return self.message(known.message, one, live, here)
        return one

    def _map(self, known: FieldSpec, one: Body, live: Body, here: FieldPath) -> Body:
        kept = {key: value for key, value in live.items() if here / Entry(key) not in self._named}
        laid = {key: self._one(known, value, live.get(key), here / Entry(key)) for key, value in one.items()}
        return {**kept, **laid}

    def _list(self, known: FieldSpec, one: list[Any], live: list[Any], here: FieldPath) -> list[Any]:
        keyed = pair_by_keys(known, one, live)
        if keyed is not None:
            return self._in_live_order(known, [pair for _, pair in keyed], one, live, here)
        if known.list_meaning is ListMeaning.SET:
            return self._in_live_order(known, pair_by_value(one, live), one, live, here)
        return [*_in_order(known, one, live)]

    def _in_live_order(
        self, known: FieldSpec, pairs: list[Pair], one: list[Any], live: list[Any], here: FieldPath
    ) -> list[Any]:
        """
        All live elements in order, with the file's values for those that it names, followed by new elements.
        """
        named = {pair.live: pair.desired for pair in pairs if pair.live is not None}
        laid = []
        for place, element in enumerate(live):
            at = named.get(place)
            laid.append(element if at is None else self._one(known, one[at], element, here / Index(at)))
        return laid + [one[pair.desired] for pair in pairs if pair.live is None and pair.desired is not None]


def _in_order(known: FieldSpec, one: list[Any], live: list[Any]) -> Iterator[Any]:
    """
    An ordered list with the live elements that it lacks, at their positions.

    A message that differs from the file's message at its position was edited; any other differing element is
    separate.
    """
    extra = Counter(map(comparable, live))
    extra.subtract(map(comparable, one))
    for pair in pair_by_order(one, live):
        edited = pair.desired is not None and known.scalar is Scalar.MESSAGE
        if pair.live is not None and not edited and extra[comparable(live[pair.live])] > 0:
            extra[comparable(live[pair.live])] -= 1
            yield live[pair.live]
        if pair.desired is not None:
            yield one[pair.desired]
