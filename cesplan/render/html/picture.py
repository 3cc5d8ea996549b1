"""A drawn graph as data for a template: boxes and arrows with their positions in pixels."""

from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureBox:
    """One resource; `looks` are names of CSS classes."""

    x: int
    y: int
    width: int
    height: int
    text: str
    looks: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """One reference: `line` is the SVG path from box to box."""

    line: str
    looks: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A graph; empty if it has no boxes."""

    width: int = 0
    height: int = 0
    boxes: tuple[PictureBox, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    words: tuple[str, ...] = ()
    """The text alternative, for screen readers: `desk uses tools/hours (new)`."""
