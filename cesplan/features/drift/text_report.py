"""A drift report for people: by app, one line per difference, then the totals and the next commands."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftKind, DriftReport
from cesplan.domain.text.line_matching import opcodes
from cesplan.domain.text.times import when
from cesplan.domain.text.words import count, listed, seconds, some_of
from cesplan.domain.value import Secret, only_in
from cesplan.features.drift.alarm.fingerprint import fingerprint
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over
from cesplan.render.page import BLANK, Ink, Line, Page, Span, labeled, line, padded, paint, width_of, wrapped
from cesplan.render.text.layout import PLAIN, View
from cesplan.render.text.plan import hints_page, weakened_page
from cesplan.render.values import inline, shortened

_INKS = {
    DriftClass.DRIFT: Ink.UPDATE,
    DriftClass.CONFLICT: Ink.DELETE,
    DriftClass.PENDING: Ink.DIM,
    DriftClass.CONVERGED: Ink.CREATE,
}
_WORDS = max(map(len, DriftClass))
_LONGEST_VALUE = 32
_MOST_ELEMENTS = 4
_MOST_NAMED = 5
_MOST_NOTICES = 8
_GAP = 3
_BOTH = "changed live and in the tree"


def drift_text(
    report: DriftReport, view: View = PLAIN, *, exit_code: int = 0, hints: Mapping[str, str] = {}
) -> str:
    """
    The text of a report; ends with a line feed.

    `hints` maps a purpose to the command to type next. Apps without differences share one line.
    """
    page = weakened_page([line(text) for text in weakened_words(report)], view)
    quiet = [app for app in report.apps if _is_quiet(app)]
    for app in report.apps:
        if not _is_quiet(app):
            page += [*_app(app, view), BLANK]
    page += _quiet(quiet, report, view)
    page += _unused(report, view)
    page += [*_summary(report, view, exit_code), *hints_page(hints)]
    return paint(page, colour=view.colour)


def weakened_words(report: DriftReport) -> list[str]:
    """
    `shop/guardrails/pii  enabled: true → false (WEA001), live by eve@acme.example`: what weakens protection.

    Live edits first, then what an apply of the tree would weaken.
    """
    found = [(item, weak) for app in report.apps for item in app.items for weak in item.weakens]
    found.sort(key=lambda pair: pair[0].drift_class is DriftClass.PENDING)
    return [f"{item.address} {weak.text} ({weak.code}), {_who(item)}" for item, weak in found]


def _who(item: DriftItem) -> str:
    if item.drift_class is DriftClass.PENDING:
        return "in the tree, not applied"
    by = item.edit.by if item.edit else ""
    return f"live by {by}" if by else "live"


def _is_quiet(app: AppDrift) -> bool:
    return not (app.items or app.error or app.notices or app.left_out)


def _app(app: AppDrift, view: View) -> Page:
    page = wrapped(_heading(app), view.width, 2)
    if app.error:
        first, *rest = app.error.split("\n")
        page += [BLANK, *wrapped((Span("  error    ", Ink.ERROR), Span(first)), view.width, 11)]
        page += [row for text in rest if text for row in wrapped(line(" " * 11, text), view.width, 11)]
    if app.items:
        page += [BLANK, *_items(app.items, view)]
    notes = [*_left_out(app), *app.notices]
    if notes:
        page.append(BLANK)
    for text in notes[:_MOST_NOTICES]:
        page += labeled("  Notice: ", text, view.width)
    if len(notes) > _MOST_NOTICES:
        page.append(
            line("  ", Span(f"… and {count(len(notes) - _MOST_NOTICES, 'more notice')}", Ink.DIM, cut=True))
        )
    return page


def _heading(app: AppDrift) -> Line:
    """`support-desk · prod · acme-prod/us · last applied from 4f2c9e1, 2026-11-19 09:14 UTC`."""
    tree = app.tree if app.tree not in ("", ".") else ""
    applied = ", ".join(filter(None, [app.commit[:12], when(app.applied_at) if app.applied_at else ""]))
    applied = f"last applied {'from ' if app.commit else ''}{applied}" if applied else ""
    rest = [item for item in (tree if app.app else "", app.environment, app.place, app.where, applied) if item]
    return line(Span(app.app or app.tree, Ink.STRONG), Span("".join(f" · {item}" for item in rest), Ink.DIM))


def _items(items: Sequence[DriftItem], view: View) -> Page:
    """A table if it fits; otherwise two lines per item."""
    rows = [_cells(item) for item in items]
    widths = [max(width_of((row[place],)) for row in rows) for place in range(4)]
    whole = 2 + sum(widths) + _GAP * 4 + max(width_of((row[4],)) for row in rows)
    if whole <= view.width:
        return [_table_row(row, widths) for row in rows]
    page: Page = []
    for row in rows:
        first = line("  ", row[0], " " * (_WORDS + 2 - len(row[0].text)), row[1], "  ", row[2])
        rest = [cell for cell in row[3:] if cell.text]
        body = [part for cell in rest for part in (cell, Span("   "))][:-1]
        page += wrapped(first, view.width, _WORDS + 4)
        page += wrapped((Span(" " * (_WORDS + 4)), *body), view.width, _WORDS + 4) if body else []
    return page


def _table_row(row: tuple[Span, ...], widths: list[int]) -> Line:
    found: Line = (Span("  "),)
    at = 2
    for cell, width in zip(row, widths, strict=False):
        at += width + _GAP
        found = padded((*found, cell), at)
    return (*found, row[4])


def _cells(item: DriftItem) -> tuple[Span, Span, Span, Span, Span]:
    """Class, resource, field, what happened, and who did it when."""
    ink = Ink.DIM if item.ignored else _INKS[item.drift_class]
    return (
        Span(str(item.drift_class), ink),
        Span("app" if item.address.is_app else item.address.within_app),
        Span(item.path),
        Span(said(item)),
        Span(by_words(item), Ink.DIM),
    )


def said(item: DriftItem) -> str:
    """What happened, as text: `0.2 → 0.9`, `created live`, `in the tree, not applied`, with remarks."""
    parts = [_happened(item), item.note, f"ignored: {item.ignored}" if item.ignored else ""]
    return "; ".join(filter(None, parts))


def _happened(item: DriftItem) -> str:
    if item.change is None:
        return _resource_words(item)
    change = _readable(item, item.change)
    if item.merges:
        return _BOTH
    match item.drift_class:
        case DriftClass.PENDING:
            return f"{_moved(change, forward=True)}, in the tree, not applied"
        case DriftClass.CONFLICT:
            return _sides(change)
        case DriftClass.DRIFT:
            return _moved(change, forward=False)
        case DriftClass.CONVERGED:
            return f"{_moved(change, forward=False)}, and in the tree"
        case _:
            assert_never(item.drift_class)


def _readable(item: DriftItem, change: FieldChange) -> FieldChange:
    """The change with `false` or `0` for an absent boolean or number."""
    before, after = redactor_over(kind_of(item.address.kind).spec, ()).readable_sides(change)
    return replace(change, before=before, after=after)


def _resource_words(item: DriftItem) -> str:
    pending = item.drift_class is DriftClass.PENDING
    match item.kind:
        case DriftKind.CREATED:
            done = "new in the tree, not applied" if pending else "created live"
        case DriftKind.DELETED:
            done = "removed from the tree, not applied" if pending else "deleted live"
        case DriftKind.CHANGED:
            done = "in the tree, not applied" if pending else "edited live"
        case _:
            assert_never(item.kind)
    return f"{done}, and in the tree" if item.drift_class is DriftClass.CONVERGED else done


def _moved(change: FieldChange, *, forward: bool) -> str:
    """
    From the base to the side that changed: for pending changes from live to the tree, otherwise the reverse.
    """
    before, after = (change.before, change.after) if forward else (change.after, change.before)
    if change.action is FieldAction.MOVED:
        return f"moved from [{before}] to [{after}]"
    if isinstance(before, Secret) and isinstance(after, Secret):
        return "new value"
    if change.is_set:
        return _set_words(before or [], after or [])
    if isinstance(before, str) and isinstance(after, str) and (change.language or "\n" in before + after):
        words = _text_words(before, after)
        return f"{change.typed.verdict} ({words})" if change.typed else words
    return f"{_short(before)} → {_short(after)}"


def _sides(change: FieldChange) -> str:
    """Both sides of a conflict."""
    live, tree = change.before, change.after
    if change.action is FieldAction.MOVED or isinstance(live, Secret):
        return _BOTH
    if change.is_set:
        return f"live and the tree differ by {_set_words(tree or [], live or [])}"
    texts = [item for item in (live, tree) if isinstance(item, str)]
    if any(len(text) > _LONGEST_VALUE for text in texts):
        return _BOTH
    return f"{_short(live)} live, {_short(tree)} in the tree"


def _short(value: Any) -> str:
    return shortened(inline(value), _LONGEST_VALUE)


def _text_words(before: str, after: str) -> str:
    removed, added = _lines(before, after)
    return (
        f"text changed: +{added:,} -{removed:,} lines"
        if removed + added != 1
        else f"text changed: +{added} -{removed} line"
    )


def _lines(before: str, after: str) -> tuple[int, int]:
    one, other = before.split("\n"), after.split("\n")
    same = sum(end - start for tag, start, end, _, _ in opcodes(one, other) if tag == "equal")
    return len(one) - same, len(other) - same


def _set_words(before: Sequence[Any], after: Sequence[Any]) -> str:
    """`+ tools/a, - tools/b`."""
    parts = [f"+ {_short(item)}" for item in only_in(after, before)]
    parts += [f"- {_short(item)}" for item in only_in(before, after)]
    return some_of(parts, _MOST_ELEMENTS)


def by_words(item: DriftItem) -> str:
    """Who made the difference live, and when; empty if it was not made live."""
    if item.edit is None:
        return ""
    return item.edit.by or "unattributed"


def _left_out(app: AppDrift) -> Iterator[str]:
    if app.left_out:
        yield f"{count(app.left_out, 'other difference')} not selected"


def _quiet(apps: Sequence[AppDrift], report: DriftReport, view: View) -> Page:
    """The apps that are as they were applied, on one line."""
    if not apps:
        return []
    names = [f"location {app.app[1:]}" if app.app.startswith("@") else app.app for app in apps]
    if len({(app.tree, app.environment) for app in report.apps}) > 1:
        names = [f"{name} ({app.environment or app.tree})" for name, app in zip(names, apps, strict=True)]
    names_text = listed(names) if len(names) <= _MOST_NAMED else some_of(names, _MOST_NAMED)
    page = wrapped(line(Span("No differences in ", Ink.STRONG), f"{names_text}."), view.width, 2)
    return page if len(apps) == len(report.apps) else [*page, BLANK]


def _unused(report: DriftReport, view: View) -> Page:
    return [
        row for rule, why in report.unused.items() for row in labeled("Notice: ", f"{rule}: {why}", view.width)
    ]


def _summary(report: DriftReport, view: View, exit_code: int) -> Page:
    left = line(Span(summary_words(report)), f" {coverage_words(report)}.")
    requests = sum(app.requests for app in report.apps)
    numbers = [count(requests, "request")] if requests else []
    numbers += [seconds(report.seconds)] if report.seconds is not None else []
    found = fingerprint(report)
    numbers += [f"fingerprint {found.removeprefix('sha256:')[:12]}"] if found else []
    numbers += [f"exit code {exit_code}"]
    right = Span(", ".join(numbers), Ink.DIM)
    if width_of(left) + _GAP + width_of((right,)) <= view.width:
        return [(*padded(left, view.width - width_of((right,))), right)]
    return [*wrapped(left, view.width, 0), (right,)]


def summary_words(report: DriftReport) -> str:
    """`3 drifted, 1 conflict, 1 pending;`."""
    items = [item for app in report.apps for item in app.items]
    found = Counter(item.drift_class for item in items if not item.ignored)
    ignored = sum(1 for item in items if item.ignored)
    failed = sum(1 for app in report.apps if app.error)
    parts = [
        f"{found[DriftClass.DRIFT]:,} drifted",
        count(found[DriftClass.CONFLICT], "conflict") if found[DriftClass.CONFLICT] else "",
        f"{found[DriftClass.PENDING]:,} pending",
        f"{found[DriftClass.CONVERGED]:,} converged" if found[DriftClass.CONVERGED] else "",
        f"{ignored:,} ignored" if ignored else "",
        f"{failed:,} not checked" if failed else "",
    ]
    return ", ".join(filter(None, parts)) + ";"


def coverage_words(report: DriftReport) -> str:
    """`61 of 62 resources managed`; a quick check does not see unmanaged resources."""
    if any(app.quick for app in report.apps):
        return "coverage not measured (--quick)"
    managed = sum(app.managed for app in report.apps)
    whole = managed + sum(len(app.unmanaged) for app in report.apps)
    return f"{managed:,} of {count(whole, 'resource')} managed"
