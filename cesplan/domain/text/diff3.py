"""
Three versions of a sequence into one: what each side changed since the base, and where the two collide.

The units are lines, sentences or words; nothing here knows which. Two edits are apart when at least `gap`
unchanged units of the base are between them. With a gap of one this is the rule of git: edits of neighboring
lines collide, and so do two insertions at one place. Identical edits on both sides do not collide.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.line_matching import opcodes

Units: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A stretch of the result on which the sides agree, or which one of them changed; `ours` is our side."""

    units: Units
    ours: Units


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """A stretch that both sides changed differently; a side without units deleted it."""

    base: Units
    ours: Units
    theirs: Units


Region: TypeAlias = Settled | Clash

_Bounds: TypeAlias = tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]
_NO_BOUNDS: _Bounds = (frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class _Edit:
    """One side's edit: `start` to `end` in the base became `first` to `last` of the side."""

    start: int
    end: int
    first: int
    last: int
    is_ours: bool


def regions(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], *, gap: int = 1) -> list[Region]:
    """The result from its beginning to its end, settled stretches and clashes in turn."""
    edits = [*_edits(base, ours, is_ours=True), *_edits(base, theirs, is_ours=False)]
    found: list[Region] = []
    at = shift_ours = shift_theirs = 0
    for group in _groups(edits, gap):
        start, end = group[0].start, max(edit.end for edit in group)
        found.append(_same(tuple(base[at:start])))
        own = [edit for edit in group if edit.is_ours]
        other = [edit for edit in group if not edit.is_ours]
        our_end, their_end = (
            _shifted(side, shift) for side, shift in ((own, shift_ours), (other, shift_theirs))
        )
        mine = ours[start + shift_ours : end + our_end]
        their = theirs[start + shift_theirs : end + their_end]
        bounds = _bounds(own, start, shift_ours), _bounds(other, start, shift_theirs)
        found += _settle(tuple(base[start:end]), tuple(mine), tuple(their), bounds)
        at, shift_ours, shift_theirs = end, our_end, their_end
    return _joined([*found, _same(tuple(base[at:]))])


def _edits(base: Sequence[str], side: Sequence[str], *, is_ours: bool) -> Iterator[_Edit]:
    for tag, start, end, first, last in opcodes(base, side):
        if tag != "equal":
            yield _Edit(start, end, first, last, is_ours)


def _groups(edits: list[_Edit], gap: int) -> Iterator[list[_Edit]]:
    """Edits that are too near each other to be distinguished, in the order of the base."""
    group: list[_Edit] = []
    reach = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if group and edit.start - reach >= gap:
            yield group
            group = []
        reach = max(reach, edit.end) if group else edit.end
        group.append(edit)
    if group:
        yield group


def _shifted(edits: list[_Edit], before: int) -> int:
    """By how much a side is ahead of the base behind these edits."""
    return edits[-1].last - edits[-1].end if edits else before


def _bounds(edits: list[_Edit], start: int, shift: int) -> frozenset[tuple[int, int]]:
    """Places around the edits of a side: how many of its own units, and of the base's, are before each."""
    ends = {(edit.last - start - shift, edit.end - start) for edit in edits}
    return frozenset(ends | {(edit.first - start - shift, edit.start - start) for edit in edits})


def _settle(base: Units, ours: Units, theirs: Units, bounds: _Bounds) -> list[Region]:
    """
    One group of edits: settled where at most one side changed something, else a clash as narrow as can be.

    What both sides did alike at either end is cut off first, where it is known which units of the base it
    represents. So a live edit that the tree has taken over does not collide with a new edit right beside it.
    """
    if ours == theirs or theirs == base:
        return [_same(ours)]
    if ours == base:
        return [Settled(units=theirs, ours=ours)]
    head, tail = _common(ours, theirs), _common(ours[::-1], theirs[::-1])
    known = [(side, *place) for side, places in zip((ours, theirs), bounds, strict=True) for place in places]
    heads = [(own, of_base) for _, own, of_base in known if own and of_base <= own <= head]
    if heads:
        own, of_base = max(heads)
        return [_same(ours[:own]), *_settle(base[of_base:], ours[own:], theirs[own:], _NO_BOUNDS)]
    tails = [(len(side) - own, len(base) - of_base) for side, own, of_base in known]
    tails = [(own, of_base) for own, of_base in tails if own and of_base <= own <= tail]
    if tails:
        own, of_base = max(tails)
        rest = _settle(base[: len(base) - of_base], ours[:-own], theirs[:-own], _NO_BOUNDS)
        return [*rest, _same(ours[-own:])]
    tail = _common(ours[head:][::-1], theirs[head:][::-1])
    clash = Clash(base=base, ours=ours[head : len(ours) - tail], theirs=theirs[head : len(theirs) - tail])
    return [_same(ours[:head]), clash, _same(ours[len(ours) - tail :])]


def _same(units: Units) -> Settled:
    return Settled(units=units, ours=units)


def _common(one: Units, other: Units) -> int:
    """How many units both begin with."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _joined(found: list[Region]) -> list[Region]:
    """Settled stretches in one piece, empty ones left out."""
    joined: list[Region] = []
    for region in found:
        match region:
            case Settled(units=(), ours=()):
                pass
            case Settled(units=units, ours=ours) if joined and isinstance(joined[-1], Settled):
                joined[-1] = Settled(units=(*joined[-1].units, *units), ours=(*joined[-1].ours, *ours))
            case _:
                joined.append(region)
    return joined
