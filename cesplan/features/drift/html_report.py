"""A drift report as a page: who edited what live, with both sides of every difference."""

from collections.abc import Iterator

from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftReport
from cesplan.features.drift.markdown_report import ranked
from cesplan.features.drift.text_report import by_words, coverage_words, said, summary_words, weakened_words
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over
from cesplan.render.html.fields import field_of
from cesplan.render.html.heading import Heading, Looks
from cesplan.render.html.page import anchor
from cesplan.render.html.report import Article, Box, HtmlReport, Section, Slot, Table, report_html
from cesplan.render.impact import reach_of

_SIDES = {
    DriftClass.PENDING: ("live", "in the tree"),
    DriftClass.CONFLICT: ("live", "in the tree"),
    DriftClass.DRIFT: ("applied last", "live"),
    DriftClass.CONVERGED: ("applied last", "live, and in the tree"),
}


def drift_html(report: DriftReport, environment: str) -> str:
    """The page of a drift report; ends with a line feed."""
    failed = any(app.error for app in report.apps)
    quiet = tuple(str(app.app) for app in report.apps if not app.items and not app.error)
    weakened = Box(title="Weakens protection", items=tuple(weakened_words(report)), looks="alert")
    unused = tuple(f"{rule}: {why}" for rule, why in report.unused.items())
    heading = Heading(
        title="Drift",
        environment=environment,
        verdict=summary_words(report).removesuffix(";"),
        looks=Looks.BAD if report.has_drift else Looks.OPEN if failed else Looks.GOOD,
        facts=tuple(
            filter(
                None,
                (f"{coverage_words(report)}.", f"Checked at {report.checked_at}." if report.checked_at else ""),
            )
        ),
    )
    return report_html(
        HtmlReport(
            heading=heading,
            boxes=(weakened,),
            sections=tuple(_sections(report)),
            after=(Box(title="No differences", items=quiet), Box(title="Rules without effect", items=unused)),
        )
    )


def _sections(report: DriftReport) -> Iterator[Section]:
    number = 0
    for app in report.apps:
        items = ranked(app.items)
        places = [anchor(number + place) for place, _ in enumerate(items)]
        number += len(items)
        if items or app.error or app.notices:
            yield _section(app, list(zip(places, items, strict=True)))


def _section(app: AppDrift, items: list[tuple[str, DriftItem]]) -> Section:
    where = " · ".join(
        filter(None, [app.tree if app.tree != "." else "", app.environment, app.place, app.where])
    )
    commit = f"last applied from {app.commit[:12]}" if app.commit else ""
    applied = ", ".join(filter(None, [commit, app.applied_at]))
    name = app.app or app.tree
    table = Table(
        label=f"Differences of {name}",
        columns=("Class", "Resource", "What", "Who, when"),
        rows=tuple(_row(place, item) for place, item in items),
    )
    return Section(
        title=name,
        facts=tuple(filter(None, ["; ".join(filter(None, [where, applied]))])),
        warnings=(f"Could not be checked: {app.error}",) if app.error else (),
        tables=(table,),
        articles=tuple(_article(place, item) for place, item in items),
        boxes=(Box(title="Notices", items=app.notices),),
    )


def _row(place: str, item: DriftItem) -> tuple[Slot, ...]:
    what = f"{item.drift_class}, ignored" if item.ignored else str(item.drift_class)
    return (
        Slot(text=what),
        Slot(text=str(item.address), anchor=place, more=item.path),
        Slot(text=said(item)),
        Slot(text=by_words(item)),
    )


def _article(place: str, item: DriftItem) -> Article:
    sides = ("live", "in the tree") if item.is_two_sided else _SIDES[item.drift_class]
    redactor = redactor_over(kind_of(item.address.kind).spec, ())
    by = by_words(item)
    return Article(
        anchor=place,
        looks="delete" if item.is_alarming else "update",
        said=str(item.drift_class),
        address=str(item.address),
        name=item.display_name if item.display_name != item.address.key else "",
        lines=(f"{said(item)}, by {by}" if by else said(item),),
        warnings=tuple(f"weakens protection: {found.text} ({found.code})" for found in item.weakens),
        quiet=tuple(
            filter(
                None,
                (
                    f"Ignored: {item.ignored}" if item.ignored else "",
                    item.note,
                    reach_of(item.address, item.impact) if item.impact else "",
                ),
            )
        ),
        fields=(field_of(item.as_read, redactor),) if item.as_read else (),
        sides=sides,
    )
