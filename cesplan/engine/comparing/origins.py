"""
Origins: which side of a difference between desired and live has changed since the base (the last applied
state).

Three diffs decide: desired and live (the planned changes), base and live (the live edits), and desired and base
(the tree's changes). Elements of ordered lists have different positions on each side, so the first two diffs
are joined by live's positions, and the first and the last by those of desired.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from cesplan.domain.change import FieldAction, FieldChange, Origin
from cesplan.domain.field_path import FieldPath, Index
from cesplan.domain.text.text_merge import Merged, finest_of, merge_text
from cesplan.domain.value import Body, comparable


def field_origins(
    changes: Sequence[FieldChange], live_edits: Sequence[FieldChange], tree_edits: Sequence[FieldChange]
) -> tuple[Origin, ...]:
    """
    The origin of each change, in order.

    `live_edits` lead from live back to the base, `tree_edits` from the base to desired.
    """
    live = _Places((item.place_live, item) for item in live_edits)
    tree = _Places((item.path, item) for item in tree_edits)
    origins = [_origin(item, live, tree) for item in changes]
    missed = _missed(changes, origins, live_edits, tree_edits)
    return tuple(
        Origin.BOTH if origin is Origin.TREE and _meets_any(item, missed) else origin
        for item, origin in zip(changes, origins, strict=True)
    )


def together(origins: Iterable[Origin]) -> Origin:
    """The combined origin of several fields of a resource."""
    found = set(origins)
    if Origin.BOTH in found or {Origin.TREE, Origin.LIVE} <= found:
        return Origin.BOTH
    for origin in (Origin.UNKNOWN, Origin.LIVE):
        if origin in found:
            return origin
    return Origin.TREE


def edited_between(change: FieldChange, before: Body, after: Body) -> bool:
    """
    Whether live was edited at the place of a change, between two canonical states of live.

    Elements of ordered lists have no stable place, so an added or removed element is searched by value.
    """
    segments = change.place_live.segments
    ordered = next((at for at, segment in enumerate(segments) if isinstance(segment, Index)), None)
    if ordered is None:
        return _comparable_at(before, change.place_live) != _comparable_at(after, change.place_live)
    holder = FieldPath(segments[:ordered])
    if ordered == len(segments) - 1 and change.action in (FieldAction.ADDED, FieldAction.REMOVED):
        went = change.action is FieldAction.ADDED
        element = comparable(change.after if went else change.before)
        was, is_now = (
            element in [comparable(item) for item in holder.get(body) or []] for body in (before, after)
        )
        return was and not is_now if went else is_now and not was
    return _comparable_at(before, holder) != _comparable_at(after, holder)


def _comparable_at(body: Body, path: FieldPath) -> str:
    return comparable(path.get(body))


class _Places:
    """The places where one side was edited."""

    def __init__(self, edits: Iterable[tuple[FieldPath, FieldChange]]) -> None:
        self._at = dict(edits)
        self._above = _all_above(self._at)
        self._masks = {FieldPath(item.mask.fields) for item in self._at.values()}
        self._above_masks = _all_above(self._masks)

    def reaches(self, mask: FieldPath) -> bool:
        """True if something that this mask writes, or that contains it, was edited."""
        above = (FieldPath(mask.segments[:size]) for size in range(1, len(mask.segments) + 1))
        return mask in self._above_masks or any(place in self._masks for place in above)

    def exactly(self, path: FieldPath) -> FieldChange | None:
        return self._at.get(path)

    def inside(self, path: FieldPath) -> bool:
        """True if something below this place was edited."""
        return path in self._above

    def meets(self, path: FieldPath) -> bool:
        """True if this place, something in it, or something that contains it was edited."""
        above = (FieldPath(path.segments[:size]) for size in range(1, len(path.segments) + 1))
        return self.inside(path) or any(place in self._at for place in above)


def _all_above(paths: Iterable[FieldPath]) -> set[FieldPath]:
    return {FieldPath(path.segments[:size]) for path in paths for size in range(len(path.segments))}


def _origin(change: FieldChange, live: _Places, tree: _Places) -> Origin:
    mask = FieldPath(change.mask.fields)
    if not live.reaches(mask):
        return Origin.TREE
    if not tree.reaches(mask):
        return Origin.LIVE
    if isinstance(change.path.segments[-1], Index):
        # An element that only one side has has a position only on that side.
        if change.action is FieldAction.REMOVED:
            return _of_element(change.place_live, live, FieldAction.REMOVED, Origin.LIVE, Origin.TREE)
        if change.action is FieldAction.ADDED:
            return _of_element(change.path, tree, FieldAction.ADDED, Origin.TREE, Origin.LIVE)
    if not live.meets(change.place_live):
        return Origin.TREE
    if not tree.meets(change.path):
        return Origin.LIVE
    return Origin.TREE if _is_included(change, live) else Origin.BOTH


def _is_included(change: FieldChange, live: _Places) -> bool:
    """
    Whether the tree contains all live edits and more, so that applying it reverts nothing.

    This is the case after a merge of a text, or of a list whose order has no meaning.
    """
    edit = live.exactly(change.place_live)
    if edit is None:
        return False
    match edit.after, change.after, change.before:
        case str(base), str(ours), str(theirs):
            merged = merge_text(base, ours, theirs, finest=finest_of(change.language))
            return isinstance(merged, Merged) and merged.text == ours
        case (list() | None) as base, list(ours), list(theirs) if change.is_set:
            was, new, there = (Counter(map(comparable, side or [])) for side in (base, ours, theirs))
            return there - was <= new and not (was - there) & new
    return False


def _of_element(path: FieldPath, side: _Places, action: FieldAction, came: Origin, went: Origin) -> Origin:
    """The origin of an element that one side has: added here or removed there; both, if it was also changed."""
    edit = side.exactly(path)
    if edit is not None and edit.action is action:
        return came
    return Origin.BOTH if edit is not None or side.inside(path) else went


def _missed(
    changes: Sequence[FieldChange],
    origins: Sequence[Origin],
    live_edits: Iterable[FieldChange],
    tree_edits: Iterable[FieldChange],
) -> tuple[FieldChange, ...]:
    """
    Live edits inside lists that no change shows, and that the tree did not make too.

    The same elements can be aligned in several ways, but no edit may be missed.
    """
    live_masks = [item.mask for item, origin in zip(changes, origins, strict=True) if origin is not Origin.TREE]
    same = {_edit(item.mask, item.before, item.after) for item in tree_edits}
    return tuple(
        item
        for item in live_edits
        if len(item.path.segments) > len(item.path.fields)
        and not any(mask.covers(item.mask) or item.mask.covers(mask) for mask in live_masks)
        and _edit(item.mask, item.after, item.before) not in same
    )


def _edit(mask: object, before: object, after: object) -> tuple[object, str, str]:
    return mask, comparable(before), comparable(after)


def _meets_any(change: FieldChange, edits: Iterable[FieldChange]) -> bool:
    return any(item.mask.covers(change.mask) or change.mask.covers(item.mask) for item in edits)
