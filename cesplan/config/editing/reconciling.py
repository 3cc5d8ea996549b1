"""
Reconciling: walk a text together with its current and its new value, and edit it where they differ.

Equal values are skipped. References to other files are followed: an included text is edited in its own file,
and a variable is never overwritten.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cesplan.config.editing.aligning import ElementMove, align
from cesplan.config.editing.elements import Chunk, can_move, chunks
from cesplan.config.editing.scalar_edits import restyled
from cesplan.config.editing.slots import Slot, TextEdit, directive_of, is_below
from cesplan.config.editing.splices import Splices, entry_range
from cesplan.config.editing.syntax import Part, SourceText, dash_of
from cesplan.config.editing.values import Typed
from cesplan.config.editing.variable_texts import carry, pieces
from cesplan.config.resource.values import EXPAND, FILE, REF, VAR
from cesplan.config.writing.emitting import entry_lines, inline, item_lines, value_lines
from cesplan.config.writing.shaping import Shaping, escaped
from cesplan.domain.value import ABSENT, comparable
from cesplan.model.walk import Trail

_MERGE = "<<"


@dataclass(slots=True, kw_only=True)
class Reconciler:
    """One pass over one text. `with_aliases` says whether aliases and merge keys may be edited."""

    source: SourceText
    shaping: Shaping
    variable: Callable[[str], str | None]
    with_aliases: bool = False
    splices: Splices = field(init=False)
    texts: list[TextEdit] = field(default_factory=list)
    refused: dict[Trail, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.splices = Splices(self.source)

    def mapping(
        self, part: Part, typed: Typed, old: Mapping[str, Any], new: Mapping[str, Any], trail: Trail
    ) -> None:
        """Edit the entries of a mapping."""
        names = {typed.written_key(key): key for key in {**old, **new}}
        own = {name.text: (name, value) for name, value in part.entries}
        removed: set[str] = set()
        for written, key in names.items():
            one, other = old.get(key, ABSENT), new.get(key, ABSENT)
            if _same(one, other):
                continue
            here = (*trail, typed.segment(key))
            if written in own and other is ABSENT:
                removed.add(written)
            elif written in own:
                self._entry(part, *own[written], typed.child(key), one, other, here)
            elif self._may_override(one, other, here):
                self._insert(part, written, typed, key, other, here, removed)
        self._remove(part, removed)

    def value(self, slot: Slot, typed: Typed, old: Any, new: Any, trail: Trail) -> None:
        """Edit one value of any kind."""
        part = slot.part
        directive = directive_of(part)
        if part.style == "alias":
            if self.with_aliases:
                self._replace(slot, typed, new, trail)
        elif directive:
            self._directive(slot, directive, typed, new, trail)
        elif part.is_mapping and isinstance(old, dict) and isinstance(new, dict) and _stays(part, typed, new):
            needs_braces = old.keys() != new.keys() and self._is_bare_pair(part)
            self.splices.replace(part.start, part.start, "{" if needs_braces else "")
            self.mapping(part, typed, old, new, trail)
            self.splices.replace(part.end, part.end, "}" if needs_braces else "")
        elif part.is_list and isinstance(old, list) and isinstance(new, list) and new:
            self._list(slot, typed, old, new, trail)
        elif not part.is_mapping and not part.is_list and not isinstance(new, dict | list):
            self._scalar(slot, typed, new, trail)
        else:
            self._replace(slot, typed, new, trail)

    def _is_bare_pair(self, part: Part) -> bool:
        """True for a single pair in brackets, `[a: 1]`, which needs braces before a second one can be added."""
        return part.style == "flow" and self.source.text[part.start] != "{"

    def _may_override(self, old: Any, new: Any, trail: Trail) -> bool:
        """True if a key may be added. A key from a merge can be overridden but not removed."""
        if old is ABSENT:
            return True
        if not self.with_aliases:
            return False
        if new is ABSENT:
            self.refused[trail] = "it comes from an anchor that is merged with `<<`"
        return new is not ABSENT

    def _entry(
        self, parent: Part, key: Part, part: Part, typed: Typed, old: Any, new: Any, trail: Trail
    ) -> None:
        colon = self.source.text.find(":", key.end)
        indent = self.source.column(key.start)
        self.value(Slot(part, colon + 1, indent, parent.style == "flow"), typed, old, new, trail)

    def _insert(
        self,
        part: Part,
        written: str,
        typed: Typed,
        key: str,
        value: Any,
        trail: Trail,
        removed: set[str],
    ) -> None:
        shaped = typed.child(key).shaped(self.shaping, value, trail)
        before = self._predecessor(part, typed, key, removed)
        if part.style == "flow":
            text = f"{inline({written: shaped})[1:-1]}"
            self.splices.insert_in_flow(text, part.entries[0][0], before)
            return
        first = part.entries[0][0]
        indent = self.source.column(first.start)
        lines = [*entry_lines(written, shaped, indent)]
        if before is not None:
            self.splices.insert_lines(before.end, lines)
        elif self.source.is_first_in_line(first.start):
            self.splices.insert_lines_before(first.start, lines)
        else:
            text = self.source.newline.join([*lines, " " * indent])[indent:]
            self.splices.replace(first.start, first.start, text)

    def _predecessor(self, part: Part, typed: Typed, key: str, removed: set[str]) -> Part | None:
        """The value after which to insert a new key: the nearest one before it in the usual order."""
        kept = {name.text: value for name, value in part.entries if name.text not in removed}
        order = [*typed.order()]
        if key not in order:
            return [*kept.values()][-1] if kept else None
        earlier = [name for name in order[: order.index(key)] if name in kept]
        if earlier:
            return kept[earlier[-1]]
        heads = [value for name, value in kept.items() if name.startswith("$") or name == _MERGE]
        return heads[-1] if heads else None

    def _remove(self, part: Part, removed: set[str]) -> None:
        if not removed:
            return
        entries = part.entries
        places = {place for place, (key, _) in enumerate(entries) if key.text in removed}
        if part.style == "flow":
            self.splices.remove_from_flow([entry_range(*item) for item in entries], places)
            return
        hanging = 0 in places and not self.source.is_first_in_line(entries[0][0].start)
        first = next((place for place in range(len(entries)) if place not in places), 0) if hanging else 0
        if hanging:
            self._remove_behind_dash(entries, first)
        for place in sorted(place for place in places if place >= first):
            key, value = entries[place]
            self.splices.remove_lines(key.start, max(value.end, key.end))

    def _remove_behind_dash(self, entries: list[tuple[Part, Part]], first: int) -> None:
        """
        Remove the entries before the first one that stays. It moves up behind the dash; comments above it stay.
        """
        start, following = entries[0][0].start, entries[first][0].start
        comments = self.source.text[self.source.line_end(entries[first - 1][1].end) : following].strip()
        pad = " " * self.source.column(start)
        kept = f"{comments}{self.source.newline}{pad}" if comments else ""
        self.splices.replace(start, following, kept)

    def _list(self, slot: Slot, typed: Typed, old: list[Any], new: list[Any], trail: Trail) -> None:
        part = slot.part
        steps = align(typed.list_field, old, new)
        kept = [step for step in steps if step.old is not None and step.new is not None and not step.moved]
        nested = part.style == "block" and not self.source.is_first_in_line(part.start)
        structural = any(step.old is None or step.new is None or step.moved for step in steps)
        if len(part.items) != len(old) or not kept or (nested and structural):
            self._replace(slot, typed, new, trail)
            return
        for step in kept:
            one, other = old[step.old or 0], new[step.new or 0]
            if not _same(one, other):
                item = part.items[step.old or 0]
                behind_dash, indent = dash_of(self.source.text, item) + 1, self.source.column(part.start)
                inner = Slot(item, behind_dash, indent, part.style == "flow")
                self.value(inner, typed.element(), one, other, (*trail, typed.segment(step.new or 0)))
        removed = {step.old for step in steps if step.old is not None and (step.new is None or step.moved)}
        if part.style == "flow":
            self._grow_in_flow(part, typed, steps, new, trail)
            self.splices.remove_from_flow([(item.start, item.end) for item in part.items], removed)
        elif structural:
            self._rearrange(part, typed, steps, new, trail, removed)

    def _grow_in_flow(
        self, part: Part, typed: Typed, steps: list[ElementMove], new: list[Any], trail: Trail
    ) -> None:
        before: Part | None = None
        for step in (step for step in steps if step.new is not None):
            if step.old is not None and not step.moved:
                before = part.items[step.old]
                continue
            text = inline([self._shaped(typed, step, new, trail)])[1:-1]
            self.splices.insert_in_flow(text, part.items[0], before)

    def _rearrange(
        self,
        part: Part,
        typed: Typed,
        steps: list[ElementMove],
        new: list[Any],
        trail: Trail,
        removed: set[int],
    ) -> None:
        """
        Insert new elements, remove old ones, and move others together with their comments.

        The next pass edits moved elements at their new places.
        """
        lines = chunks(self.source, part)
        at = lines[0].start
        for step in (step for step in steps if step.new is not None):
            if step.old is not None and not step.moved:
                at = lines[step.old].end
            elif step.old is not None and can_move(part.items[step.old]):
                self.splices.insert_text(at, self.source.text[lines[step.old].start : lines[step.old].end])
            else:
                shaped = self._shaped(typed, step, new, trail)
                self.splices.insert_at(at, item_lines(shaped, self.source.column(part.start)))
        for place in sorted(removed):
            self.splices.replace(lines[place].start, self._with_gap(lines[place]), "")

    def _with_gap(self, chunk: Chunk) -> int:
        """The end of the lines to remove, including one of two empty lines around them."""
        text, after = self.source.text, self.source.next_line(chunk.end)
        above = text[self.source.line_start(chunk.start - 1) : chunk.start] if chunk.start else ""
        is_between = chunk.end < len(text) and not text[chunk.end : after].strip() and not above.strip()
        return after if is_between else chunk.end

    def _shaped(self, typed: Typed, step: ElementMove, new: list[Any], trail: Trail) -> Any:
        place = step.new or 0
        return typed.element().shaped(self.shaping, new[place], (*trail, typed.segment(place)))

    def _scalar(self, slot: Slot, typed: Typed, new: Any, trail: Trail) -> None:
        written = self._written(slot.part, typed, new)
        if written is None:
            self.refused[trail] = "a part of it comes from a variable"
            return
        text = restyled(self.source, slot.part, written, in_flow=slot.in_flow)
        if text is not None:
            self.splices.replace(slot.part.start, slot.part.end, text)
        else:
            self._replace_shaped(slot, written)

    def _written(self, part: Part, typed: Typed, new: Any) -> Any:
        """The text of a new scalar; None if a variable prevents it."""
        if not isinstance(new, str):
            return new
        known = typed.known
        if known is not None and known.is_resource_name:
            return self.shaping.reference(known, new)
        if "${" not in part.text:
            return escaped(new)
        old = pieces(part.text, self.variable)
        return None if old is None else carry(old, new)

    def _directive(self, slot: Slot, directive: str, typed: Typed, new: Any, trail: Trail) -> None:
        named = slot.part.value_of(directive)
        if directive == VAR:
            name = named.text if named else ""
            self.refused[trail] = f"it comes from the variable `{name}`: change the variable"
        elif directive == FILE and isinstance(new, str) and named is not None:
            expand = slot.part.value_of(EXPAND)
            self.texts.append(
                TextEdit(
                    name=named,
                    value=new,
                    expand=expand is not None and expand.text == "true",
                    language=typed.known.language if typed.known else "",
                    trail=trail,
                )
            )
        elif directive == REF and isinstance(new, str) and new.count("/") == 1 and named is not None:
            self.splices.replace(named.start, named.end, new)
        else:
            self._replace(slot, typed, new, trail)

    def _replace(self, slot: Slot, typed: Typed, new: Any, trail: Trail) -> None:
        self._replace_shaped(slot, typed.shaped(self.shaping, new, trail))

    def _replace_shaped(self, slot: Slot, shaped: Any) -> None:
        """Replace an old value with a new one. Anything after it on its line stays."""
        part, source = slot.part, self.source
        if slot.in_flow:
            self.splices.replace(part.start, part.end, inline([shaped])[1:-1])
            return
        first, *rest = value_lines("", shaped, slot.indent)
        if is_below(source, slot):
            line_end = source.line_end(slot.head)
            at = line_end if part.anchor else slot.head
            self.splices.replace(at, at, first)
            self.splices.replace(line_end, part.end, "")
        elif part.anchor:
            self.splices.replace(part.start, part.end, first.lstrip())
        else:
            self.splices.replace(slot.head, part.end, first)
        if rest:
            self.splices.insert_lines(part.end, rest)


def _stays(part: Part, typed: Typed, new: dict[str, Any]) -> bool:
    """True if at least one entry of a mapping stays."""
    return any(part.key_of(typed.written_key(key)) for key in new)


def _same(one: Any, other: Any) -> bool:
    if one is ABSENT or other is ABSENT:
        return one is other
    return comparable(one) == comparable(other)
