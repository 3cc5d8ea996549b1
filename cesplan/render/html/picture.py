"""A drawn graph as data for a template: boxes and arrows at their places, in pixels."""

from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureBox:
    """One resource; `looks` are names of classes of the style."""

    x: int
    y: int
    width: int
    height: int
    text: str
    looks: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """One reference: `line` is the path of SVG from box to box."""

    line: str
    looks: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A graph; empty without boxes."""

    width: int = 0
    height: int = 0
    boxes: tuple[PictureBox, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    words: tuple[str, ...] = ()
    """The text alternative, for screen readers: `desk uses tools/hours (new)`."""
