"""A drift report as Markdown, for a comment or a job summary: live edits first, cut to a maximum length."""

from collections.abc import Iterable
from functools import cache

from cesplan.domain.change import FieldChange
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftReport
from cesplan.domain.text.words import count
from cesplan.features.drift.text_report import by_words, coverage_words, said, summary_words, weakened_words
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over
from cesplan.render.impact import reach_of
from cesplan.render.services.markdown import (
    LIMIT,
    Comment,
    Detail,
    Item,
    fitted,
    listed_rows,
    mark,
    more_of,
    weakened_rows,
)
from cesplan.render.services.markdown_escaping import code_html, inert, inert_html
from cesplan.render.services.markdown_fields import fields_markdown

_RANK = {DriftClass.CONFLICT: 0, DriftClass.DRIFT: 1, DriftClass.PENDING: 2, DriftClass.CONVERGED: 3}
_MOST_NOTICES = 20


def drift_markdown(report: DriftReport, environment: str, *, limit: int = LIMIT) -> str:
    """A report of at most `limit` characters, with a final line feed; `environment` tells comments apart."""
    pairs = [(app, item) for app in report.apps for item in app.items]
    pairs.sort(key=lambda pair: (not pair[1].is_alarming, _RANK[pair[1].drift_class]))
    several = len({(app.tree, app.environment, app.project) for app in report.apps}) > 1
    comment = Comment(
        head=_head(report, environment),
        items=[_item(app, item, several=several) for app, item in pairs],
        tail=_notices(report),
        rest=more_of("difference"),
    )
    return fitted(comment, limit)


def _head(report: DriftReport, environment: str) -> str:
    found = len(report.alarming)
    sign = "⚠️ " if found else ""
    title = f"{sign}**{summary_words(report).removesuffix(';')}**; {coverage_words(report)}."
    rows = [mark("drift", environment), f"### cesplan drift · {inert(_where(report))}", "", title, ""]
    rows += weakened_rows(weakened_words(report))
    for app in report.apps:
        if app.error:
            name = app.app or app.tree
            rows += [f"- ⛔ {code_html(name)} could not be checked: {inert_html(app.error.split(chr(10))[0])}"]
    return "\n".join(rows) + "\n"


def _where(report: DriftReport) -> str:
    places = {
        " · ".join(filter(None, [app.environment, app.place, app.where])) for app in report.apps if app.project
    }
    return places.pop() if len(places) == 1 else count(len(report.apps), "app")


def _item(app: AppDrift, item: DriftItem, *, several: bool) -> Item:
    where = " ".join(filter(None, [app.tree if app.tree != "." else "", app.environment, app.project]))

    @cache
    def forms(level: Detail) -> str:
        if level is Detail.NONE:
            return ""
        path = f" {code_html(str(item.change.path))}" if item.change else ""
        by = f" — {inert_html(by_words(item))}" if by_words(item) else ""
        place = f" ({inert_html(where)})" if several and where else ""
        what = f"<b>{item.drift_class}</b> {code_html(str(item.address))}{path}"
        line = f"{what}: {inert_html(said(item))}{by}{place}"
        if level is Detail.LINE or item.change is None:
            return f"- {line}\n"
        reach = f"\n{inert(reach_of(item.address, item.impact))}\n" if item.impact else ""
        reach = reach if reach.strip() else ""
        return (
            f"\n<details><summary>{line}</summary>\n\n{_field(item, item.change, level)}{reach}\n</details>\n"
        )

    return Item(forms=forms, group=f"{item.drift_class} {item.address.kind}")


def _field(item: DriftItem, change: FieldChange, level: Detail) -> str:
    """The values: for live edits from the last applied state to live, otherwise from live to the tree."""
    redactor = redactor_over(kind_of(item.address.kind).spec, ())
    text = fields_markdown(item.as_read or change, redactor, full=level is Detail.FULL)
    return f"From live to the tree:\n\n{text}" if item.is_two_sided else text


def ranked(items: Iterable[DriftItem]) -> list[DriftItem]:
    """Conflicts first, then everything else that counts as drift."""
    return sorted(items, key=lambda item: (not item.is_alarming, _RANK[item.drift_class]))


def _notices(report: DriftReport) -> str:
    texts = [text for app in report.apps for text in app.notices]
    texts += [f"{rule}: {why}" for rule, why in report.unused.items()]
    rows = listed_rows("Notices:", texts, _MOST_NOTICES)
    return "\n".join(["", *rows]) if rows else ""
