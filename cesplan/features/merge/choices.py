"""
Choices of a merge: three values of one field, which side wins, and the record of the decision.
"""

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

from cesplan.config.checks.open_api_reading import read_open_api
from cesplan.config.checks.python_code import parse
from cesplan.domain.features.merge import FieldMerge, MergeResult, Side
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.text_merge import LONGEST_LINE, Collided, Collision, Merged, finest_of, merge_text
from cesplan.domain.value import ABSENT, Body, as_list, as_object, comparable, secret_variables
from cesplan.engine.comparing.pairs import hidden
from cesplan.engine.pulling.writable import why_unsayable
from cesplan.model.marks import Choices, Form, Sensitive
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning

_NAMES = {"python": "Python", "yaml": "OpenAPI"}


@dataclass(frozen=True, slots=True)
class Values:
    """The canonical values of one field, and `raw`: the tree's own spelling of `tree`."""

    base: Any
    tree: Any
    live: Any
    raw: Any

    def of(self, key: Any, raw_key: Any = None) -> "Values":
        """The values under a key of four mappings."""
        raw = _get(self.raw, key if raw_key is None else raw_key)
        return Values(_get(self.base, key), _get(self.tree, key), _get(self.live, key), raw)

    def as_bodies(self) -> "Values":
        """The values, with an empty mapping for every side that is not a mapping."""
        return Values(*(as_object(side) for side in (self.base, self.tree, self.live, self.raw)))

    def as_lists(self) -> "Values":
        """The values, with an empty list for every side that is not a list."""
        return Values(*(as_list(side) for side in (self.base, self.tree, self.live, self.raw)))

    @property
    def are_equal(self) -> bool:
        return same(self.tree, self.live)

    @property
    def is_everywhere(self) -> bool:
        """True if tree and live both have the field."""
        return self.tree is not ABSENT and self.live is not ABSENT

    @property
    def is_nowhere(self) -> bool:
        return self.base is ABSENT and self.tree is ABSENT and self.live is ABSENT


class Decisions:
    """
    Decides fields, and keeps the record. `winner` decides conflicts.

    `files` are the texts that are in files of their own, by field path. With `markers`, such a text gets both
    sides of each collision.
    """

    def __init__(self, winner: Side, files: Mapping[str, str] | None = None, *, markers: bool = False) -> None:
        self._winner = winner
        self._files = files or {}
        self._markers = markers
        self.found: list[FieldMerge] = []

    def leaf(self, known: FieldSpec | None, values: Values, path: FieldPath) -> Any:
        """The value of a field that is decided as a whole, or of a text."""
        if _are_edited_texts(known, values) and not _unsayable(known, values):
            return self._text(known, values, path)
        if self.choose(known, values, path) is not Side.LIVE:
            return values.raw
        return _spelled_out(known, values)

    def _text(self, known: FieldSpec | None, values: Values, path: FieldPath) -> str:
        """A text with the edits of both sides; where they collide, the winner's edit."""
        found = _merge_field(known, values.base, values.tree, values.live)
        match found:
            case Merged(text=text):
                if text in (values.tree, values.live):
                    only = MergeResult.KEPT if text == values.tree else MergeResult.TAKEN
                    self.note(known, only, values, path)
                    return text
                return self._fitting(known, MergeResult.MERGED, values, path, text)
            case Collided() if self._winner is Side.NEITHER:
                marked = found.marked if self._markers and str(path) in self._files else None
                self.note(
                    known,
                    MergeResult.CONFLICT,
                    values,
                    path,
                    why=found.why,
                    merged=marked,
                    collisions=found.collisions,
                )
                return str(values.raw) if marked is None else marked
            case Collided():
                text = found.with_theirs if self._winner is Side.LIVE else found.with_ours
                return self._fitting(known, MergeResult.CONFLICT, values, path, text, found.collisions)
            case _:
                assert_never(found)

    def _fitting(
        self,
        known: FieldSpec | None,
        result: MergeResult,
        values: Values,
        path: FieldPath,
        text: str,
        collisions: tuple[Collision, ...] = (),
    ) -> str:
        """A merged text, if it can be used; otherwise the whole text of one side."""
        why = _why_unfit(known, text, values.tree, values.live)
        if why:
            self.note(known, MergeResult.CONFLICT, values, path, why=why, won=self._winner)
            return str(values.live if self._winner is Side.LIVE else values.raw)
        won = self._winner if result is MergeResult.CONFLICT else Side.NEITHER
        self.note(known, result, values, path, won=won, merged=text, collisions=collisions)
        return text

    def choose(self, known: FieldSpec | None, values: Values, path: FieldPath, *, unsayable: str = "") -> Side:
        """The side whose value wins. `unsayable` is why no file can express the live value, if known."""
        if values.are_equal:
            return Side.TREE
        if same(values.base, values.live):
            self.note(known, MergeResult.KEPT, values, path)
            return Side.TREE
        why = unsayable or _unsayable(known, values)
        if same(values.base, values.tree):
            self.note(known, MergeResult.BY_HAND if why else MergeResult.TAKEN, values, path, why=why)
            return Side.TREE if why else Side.LIVE
        won = Side.NEITHER if why and self._winner is Side.LIVE else self._winner
        self.note(known, MergeResult.CONFLICT, values, path, why=why, won=won)
        return won

    def keep(self, known: FieldSpec | None, values: Values, path: FieldPath, why: str) -> Any:
        """
        Keep a value that was removed live and must stay. It is open until a person decides: live cannot win.
        """
        decided = self._winner is Side.TREE
        result, won = (MergeResult.CONFLICT, Side.TREE) if decided else (MergeResult.BY_HAND, Side.NEITHER)
        self.note(known, result, values, path, why=why, won=won)
        return values.raw

    def note(
        self,
        known: FieldSpec | None,
        result: MergeResult,
        values: Values,
        path: FieldPath,
        *,
        why: str = "",
        won: Side = Side.NEITHER,
        merged: Any = None,
        collisions: tuple[Collision, ...] = (),
    ) -> None:
        """Put a field on the record."""
        self.found.append(
            FieldMerge(
                path=path,
                result=result,
                base=_shown(values.base),
                tree=_shown(values.tree),
                live=_hidden(known, values),
                language=_language(known, (values.base, values.tree, values.live)),
                is_set=known is not None and known.list_meaning is ListMeaning.SET,
                why=why,
                won=won,
                merged=merged,
                collisions=collisions,
                file=self._files.get(str(path), "") if result is not MergeResult.KEPT else "",
            )
        )


def _are_edited_texts(known: FieldSpec | None, values: Values) -> bool:
    """True for three texts if both later ones are edited and one has several lines or is long."""
    sides = (values.base, values.tree, values.live)
    if (
        values.are_equal
        or not _is_text(known)
        or not all(isinstance(side, str) for side in (*sides, values.raw))
    ):
        return False
    is_long = any("\n" in side or len(side) > LONGEST_LINE for side in sides)
    return is_long and values.base not in (values.tree, values.live)


def _spelled_out(known: FieldSpec | None, values: Values) -> Any:
    """
    The value to take; a switch that was turned off is explicit, because a missing line would be overlooked.
    """
    is_switch = known is not None and known.scalar is Scalar.BOOL and known.cardinality is Cardinality.ONE
    turned_off = is_switch and values.live is ABSENT and known is not None and not known.has_presence
    return False if turned_off else values.live


def same(one: Any, other: Any) -> bool:
    """True for equal values, and for two that are absent."""
    if one is ABSENT or other is ABSENT:
        return one is other
    return comparable(one) == comparable(other)


def put(body: Body, name: str, value: Any) -> None:
    """Set an entry, or remove it if there is no value."""
    if value is ABSENT:
        body.pop(name, None)
    else:
        body[name] = value


def _unsayable(known: FieldSpec | None, values: Values) -> str:
    """Why a live value cannot be written into the file."""
    variables = sorted(secret_variables(values.tree)) if values.tree is not ABSENT else []
    if variables:
        names = ", ".join(f"`{name}`" for name in variables)
        return f"the tree takes it from the secret variable {names}: change the variable"
    if values.live is ABSENT:
        return ""
    if variables := sorted(secret_variables(values.live)):
        return f"live contains the value of the secret variable {', '.join(f'`{name}`' for name in variables)}"
    if known is None:
        return ""
    return next((why for item in _items(known, values.live) if (why := why_unsayable(known, item))), "")


def _items(known: FieldSpec, value: Any) -> list[Any]:
    """A whole list by its elements; an element, an entry of a map and a single value represent themselves."""
    return value if known.cardinality is Cardinality.LIST and isinstance(value, list) else [value]


def _get(side: Any, key: Any) -> Any:
    return side.get(key, ABSENT) if isinstance(side, dict) else ABSENT


def _shown(value: Any) -> Any:
    return None if value is ABSENT else value


def _hidden(known: FieldSpec | None, values: Values) -> Any:
    """A live value where the tree has a secret is a secret too; a switch that is off is explicit."""
    if values.live is ABSENT:
        return _shown(_spelled_out(known, values))
    return hidden(values.live, values.tree)


def _language(known: FieldSpec | None, values: Iterable[Any]) -> str:
    if known is not None and known.language:
        return known.language
    return "text" if any(isinstance(item, str) and "\n" in item for item in values) else ""


def _is_text(known: FieldSpec | None) -> bool:
    """True for fields whose text can be merged: not a reference, not a fixed format, not a secret."""
    if known is None:
        return True
    is_word = known.is_resource_name or any(known.mark(kind) for kind in (Choices, Form, Sensitive))
    return known.scalar is Scalar.STRING and not is_word


def _merge_field(known: FieldSpec | None, base: str, tree: str, live: str) -> Merged | Collided:
    """Merge a text of a field, taken apart as far as its language allows."""
    return merge_text(base, tree, live, finest=finest_of(known.language if known is not None else ""))


def _why_unfit(known: FieldSpec | None, text: str, tree: str, live: str) -> str:
    """
    Why a merged text cannot be used; empty if it can. Edits of code that are valid on their own can be invalid
    together.
    """
    language = known.language if known is not None else ""
    if _fault(language, text) and not _fault(language, tree) and not _fault(language, live):
        return f"both edits together are not valid {_NAMES[language]}"
    return ""


def _fault(language: str, text: str) -> bool:
    match language:
        case "python":
            return parse(text).fault is not None
        case "yaml":
            return read_open_api(text).fault is not None
    return False
