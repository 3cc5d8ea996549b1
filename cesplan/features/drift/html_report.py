"""A drift report as a page: who edited what live, with both sides of every difference."""

from collections.abc import Iterator

from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftReport
from cesplan.domain.frozen import dataclass
from cesplan.features.drift.markdown_report import in_its_direction, ranked
from cesplan.features.drift.text_report import by_words, coverage_words, said, summary_words
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over
from cesplan.render.html.fields import Field, field_of
from cesplan.render.html.page import anchor, rendered

_SIDES = {
    DriftClass.PENDING: ("live", "in the tree"),
    DriftClass.CONFLICT: ("live", "in the tree"),
    DriftClass.DRIFT: ("applied last", "live"),
    DriftClass.CONVERGED: ("applied last", "live, and in the tree"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One difference."""

    anchor: str
    looks: str
    what: str
    """Its class: `drift`, `conflict`, `pending` or `converged`."""
    address: str
    display_name: str
    path: str
    said: str
    by: str
    ignored: str
    note: str
    field: Field | None
    left: str
    right: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One app of one environment."""

    app: str
    where: str
    applied: str
    error: str
    entries: tuple[Entry, ...]
    notices: tuple[str, ...]


def drift_html(report: DriftReport, environment: str) -> str:
    """The page of a drift report, ended by a line feed."""
    sections = tuple(_sections(report))
    return rendered(
        "drift.html.j2",
        environment=environment,
        has_drift=report.has_drift,
        summary=summary_words(report).removesuffix(";"),
        coverage=coverage_words(report),
        checked_at=report.checked_at,
        sections=sections,
        quiet=[app.app for app in report.apps if not app.items and not app.error],
        unused=[f"{rule}: {why}" for rule, why in report.unused.items()],
    )


def _sections(report: DriftReport) -> Iterator[Section]:
    number = 0
    for app in report.apps:
        entries = []
        for item in ranked(app.items):
            entries.append(_entry(item, number))
            number += 1
        if entries or app.error or app.notices:
            yield _section(app, tuple(entries))


def _section(app: AppDrift, entries: tuple[Entry, ...]) -> Section:
    place = f"{app.project}/{app.location}" if app.project else ""
    commit = f"last applied from {app.commit[:12]}" if app.commit else ""
    return Section(
        app=app.app or app.tree,
        where=" · ".join(
            filter(None, [app.tree if app.tree != "." else "", app.environment, place, app.where])
        ),
        applied=", ".join(filter(None, [commit, app.applied_at])),
        error=app.error,
        entries=entries,
        notices=app.notices,
    )


def _entry(item: DriftItem, number: int) -> Entry:
    left, right = ("live", "in the tree") if item.is_two_sided else _SIDES[item.drift_class]
    redactor = redactor_over(kind_of(item.address.kind).spec, ())
    return Entry(
        anchor=anchor(number),
        looks="delete" if item.is_alarming else "update",
        what=str(item.drift_class),
        address=str(item.address),
        display_name=item.display_name if item.display_name != item.address.key else "",
        path=str(item.change.path) if item.change else "",
        said=said(item),
        by=by_words(item),
        ignored=item.ignored,
        note=item.note,
        field=field_of(in_its_direction(item, item.change), redactor) if item.change else None,
        left=left,
        right=right,
    )
