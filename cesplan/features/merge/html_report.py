"""A merge as a page: what was taken, kept, and left open, with the values of both sides."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cesplan.domain.change import LiveEdit
from cesplan.domain.features.merge import (
    AppMerge,
    FieldMerge,
    MergedResource,
    MergeOutcome,
    MergeResult,
    Side,
)
from cesplan.domain.value import Secret
from cesplan.features.merge import words
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.html.fields import Field, field_of
from cesplan.render.html.heading import Heading, Looks, VerdictMark
from cesplan.render.html.page import anchor
from cesplan.render.html.report import Article, Box, HtmlReport, Section, Slot, Table, report_html
from cesplan.render.impact import reach_of

_MERGED = "both sides changed it, in different places"
_NOTHING = "(nothing)"


def merge_html(merged: MergeOutcome, *, environment: str = "", hints: Mapping[str, str] = {}) -> str:
    """The page of a merge, ended by a line feed. `hints` are what to type next."""
    apps, is_check = merged.apps, merged.is_check
    is_open = bool(words.open_places(apps))
    would = is_check and bool(merged.written or merged.removed)
    heading = Heading(
        title="Merge, checked only" if is_check else "Merge",
        environment=environment,
        service=merged.service,
        verdict="".join(words.summary(merged)),
        looks=Looks.OPEN if is_open or would else Looks.GOOD,
    )
    verb = "that would be " if is_check else ""
    return report_html(
        HtmlReport(
            heading=heading,
            boxes=(
                Box(title="Weakens protection", items=words.weakened(apps), looks="alert"),
                Box(title="Shared files", items=tuple(words.touched(merged.touched)), looks="alert"),
            ),
            sections=tuple(_sections(apps)),
            after=(
                Box(title=f"Files {verb}written", items=merged.written),
                Box(title=f"Files {verb}removed", items=merged.removed),
            ),
            hints=hints,
        )
    )


def _sections(apps: Sequence[AppMerge]) -> Iterator[Section]:
    number = 0
    for app in apps:
        found = [(anchor(number + place), item) for place, item in enumerate(words.shown(app))]
        number += len(found)
        columns = ("Result", "Resource", "Field", "What")
        rows = (*_field_rows(found, app), *_fate_rows(app), *_id_rows(app))
        yield Section(
            title=str(app.key),
            facts=tuple(
                filter(
                    None,
                    (f"Base: {app.base}", app.weaker and f"no exact base: {app.weaker}", words.kept(app)),
                )
            ),
            tables=(Table(label=f"Merge of {app.key}", columns=columns, rows=rows),),
            articles=tuple(_article(place, item, app) for place, item in found),
            boxes=(
                Box(title="To write by hand", items=tuple(_by_hand(app)), looks="alert"),
                Box(title="Notices", items=app.notices),
            ),
        )


def _by_hand(app: AppMerge) -> Iterator[str]:
    """The live changes that files cannot hold and that no field of the page shows."""
    shown = {(str(item.address), str(one.path)) for item in words.shown(app) for one in item.fields}
    for (address, path), why in sorted(app.refused.items()):
        if (address, path) not in shown:
            yield f"{' '.join(filter(None, (address, path)))}: {why}"


def _field_rows(found: Sequence[tuple[str, MergedResource]], app: AppMerge) -> Iterator[tuple[Slot, ...]]:
    for place, item in found:
        refused = words.refused_of(item, app)
        for one in item.fields:
            if one.result is MergeResult.KEPT:
                continue
            why = words.why_open(one, refused.get(str(one.path), ""))
            edit = app.edits.get((item.address, str(one.path)))
            note = "; ".join(filter(None, (words.conflict(one, edit), why)))
            yield (
                Slot(mark=_mark(one, why)),
                Slot(text=words.short(item.address), anchor=place),
                Slot(text=str(one.path), is_code=True),
                Slot(text=note),
            )


def _mark(found: FieldMerge, why: str) -> VerdictMark:
    if why:
        return VerdictMark(looks=Looks.BAD, said="by hand")
    if found.is_open:
        return VerdictMark(looks=Looks.BAD, said="conflict")
    word = "kept" if found.won is Side.TREE else "merged" if found.result is MergeResult.MERGED else "taken"
    return VerdictMark(looks=Looks.GOOD, said=word)


def _fate_rows(app: AppMerge) -> Iterator[tuple[Slot, ...]]:
    for item in app.fates:
        looks = Looks.BAD if item.is_open else Looks.GOOD
        if not (item.is_open or item.writes_file or item.removes_file):
            looks = Looks.QUIET
        word = "conflict" if item.is_open else str(item.fate).replace("_", " ")
        yield (
            Slot(mark=VerdictMark(looks=looks, said=word)),
            Slot(text=words.short(item.address)),
            Slot(),
            Slot(text=words.fate(item, app.edits)),
        )


def _id_rows(app: AppMerge) -> Iterator[tuple[Slot, ...]]:
    for address, said in words.ids(app):
        yield (
            Slot(mark=VerdictMark(looks=Looks.GOOD, said="$id")),
            Slot(text=words.short(address)),
            Slot(),
            Slot(text=said),
        )


def _article(place: str, item: MergedResource, app: AppMerge) -> Article:
    redactor = FieldRedactor(kind_of(item.address.kind).spec, frozenset())
    refused = words.refused_of(item, app)
    fields = [one for one in item.fields if one.result is not MergeResult.KEPT]
    return Article(
        anchor=place,
        looks="delete" if item.is_open else "update",
        said="to resolve" if item.is_open or refused else "merged",
        address=str(item.address),
        name=item.file,
        quiet=tuple(filter(None, (reach_of(item.address, item.impact) if item.impact else "",))),
        fields=tuple(
            _field(one, refused, app.edits.get((item.address, str(one.path))), redactor) for one in fields
        ),
        sides=("in the tree", "live, or both edits"),
        tables=tuple(table for one in fields for table in _collisions(one, redactor)),
    )


def _field(
    found: FieldMerge, refused: Mapping[str, str], edit: LiveEdit | None, redactor: FieldRedactor
) -> Field:
    change = words.as_change(found)
    if isinstance(change.before, str) and isinstance(change.after, Secret):
        field = Field(path=str(change.path), note=f"live is {change.after}")
    else:
        field = field_of(change, redactor)
    why = words.why_open(found, refused.get(str(found.path), ""))
    note = "; ".join(filter(None, (words.conflict(found, edit), f"by hand: {why}" if why else "")))
    return replace(field, about=_MERGED if found.result is MergeResult.MERGED else field.about, edit=note)


def _collisions(found: FieldMerge, redactor: FieldRedactor) -> Iterator[Table]:
    """The places in a text where both edits collide, each with its three sides."""
    if not (found.is_open and found.collisions and isinstance(redactor.value(found.path, found.tree), str)):
        return
    rows = tuple(
        (
            Slot(text=f"{found.file}:{item.line}" if found.file else f"line {item.line}", is_code=True),
            *(
                Slot(text=_NOTHING if text is None else text, is_code=True)
                for text in (item.ours, item.base, item.theirs)
            ),
        )
        for item in found.collisions
    )
    yield Table(
        label=f"Collisions in {found.path}",
        columns=("Where", "Tree", "Last applied", "Live"),
        rows=rows,
    )
