"""A plan for people: by app, each operation with its reason, then the plan's notices and summary."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from cesplan.domain.address import Address
from cesplan.domain.features.policy import RuleSeverity
from cesplan.domain.lazily import lazily
from cesplan.domain.plan import Action, Plan, Unmanaged
from cesplan.domain.settings import Settings
from cesplan.domain.text.words import count, listed, seconds
from cesplan.render.impact import serving_of
from cesplan.render.page import BLANK, Ink, Line, Page, Span, labeled, line, padded, paint, width_of, wrapped
from cesplan.render.plan_words import INKS, made_words, since_words, undone_counts
from cesplan.render.reading_order import NewOfKind, grouped, in_reading_order
from cesplan.render.text.layout import PLAIN, Layout, View, layout_for
from cesplan.render.values import inline

with lazily():
    from cesplan.render.text import operation

_MOST_LISTED = 20
"""The most items listed of what the plan leaves alone; the rest are only counted. JSON has them all."""


def plan_text(
    plan: Plan,
    view: View = PLAIN,
    *,
    duration: float | None = None,
    hints: Mapping[str, str] = {},
    is_all: bool | None = None,
    whole: str = "",
) -> str:
    """
    The text of a plan, ended by a line feed.

    `duration` is in seconds (None: not shown). `hints` are the next commands by their purpose. `is_all` is
    `plan.is_all` if part of the plan is shown elsewhere. `whole` is the command that shows what this view
    leaves out, or empty.
    """
    layout = layout_for(view, (left for item in plan.shown for left in operation.lefts_of(item)))
    pages = {item.address: operation.operation_page(item, layout) for item in plan.shown}
    rest = [
        *_held_back(plan, view),
        *_unmanaged(plan.unmanaged, layout),
        *_summary(plan, view, duration, is_all=plan.is_all if is_all is None else is_all),
        *_origin(plan),
        *_deployments(plan, view),
        *_live_edits(plan, view),
        *_left_out(plan, view),
        *_notices(plan, view),
        *_policy(plan, view),
        *_refusals(plan, view),
    ]
    shortened = _shortened(plan, pages, rest, view) if whole else []
    hints = {"To see everything": whole, **hints} if shortened else hints
    page = [*_weakened(plan, view), *_operations(plan, pages, layout), *rest, *shortened, *hints_page(hints)]
    return paint(page, colour=view.colour)


def heading(app: str, settings: Settings, since: str = "") -> Line:
    """`support-desk · prod · acme-prod/us · v1beta`, and the endpoint if it is not the default one."""
    if since:
        return line(Span(app, Ink.STRONG), Span(f" · {since_words(since)}", Ink.DIM))
    place = settings.place.short
    rest = [item for item in (settings.environment, place, settings.api_version, settings.where) if item]
    return line(Span(app, Ink.STRONG), Span("".join(f" · {item}" for item in rest), Ink.DIM))


def hints_page(hints: Mapping[str, str]) -> Page:
    """The next commands, each on its own line, aligned."""
    widest = max((len(label) for label in hints), default=0)
    rows: Page = [
        line("  ", f"{label}:".ljust(widest + 3), Span(command, Ink.COMMAND))
        for label, command in hints.items()
    ]
    return [BLANK, *rows] if rows else []


def weakened_page(rows: Sequence[Line], view: View, rest: Sequence[Line] = ()) -> Page:
    """Weakened protection, which comes first; empty if there is none."""
    if not rows:
        return []
    page: Page = [line(Span("Weakens protection:", Ink.WARNING))]
    for row in rows:
        page += wrapped((*line("  ", Span("! ", Ink.WARNING)), *row), view.width, 6)
    return [*page, *rest, BLANK]


def _weakened(plan: Plan, view: View) -> Page:
    rows = [
        line(Span(str(item.address), Ink.STRONG), f"  {found.text} ({found.code})")
        for item in plan.operations
        for found in item.weakens
    ]
    most = _most(view)
    return weakened_page(rows[:most], view, _rest(len(rows), most))


def _operations(plan: Plan, pages: Mapping[Address, Page], layout: Layout) -> Page:
    """Operations by app, in reading order; many new resources of one kind share a line."""
    page: Page = []
    order = in_reading_order if layout.view.full else grouped
    for app, group in groupby(plan.shown, key=lambda item: item.address.app):
        entries = order(group)
        column = max(
            (operation.group_width(item) for item in entries if isinstance(item, NewOfKind)), default=0
        )
        rows = [
            (operation.group_page(item, column, layout), True)
            if isinstance(item, NewOfKind)
            else (pages[item.address], len(pages[item.address]) < (3 if item.action is Action.CREATE else 2))
            for item in entries
        ]
        page += [heading(app, plan.settings, plan.since), BLANK, *_spaced(rows)]
    return page


def _spaced(pages: Iterable[tuple[Page, bool]]) -> Page:
    """Short pages (one line; of a create, also its one detail) follow each other; others have blank lines."""
    page: Page = []
    was_short = True
    for rows, is_short in pages:
        if page and not (is_short and was_short):
            page.append(BLANK)
        page += rows
        was_short = is_short
    return [*page, BLANK]


def _shortened(plan: Plan, pages: Mapping[Address, Page], lists: Page, view: View) -> Page:
    """How much this view leaves out: values of new and deleted resources, long texts, long lists."""
    if view.full:
        return []
    resources = sum(operation.leaves_out(item, pages[item.address]) for item in plan.shown)
    parts = [count(resources, "resource")] if resources else []
    parts += [count(cut, "list")] if (cut := sum(span.cut for row in lists for span in row)) else []
    sentence = f"{listed(parts)} {'are' if resources + cut > 1 else 'is'} not shown in full."
    return labeled("Shortened: ", sentence, view.width) if parts else []


def _held_back(plan: Plan, view: View) -> Page:
    if not plan.would_remove:
        return []
    intro = (
        "First contact: cesplan has not applied to this app before, so resources that are not in the tree "
        "stay. With --adopt, these would be removed:"
    )
    most = _most(view)
    rows: Page = [line("    ", Span(f"- {item}", Ink.DELETE)) for item in plan.would_remove[:most]]
    return [*wrapped((Span(intro),), view.width, 0), *rows, *_rest(len(plan.would_remove), most), BLANK]


def _unmanaged(items: Sequence[Unmanaged], layout: Layout) -> Page:
    if not items:
        return []
    page: Page = [(Span("Live only, left alone:"),)]
    most = _most(layout.view)
    for item in items[:most]:
        name = f"  {inline(item.display_name)}" if item.display_name not in ("", item.address.key) else ""
        page += layout.row(line("    ", f"{item.address}", Span(name, Ink.DIM)), (Span(item.why, Ink.DIM),))
    return [*page, *_rest(len(items), most), BLANK]


def _most(view: View) -> int:
    """The most items of a list that are named."""
    return sys.maxsize if view.full else _MOST_LISTED


def _rest(number: int, most: int) -> Page:
    return [line("    ", Span(f"… and {number - most:,} more", Ink.DIM, cut=True))] if number > most else []


def _summary(plan: Plan, view: View, duration: float | None, *, is_all: bool) -> Page:
    numbers = [count(plan.requests, "request")] if plan.requests else []
    numbers += [seconds(duration)] if duration is not None else []
    right = Span(", ".join(numbers), Ink.DIM)
    left = _nothing_to_do(plan, is_all=is_all) if plan.is_empty else _totals(plan)
    if not numbers:
        return [left]
    gap = view.width - width_of((right,))
    return [(*padded(left, max(gap, width_of(left) + 3)), right)]


def _nothing_to_do(plan: Plan, *, is_all: bool) -> Line:
    if plan.since:
        return line(Span("No changes", Ink.STRONG), f" in the tree since {plan.since[:12]}.")
    addition = " Live matches the tree." if is_all else ""
    compared = f"{count(plan.unchanged, 'resource')} compared"
    where = f" ({plan.settings.where})" if plan.settings.where else ""
    stamp = " Apply writes only the stamp." if plan.operations else ""
    return line(Span("No changes.", Ink.STRONG), f"{addition}{stamp} {compared}{where}.")


def _totals(plan: Plan) -> Line:
    parts: list[Span] = [Span("Changes: " if plan.since else "Plan: ", Ink.STRONG)]
    for action, ink in INKS.items():
        number = plan.count(action)
        parts += [Span(f"{number:,} to {action}", ink if number else ""), Span(", ")]
    parts[-1] = Span(f"; {plan.unchanged:,} unchanged.")
    return tuple(parts)


def _origin(plan: Plan) -> Page:
    """From what, by what and when the plan was made."""
    origin = made_words(plan.made)
    return [line(Span(origin, Ink.DIM))] if origin else []


def _deployments(plan: Plan, view: View) -> Page:
    """The deployments that serve the changes, and those that do not."""
    return [row for text in serving_of(plan) for row in labeled("Deployments: ", text, view.width, Ink.STRONG)]


def _live_edits(plan: Plan, view: View) -> Page:
    """How many live edits the plan undoes."""
    counts = undone_counts(plan.reverts)
    text = f"this plan {counts}.{' Apply asks for confirmation first.' if plan.open_reverts else ''}"
    return labeled("Live edits: ", text, view.width, Ink.WARNING) if counts else []


def _left_out(plan: Plan, view: View) -> Page:
    """Operations that a choice of targets keeps out of the plan."""
    if not plan.left_out:
        return []
    names = [str(item) for item in plan.left_out[: _most(view)]]
    rest = len(plan.left_out) - len(names)
    more = f" and {rest:,} more" if rest else ""
    text = f"{count(len(plan.left_out), 'other change')} not selected: {', '.join(names)}{more}"
    return wrapped((Span("Left out: ", Ink.NOTICE, cut=rest > 0), Span(text)), view.width, len("Left out: "))


def _notices(plan: Plan, view: View) -> Page:
    return [row for text in plan.notices for row in labeled("Notice: ", text, view.width)]


def _policy(plan: Plan, view: View) -> Page:
    """Verdicts of the policy besides refusals."""
    page: Page = []
    for item in plan.verdicts:
        if item.severity is RuleSeverity.WARN or item.approved:
            text = f"{item.text} (approved)" if item.approved else item.text
            page += labeled("Warning: ", text, view.width, Ink.WARNING)
    return page


def _refusals(plan: Plan, view: View) -> Page:
    if not plan.blockers:
        return []
    page: Page = [BLANK, line(Span("Warning: ", Ink.WARNING), "apply will refuse this plan:")]
    for reason in plan.blockers:
        for text in reason.split("\n"):
            page += wrapped(line("    ", text), view.width, 4)
    return page
