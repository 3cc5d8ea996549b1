"""A promotion as a page: the two environments side by side, and the plan for the second."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from cesplan.domain.features.promotion import Difference, Promotion, WhichSide
from cesplan.domain.plan import Plan
from cesplan.domain.text.words import count
from cesplan.features.promotion import words
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over
from cesplan.render.html.fields import field_of
from cesplan.render.html.heading import Heading, Looks
from cesplan.render.html.page import anchor
from cesplan.render.html.picture import Picture
from cesplan.render.html.plan import NO_PICTURE, plan_view
from cesplan.render.html.report import Article, HtmlReport, Section, Slot, Table, report_html

_LOOKS = {WhichSide.BOTH: "update", WhichSide.SOURCE: "delete", WhichSide.TARGET: "create"}
_SERIES = "d"
"""The prefix for the anchors of differences; those of the plan have another."""


def promotion_html(
    promotion: Promotion, plan: Plan, hints: Mapping[str, str] = {}, picture: Picture = NO_PICTURE
) -> str:
    """The page of a promotion, ended by a line feed. `hints` are what to type next."""
    one, other = promotion.source, promotion.target
    refused = ("Apply will refuse the plan below.",) if plan.blockers else ()
    heading = Heading(
        title="Promote",
        environment=f"{words.name(one)} → {words.name(other)}",
        where=f"{words.place(one)} → {words.place(other)} · {words.compared(promotion)}",
        service=other.where,
        verdict=": ".join(words.summary(promotion)),
        looks=Looks.BAD if refused else Looks.OPEN if promotion.differences else Looks.GOOD,
        facts=refused,
    )
    return report_html(
        HtmlReport(
            heading=heading,
            sections=tuple(_sections(promotion)),
            plan=plan_view(plan, picture),
            plan_title=f"The plan for {words.name(other)}",
            hints=hints,
        )
    )


def _sections(promotion: Promotion) -> Iterator[Section]:
    numbered = enumerate(promotion.differences)
    for app, items in groupby(numbered, key=lambda item: item[1].address.app):
        found = [(anchor(number, _SERIES), item) for number, item in items]
        name = app if app != "@" else "location"
        table = Table(
            label=f"Differences of {name}",
            columns=("Resource", "Where", "Difference"),
            rows=tuple(_rows(found, promotion)),
        )
        yield Section(
            title=f"Differences of {name}",
            tables=(table,),
            articles=tuple(_article(place, item, promotion) for place, item in found if item.changes),
        )


def _rows(found: Sequence[tuple[str, Difference]], promotion: Promotion) -> Iterator[tuple[Slot, ...]]:
    for place, item in found:
        fields = count(len(item.changes), "field") if item.changes else ""
        yield (
            Slot(text=str(item.address), anchor=place if item.changes else ""),
            Slot(text=words.presence(item, promotion) or "in both"),
            Slot(text=fields),
        )


def _article(place: str, item: Difference, promotion: Promotion) -> Article:
    redactor = redactor_over(kind_of(item.address.kind).spec, item.secrets)
    where = words.presence(item, promotion)
    return Article(
        anchor=place,
        looks=_LOOKS[item.presence],
        said=where or "differs",
        address=str(item.address),
        fields=tuple(field_of(change, redactor) for change in item.changes),
        sides=(words.name(promotion.source), words.name(promotion.target)),
    )
