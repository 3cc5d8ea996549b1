"""What a merge did, or would do, as people read it."""

from collections.abc import Iterator, Mapping, Sequence

from cesplan.domain.address import Address
from cesplan.domain.change import FieldAction, FieldChange, LiveEdit
from cesplan.domain.features.merge import (
    AppMerge,
    Fate,
    FieldMerge,
    MergedResource,
    MergeResult,
    ResourceFate,
    Side,
)
from cesplan.domain.value import Secret
from cesplan.features.merge.collisions import collisions_page
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.page import (
    BLANK,
    CREATE,
    DELETE,
    DIM,
    NOTICE,
    STRONG,
    UPDATE,
    WARNING,
    Page,
    Span,
    indented,
    line,
    paint,
    wrapped,
)
from cesplan.render.text.field import INDENT, FieldContext, field_page, head_of
from cesplan.render.text.layout import Layout, View, layout_for
from cesplan.render.text.plan import hints_page
from cesplan.render.words import count

_PLAIN = View()

_FATES = {
    Fate.CREATED: ("+", CREATE, "created live: file added"),
    Fate.DELETED: ("-", DELETE, "deleted live: file removed"),
    Fate.ONLY_IN_TREE: ("·", DIM, "not live yet: file kept"),
    Fate.ONLY_LIVE: ("·", DIM, "removed from the tree, still live: no file added"),
    Fate.DELETED_LIVE: ("!", WARNING, "conflict: deleted live, changed in the tree"),
    Fate.DELETED_IN_TREE: ("!", WARNING, "conflict: removed from the tree, changed live"),
}
_WINNERS = {Side.TREE: "the tree wins", Side.LIVE: "live wins", Side.NEITHER: ""}


def merge_text(
    apps: Sequence[AppMerge],
    *,
    written: Sequence[str],
    removed: Sequence[str],
    is_check: bool,
    touched: Mapping[str, Sequence[Address]] | None = None,
    service: str = "",
    hints: Mapping[str, str] | None = None,
    view: View = _PLAIN,
) -> str:
    """
    What was taken, kept and left open, app by app, and the files; ended by a line feed.

    `service` is the service that was read, where that is not the default one.
    """
    page: Page = []
    for app in apps:
        page += [*_app_page(app, service, view), BLANK]
    page += _touched(touched or {}, view)
    page += _summary(apps, written, removed, is_check=is_check)
    return paint([*page, *hints_page(hints or {})], colour=view.colour)


def _touched(touched: Mapping[str, Sequence[Address]], view: View) -> Page:
    """Which other environments share what is edited."""
    page: Page = []
    for name, found in sorted(touched.items()):
        who = f"environment {name}" if name else "the tree without an environment"
        text = f"also changes {who}: {', '.join(map(str, found))}"
        page += wrapped((Span("Notice: ", NOTICE), Span(text)), view.width, len("Notice: "))
    return [*page, BLANK] if page else []


def _app_page(app: AppMerge, service: str, view: View) -> Page:
    page: Page = [line(Span(app.key, STRONG), Span(f" · {service}" if service else "", DIM))]
    page += wrapped(line("  base: ", Span(app.base, DIM)), view.width, 8)
    if app.weaker:
        page += wrapped(line("  because ", Span(app.weaker, NOTICE)), view.width, 10)
    shown = [
        item for item in app.resources if any(field.result is not MergeResult.KEPT for field in item.fields)
    ]
    layout = layout_for(view, [line(" " * INDENT, str(f.path)) for item in shown for f in item.fields])
    for item in shown:
        page += [BLANK, *_resource_page(item, app, layout)]
    page += [BLANK] if app.fates else []
    for fate in app.fates:
        page += _fate_page(fate, app.edits, layout)
    renewed = {item.address: item for item in app.re_created}
    for address in app.ids:
        new = renewed.get(address)
        words = (
            f"re-created under another id: {new.old} is gone, its $id is {new.new} now"
            if new
            else "its $id is recorded"
        )
        page += layout.row(line("  ", Span(f"~ {_short(address)}", UPDATE)), line(Span(words, DIM)))
    page += _kept(app, view)
    for text in app.notices:
        page += wrapped((Span("Notice: ", NOTICE), Span(text)), view.width, len("Notice: "))
    return page


def _resource_page(item: MergedResource, app: AppMerge, layout: Layout) -> Page:
    refused = {path: why for (address, path), why in app.refused.items() if address == str(item.address)}
    page = layout.row(
        line("  ", Span(f"~ {_short(item.address)}", f"{STRONG} {UPDATE}")), line(Span(item.file, DIM))
    )
    redactor = FieldRedactor(kind_of(item.address.kind).spec, frozenset())
    for found in item.fields:
        if found.result is not MergeResult.KEPT:
            edit = app.edits.get((item.address, str(found.path)))
            page += _field(found, refused, edit, redactor, layout)
    if "" in refused:
        page += wrapped(line(" " * INDENT, Span("by hand: ", WARNING), refused[""]), layout.width, INDENT)
    return page


def _field(
    found: FieldMerge,
    refused: Mapping[str, str],
    edit: LiveEdit | None,
    redactor: FieldRedactor,
    layout: Layout,
) -> Page:
    why = refused.get(str(found.path), "") or (found.why if found.is_open else "")
    change = _as_change(found)
    if found.is_open and found.collisions and isinstance(redactor.value(found.path, found.tree), str):
        page = collisions_page(found, head_of(change), layout)
    elif isinstance(change.before, str) and isinstance(change.after, Secret):
        page = layout.row(head_of(change), (Span(f"live is {change.after}", DIM),))
    else:
        page = field_page(change, FieldContext(layout=layout, redactor=redactor))
    if found.result is MergeResult.MERGED:
        page += indented([line(Span("merged: both sides changed it, in different places", DIM))], 8)
    if found.result is MergeResult.CONFLICT and found.won is Side.NEITHER:
        by = f", live by {edit.by}" if edit and edit.by else ""
        page += indented(
            wrapped(line(Span("conflict", WARNING), f": both changed it{by}"), layout.width - 8, 0), 8
        )
    elif found.result is MergeResult.CONFLICT:
        page += indented([line(Span(f"conflict: {_WINNERS[found.won]}", DIM))], 8)
    if why:
        page += indented(wrapped(line(Span("by hand: ", WARNING), why), layout.width - 8, 0), 8)
    return page


def _as_change(found: FieldMerge) -> FieldChange:
    """From what the tree says to what is live, or to what the file gets where that has edits of both."""
    tree, live = found.tree, found.live if found.merged is None else found.merged
    action = (
        FieldAction.ADDED if tree is None else FieldAction.REMOVED if live is None else FieldAction.MODIFIED
    )
    return FieldChange(
        path=found.path,
        mask=found.path.mask,
        action=action,
        before=tree,
        after=live,
        language=found.language,
        is_set=found.is_set,
    )


def _fate_page(item: ResourceFate, edits: Mapping[tuple[Address, str], LiveEdit], layout: Layout) -> Page:
    sign, ink, words = _FATES[item.fate]
    if item.referrers:
        words = f"conflict: deleted live, and {', '.join(item.referrers)} still refers to it"
    won = f" ({_WINNERS[item.won]})" if item.won is not Side.NEITHER else ""
    edit = edits.get((item.address, ""))
    by = f", by {edit.by}" if edit and edit.by and item.is_open else ""
    return layout.row(
        line("  ", Span(f"{sign} {_short(item.address)}", ink)), line(Span(f"{words}{won}{by}", DIM))
    )


def _kept(app: AppMerge, view: View) -> Page:
    """Fields that only the tree changed: a line for all of them."""
    kept = [f"{_short(item.address)} {found.path}" for item in app.resources for found in item.fields
            if found.result is MergeResult.KEPT]  # fmt: skip
    if not kept:
        return []
    text = f"Changed only in the tree, and kept: {', '.join(kept)}."
    return [BLANK, *wrapped(line(Span(text, DIM)), view.width, 2)]


def _short(address: Address) -> str:
    return "app" if str(address) == address.app else address.within_app


def _summary(
    apps: Sequence[AppMerge], written: Sequence[str], removed: Sequence[str], *, is_check: bool
) -> Page:
    open_ = sum(_open(app) for app in apps)
    if not apps:
        return [line(Span("Nothing to merge. ", STRONG), "None of the tree's apps is live.")]
    if not (written or removed or open_):
        rest = "The tree is unchanged." if _kept_by_the_tree(apps) else "The tree already matches live."
        return [line(Span("Nothing to merge. ", STRONG), rest)]
    verb = "would be " if is_check else ""
    parts = [f"{count(len(written), 'file')} {verb}written"]
    parts += [f"{count(len(removed), 'file')} {verb}removed"] if removed else []
    parts += [f"{count(open_, 'place')} left to resolve"] if open_ else []
    marked = {item.file for app in apps for item in _fields(app) if item.has_markers}
    parts += [f"conflict markers in {', '.join(sorted(marked))}"] if marked else []
    return [line(Span("Merge: ", STRONG), "; ".join(parts), ".")]


def _kept_by_the_tree(apps: Sequence[AppMerge]) -> bool:
    """Whether something is live that was decided against."""
    fields = (found for app in apps for item in app.resources for found in item.fields)
    return any(found.won is Side.TREE for found in fields) or any(
        fate.won is Side.TREE for app in apps for fate in app.fates
    )


def _fields(app: AppMerge) -> Iterator[FieldMerge]:
    for item in app.resources:
        yield from item.fields


def _open(app: AppMerge) -> int:
    fields = {
        (str(item.address), str(found.path)) for item in app.resources for found in item.fields if found.is_open
    }
    return len(fields | set(app.refused)) + sum(1 for item in app.fates if item.is_open)
