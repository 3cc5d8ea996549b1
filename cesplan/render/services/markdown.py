"""
Markdown for a comment on a pull request: what matters to a reviewer first, and never too long for one.

A comment begins with a hidden mark, by which a pipeline finds it again and updates it in place. Operations come
in the order of their risk: refused ones, deletes, reverts of live edits, guardrails, then the rest. If not
everything fits, unchanged parts are folded, then every resource is one line, then there are only numbers; the
remaining room shows the first ones in full.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from enum import IntEnum
from functools import cache

from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Action, Operation, Plan, Reason, summary_counts
from cesplan.domain.text.words import count, first_rows, sentence
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_of
from cesplan.render.impact import impact_of, serving_of
from cesplan.render.page import paint
from cesplan.render.places import element_name
from cesplan.render.plan_words import edit_of, made_words, reason_of, since_words, undone_counts
from cesplan.render.reading_order import NewOfKind, grouped, in_reading_order
from cesplan.render.services.markdown_escaping import code_html, inert, inert_html
from cesplan.render.services.markdown_fields import code, fence, fields_markdown
from cesplan.render.text.layout import Layout, View
from cesplan.render.text.operation import force_text, lost_rows, operation_page, sign_of

LIMIT = 64_512
"""
The most characters of a comment: GitHub accepts 65,536, and a pipeline adds a few words. They are counted in
UTF-16 units, which are never fewer than characters; so the text has at most 193,536 bytes of UTF-8, and
GitHub's database accepts 262,144.
"""

_SHORT = 3
"""The most lines of a change that are not folded."""
_MOST_LISTED = 20
_LONGEST_TAIL = 8_000
_CUT = "- … and {:,} more lines\n\n"


class Detail(IntEnum):
    """How much is shown of one operation."""

    NONE = 0
    LINE = 1
    FOLDED = 2
    FULL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One entry of a list: its `forms` from nothing to everything, by Detail."""

    forms: Callable[[Detail], str]
    group: str
    number: int = 1
    """The number of resources in this entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment before it is fitted: its fixed parts, the entries, and the words for omitted entries."""

    head: str
    items: Sequence[Item]
    tail: str = ""
    rest: Callable[[Sequence[Item]], str] = field(default=lambda items: "")


def more_of(noun: str) -> Callable[[Sequence[Item]], str]:
    """The words for omitted entries: `… and 3 more events.`"""
    return lambda items: f"\n… and {count(len(items), f'more {noun}')}.\n" if items else ""


def mark(command: str, environment: str) -> str:
    """The hidden first line; the same for every run about one environment."""
    return f"<!-- cesplan:{command}:{environment or 'default'} -->"


def plan_markdown(plan: Plan, *, limit: int = LIMIT, whole: str = "", diagram: str = "") -> str:
    """
    A plan as a comment, ended by a line feed; at most `limit` characters.

    `whole` is the command that shows what the comment leaves out, or empty. `diagram` is the graph of the
    changes in Mermaid, or empty. It is left out if it would take too much room from the changes.
    """
    open_to = _Concerns(plan)
    judged = [item for item in plan.shown if open_to.of(item)]
    entries = [*in_reading_order(judged), *grouped(item for item in plan.shown if not open_to.of(item))]
    comment = Comment(
        head=_plan_head(plan, _MOST_LISTED),
        items=[_new_item(item) if isinstance(item, NewOfKind) else _item(item, open_to) for item in entries],
        tail=_drawn(diagram, limit // 8)
        + _cut(_plan_tail(plan, _MOST_LISTED), _LONGEST_TAIL)
        + _pointer(plan, whole),
        rest=numbers_of,
    )
    return fitted(comment, limit)


def full_markdown(plan: Plan) -> str:
    """Everything that a plan writes, ended by a line feed, of any length: for a summary, not for a comment."""
    layout = Layout(view=View(full=True), column=30)
    parts = [_plan_head(plan)]
    for operation in plan.shown:
        rows = paint(operation_page(operation, layout), colour=False).split("\n")
        parts.append(f"\n#### {code(str(operation.address))}\n\n{fence(rows[:-1], 'diff')}\n")
    return "".join([*parts, _plan_tail(plan)])


def fitted(comment: Comment, limit: int) -> str:
    """The comment with as much detail as fits the limit."""
    room = limit - _size(comment.tail)
    head = _cut(comment.head, min(room - _size(comment.rest(comment.items)) - 2, room // 2))
    room -= _size(head)
    levels = _levels(comment, room)
    texts = [item.forms(level) for item, level in zip(comment.items, levels, strict=True)]
    left = [item for item, level in zip(comment.items, levels, strict=True) if level is Detail.NONE]
    page = head + "".join(texts) + (comment.rest(left) if left else "") + comment.tail
    return page if _size(page) <= limit else _cut(comment.head, limit)


def numbers_of(items: Sequence[Item]) -> str:
    """The number of entries that are not listed one by one, by kind."""
    counts: Counter[str] = Counter()
    for item in items:
        counts[item.group] += item.number
    parts = [f"{number:,} {group}" for group, number in sorted(counts.items())]
    return f"\n… and {count(counts.total(), 'more resource')}: {', '.join(parts)}.\n" if parts else ""


def _levels(comment: Comment, room: int) -> list[Detail]:
    """The detail of each entry: the same for all, and more for the first ones while there is room."""
    for level in (Detail.FULL, Detail.FOLDED, Detail.LINE):
        spare = _spare(comment.items, level, room)
        if spare >= 0:
            return _raised(comment.items, [level] * len(comment.items), spare)
    spare = room - _size(comment.rest(comment.items))
    levels = [Detail.NONE] * len(comment.items)
    for place, item in enumerate(comment.items):
        size = _size(item.forms(Detail.LINE))
        if size > spare:
            break
        levels[place], spare = Detail.LINE, spare - size
    return levels


def _spare(items: Sequence[Item], level: Detail, room: int) -> int:
    """The remaining space if every entry has this level; negative if one does not fit."""
    for item in items:
        room -= _size(item.forms(level))
        if room < 0:
            break
    return room


def _raised(items: Sequence[Item], levels: list[Detail], spare: int) -> list[Detail]:
    """More detail for the first entries, while there is room."""
    for place, item in enumerate(items):
        for level in (Detail.FULL, Detail.FOLDED):
            more = _size(item.forms(level)) - _size(item.forms(levels[place]))
            if level > levels[place] and more <= spare:
                levels[place], spare = level, spare - more
        if levels[place] is Detail.LINE:
            break
    return levels


class _Concerns:
    """The policy's verdicts on operations, which are read first."""

    def __init__(self, plan: Plan) -> None:
        self._verdicts: dict[object, list[str]] = {}
        for verdict in plan.verdicts:
            self._verdicts.setdefault(verdict.address, []).append(f"{verdict.severity}: {verdict.text}")

    def of(self, operation: Operation) -> list[str]:
        return self._verdicts.get(operation.address, [])


def _item(operation: Operation, concerns: _Concerns) -> Item:
    @cache
    def forms(level: Detail) -> str:
        if level is Detail.NONE:
            return ""
        line = _line(operation, concerns)
        if level is Detail.LINE:
            return f"- {line}\n"
        body = _body(operation, concerns, full=level is Detail.FULL)
        if not body:
            return f"\n{line}\n"
        if len(body.splitlines()) <= _SHORT:
            return f"\n{line}\n\n{body}\n"
        return f"\n<details><summary>{line}</summary>\n\n{body}\n</details>\n"

    return Item(forms=forms, group=f"{operation.address.kind} to {operation.action}")


def _new_item(group: NewOfKind) -> Item:
    """New resources of one kind: their names, and with more room their files."""
    number = len(group.operations)

    @cache
    def forms(level: Detail) -> str:
        if level is Detail.NONE:
            return ""
        line = f"<code>+</code> create {number:,} {inert_html(str(group.kind))}"
        if level is Detail.LINE:
            return f"- {line}\n"
        rows = [_new_row(item, full=level is Detail.FULL) for item in group.operations]
        body = "\n".join(rows)
        return f"\n<details><summary>{line}</summary>\n\n{body}\n</details>\n"

    return Item(forms=forms, group=f"{group.kind} to {Action.CREATE}", number=number)


def _new_row(operation: Operation, *, full: bool) -> str:
    files = ", ".join(code(file) for _, file in sorted(operation.files.items())) if full else ""
    return f"- {code(str(operation.address))}{f': {files}' if files else ''}"


def _line(operation: Operation, concerns: _Concerns) -> str:
    """The line of an operation, in HTML because it also appears in a summary."""
    parts = [] if operation.reason is Reason.FIELD_CHANGED else [reason_of(operation)]
    parts += [count(len(operation.changes), "field")] if operation.action is Action.UPDATE else []
    concerning = [*concerns.of(operation), *filter(None, [operation.undoes])]
    warning = " ⚠️" if operation.action is Action.DELETE or concerning else ""
    against = f" — {inert_html(concerning[0])}" if concerning else ""
    name = code_html(str(operation.address))
    return f"<code>{sign_of(operation)}</code> {operation.action} {name}: {', '.join(parts)}{warning}{against}"


def _body(operation: Operation, concerns: _Concerns, *, full: bool) -> str:
    rows = [f"- ⚠️ {inert(text)}" for text in concerns.of(operation)]
    rows += [f"- ⚠️ {inert(sentence(operation.undoes))}"] if operation.undoes else []
    match operation.action:
        case Action.CREATE:
            rows += [f"- {code(path)}: {code(file)}" for path, file in sorted(operation.files.items()) if full]
        case Action.UPDATE:
            redactor = redactor_of(operation)
            for change in sorted(operation.changes, key=lambda item: item.edit is None):
                rows.append(
                    fields_markdown(
                        change, redactor, full=full, name=element_name(change.path, operation, redactor)
                    )
                )
                rows += [f"  - ⚠️ {inert(edit_of(change))}"] if change.edit is not None else []
            rows += [f"- update mask: {code(','.join(map(str, operation.mask)))}"] if operation.mask else []
        case Action.DELETE:
            rows += [*_lost(operation)] if full else []
            rows += [f"- ⚠️ {inert(force_text(operation))}" for step in operation.steps if step.force]
    reach = impact_of(operation)
    rows += [f"- {inert(reach)}"] if reach else []
    rows += [f"- {inert(note)}" for note in operation.notes]
    return "\n".join(rows)


def _lost(operation: Operation) -> Iterator[str]:
    """How a deleted resource begins."""
    rows, rest = lost_rows(operation)
    if rows:
        more = [f"… {count(rest, 'more line')}"] if rest else []
        yield f"- it begins:\n\n{fence([*(f'-{row}' for row in rows), *more], 'diff')}\n"


def _plan_head(plan: Plan, most: int = sys.maxsize) -> str:
    settings = plan.settings
    what = _since(plan) if plan.since else inert(" · ".join(settings.heading))
    marked = mark("diff" if plan.since else "plan", settings.environment)
    rows = [marked, f"### cesplan plan · {what}", "", _sums(plan), ""]
    weakened = [
        f"{item.address} {found.text} ({found.code})" for item in plan.operations for found in item.weakens
    ]
    rows += weakened_rows(weakened, most)
    rows += listed_rows("**Deployments:**", serving_of(plan), most)
    rows += listed_rows("⛔ **Apply will refuse this plan:**", plan.blockers, most)
    warned = [item.text for item in plan.verdicts if item.text not in plan.blockers]
    rows += listed_rows("⚠️ **Policy:**", warned, most)
    rows += listed_rows("**First contact:** with `--adopt`, these would be removed:", plan.would_remove, most)
    return "\n".join(rows) + "\n"


def weakened_rows(texts: Sequence[str], most: int = sys.maxsize) -> list[str]:
    """The rows about weakened protection, which come first; empty if there are none."""
    return listed_rows("⚠️ **Weakens protection:**", texts, most)


def _since(plan: Plan) -> str:
    environment = f"{inert(plan.settings.environment)} · " if plan.settings.environment else ""
    return f"{environment}{since_words(plan.since)}"


def _sums(plan: Plan) -> str:
    if plan.is_empty:
        return f"**No changes.** {count(plan.unchanged, 'resource')} compared."
    numbers = summary_counts(plan)
    parts = [f"**{numbers[action]:,} to {action}**" for action in Action if numbers[action]]
    safety = sum(kind_of(item.address.kind).is_safety for item in plan.shown)
    protected = f" {count(safety, 'change')} to guardrails and security settings." if safety else ""
    undone = undone_counts(plan.reverts)
    undone = f" ⚠️ **{sentence(undone)}.**" if undone else ""
    return f"{', '.join(parts)}; {plan.unchanged:,} unchanged.{protected}{undone}"


def _plan_tail(plan: Plan, most: int = sys.maxsize) -> str:
    rows: list[str] = []
    left = [str(item) for item in plan.left_out]
    rows += listed_rows("Not selected:", left, most)
    rows += listed_rows("Live only, left alone:", [str(item.address) for item in plan.unmanaged], most)
    rows += listed_rows("Notices:", plan.notices, most)
    origin = made_words(plan.made)
    rows += [f"<sub>{inert_html(origin)}</sub>"] if origin else []
    return "\n" + "\n".join(rows) + "\n" if rows else ""


def _drawn(diagram: str, most: int) -> str:
    """A code block that GitHub and GitLab draw; no line of the Mermaid text can end it."""
    if not diagram or _size(diagram) > most:
        return ""
    return f"\n<details><summary>What the changes touch</summary>\n\n```mermaid\n{diagram}```\n</details>\n"


def _pointer(plan: Plan, whole: str) -> str:
    """Where to read what a comment leaves out: it has no room for the values of new and deleted resources."""
    hint = "Values of created and deleted resources, long texts, and long lists are shortened here. Everything"
    return f"\n{hint}: {code(whole)}\n" if whole and (plan.shown or plan.unmanaged or plan.would_remove) else ""


def listed_rows(title: str, items: Iterable[str], most: int) -> list[str]:
    """A list under a title; the rest of a long list is only counted."""
    texts = [f"- {inert(item)}".replace("\n", "\n  ") for item in items]
    return [title, "", *first_rows(texts, most, "- … and {:,} more"), ""] if texts else []


def _cut(text: str, most: int) -> str:
    """A text cut to the available lines, with the number of omitted lines."""
    if _size(text) <= most:
        return text
    lines = text.splitlines(keepends=True)
    room = most - _size(_CUT.format(len(lines)))
    kept = [*_lines_within(lines, room)]
    return "".join([*kept, _CUT.format(len(lines) - len(kept))])


def _lines_within(lines: Iterable[str], most: int) -> Iterator[str]:
    for line in lines:
        most -= _size(line)
        if most < 0:
            return
        yield line


def _size(text: str) -> int:
    """The number of UTF-16 units, as some services count characters: never fewer than the characters."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
