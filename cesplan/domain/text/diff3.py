"""
Three-way merge of a sequence: what each side changed since the base, and where the edits collide.

The units are lines, sentences, or words; the merge does not know which. Two edits are separate if at least
`gap` unchanged units of the base are between them. A gap of one is git's rule: edits of neighboring lines
collide, and so do two insertions at one place. Identical edits on both sides do not collide.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.line_matching import common_length, opcodes

Units: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A region of the result that both sides agree on, or that only one of them changed."""

    units: Units
    ours: Units


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    """A region that both sides changed differently. A side without units deleted it."""

    base: Units
    ours: Units
    theirs: Units


Region: TypeAlias = Settled | Clash

_Bounds: TypeAlias = tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]
_NO_BOUNDS: _Bounds = (frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class _Edit:
    """One side's edit: `start` to `end` of the base became `first` to `last` of the side."""

    start: int
    end: int
    first: int
    last: int
    is_ours: bool


def regions(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], *, gap: int = 1) -> list[Region]:
    """The whole result in order, settled regions and clashes."""
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
    """Groups of edits that are too close together to be separate, in the order of the base."""
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
    """The offset of a side from the base after these edits."""
    return edits[-1].last - edits[-1].end if edits else before


def _bounds(edits: list[_Edit], start: int, shift: int) -> frozenset[tuple[int, int]]:
    """The boundaries of a side's edits: how many of its own units and of the base's units come before each."""
    ends = {(edit.last - start - shift, edit.end - start) for edit in edits}
    return frozenset(ends | {(edit.first - start - shift, edit.start - start) for edit in edits})


def _settle(base: Units, ours: Units, theirs: Units, bounds: _Bounds) -> list[Region]:
    """
    The regions of one group of edits: settled if at most one side changed something, else a minimal clash.

    Identical changes at either end are split off first, if it is known which units of the base they replace. So
    a live edit that was copied into the tree does not collide with a new edit right next to it.
    """
    if ours == theirs or theirs == base:
        return [_same(ours)]
    if ours == base:
        return [Settled(units=theirs, ours=ours)]
    head, tail = common_length(ours, theirs), common_length(ours[::-1], theirs[::-1])
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
    tail = common_length(ours[head:][::-1], theirs[head:][::-1])
    clash = Clash(base=base, ours=ours[head : len(ours) - tail], theirs=theirs[head : len(theirs) - tail])
    return [_same(ours[:head]), clash, _same(ours[len(ours) - tail :])]


def _same(units: Units) -> Settled:
    return Settled(units=units, ours=units)


def _joined(found: list[Region]) -> list[Region]:
    """Adjacent settled regions joined, empty ones removed."""
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
