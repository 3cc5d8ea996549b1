"""
Reports as pages: every page except that of a plan has these parts, in one order. The boxes with the most
important parts come first, then the sections with their tables and articles, then a plan if the report has one,
then the next commands. Features supply the content; the template decides how it looks.
"""

from collections.abc import Mapping
from dataclasses import field

from cesplan.domain.frozen import dataclass
from cesplan.render.html.fields import Field
from cesplan.render.html.heading import Heading, VerdictMark
from cesplan.render.html.page import rendered
from cesplan.render.html.plan import PlanView


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The content of a table cell: a mark or a text, linked if there is an article about it."""

    text: str = ""
    mark: VerdictMark | None = None
    anchor: str = ""
    is_code: bool = False
    more: str = ""
    """A less prominent text after the content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows with one slot for each column; `label` describes the table."""

    label: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Slot, ...], ...]
    is_named: bool = False
    """True if the label is shown, because no title does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A longer text in full, folded under its `title`."""

    title: str
    text: str
    is_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One resource, or one thing that was judged. `looks` is a CSS class: an action, or one of `Looks`."""

    anchor: str
    looks: str
    said: str
    """The word before the name: `drift`, `failed`."""
    address: str
    name: str = ""
    """Its display name, if it says more than the address."""
    lines: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    sides: tuple[str, str] = ("before", "after")
    """The headings of the left and right side of the fields."""
    tables: tuple[Table, ...] = ()
    folded: tuple[Folded, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A list under a title; `looks` is `stop`, `alert`, or empty."""

    title: str
    items: tuple[str, ...]
    looks: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of a report. Empty parts are left out."""

    title: str
    facts: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    articles: tuple[Article, ...] = ()
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlReport:
    """A whole page. `hints` are the next commands: purpose → command."""

    heading: Heading
    boxes: tuple[Box, ...] = ()
    sections: tuple[Section, ...] = ()
    plan: PlanView | None = None
    plan_title: str = ""
    after: tuple[Box, ...] = ()
    hints: Mapping[str, str] = field(default_factory=dict)


def report_html(report: HtmlReport) -> str:
    """The page of a report, ended by a line feed."""
    return rendered("report.html.j2", heading=report.heading, report=report)
