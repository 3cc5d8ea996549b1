"""
Choices of a merge: three values of one field, whose it is to be, and the record of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cesplan.domain.features.merge import FieldMerge, MergeResult, Side
from cesplan.domain.field_path import FieldPath
from cesplan.domain.value import Body, secret_variables
from cesplan.engine.comparing.normalize import ABSENT
from cesplan.engine.comparing.pairs import comparable, hidden
from cesplan.engine.pulling.writable import why_unsayable
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning


@dataclass(frozen=True, slots=True)
class Values:
    """The values of one field, canonical, and `raw`: the tree's own spelling of what `tree` says."""

    base: Any
    tree: Any
    live: Any
    raw: Any

    def of(self, key: Any, raw_key: Any = None) -> "Values":
        """The values under a key of four mappings."""
        raw = _get(self.raw, key if raw_key is None else raw_key)
        return Values(_get(self.base, key), _get(self.tree, key), _get(self.live, key), raw)

    def as_bodies(self) -> "Values":
        """The same with nothing for every side that is no mapping."""
        return Values(*(_body(side) for side in (self.base, self.tree, self.live, self.raw)))

    def as_lists(self) -> "Values":
        """The same with an empty list for every side that is none."""
        return Values(*(_list(side) for side in (self.base, self.tree, self.live, self.raw)))

    @property
    def are_equal(self) -> bool:
        return same(self.tree, self.live)

    @property
    def is_everywhere(self) -> bool:
        """True where tree and live both have the field."""
        return self.tree is not ABSENT and self.live is not ABSENT

    @property
    def is_nowhere(self) -> bool:
        return self.base is ABSENT and self.tree is ABSENT and self.live is ABSENT


class Choices:
    """Decides fields, and keeps the record. `winner` decides conflicts."""

    def __init__(self, winner: Side) -> None:
        self._winner = winner
        self.found: list[FieldMerge] = []

    def leaf(self, known: FieldSpec | None, values: Values, path: FieldPath) -> Any:
        """The value of a field that is decided as a whole."""
        if self.choose(known, values, path) is not Side.LIVE:
            return values.raw
        return _spelled_out(known, values)

    def choose(self, known: FieldSpec | None, values: Values, path: FieldPath, *, unsayable: str = "") -> Side:
        """Whose value it is to be. `unsayable` is why no file can say what is live, where that is known."""
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
        """What was removed live and has to stay, which is open until a person decides: live cannot win."""
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
            )
        )


def _spelled_out(known: FieldSpec | None, values: Values) -> Any:
    """What is taken; a switch that was turned off says so, where a missing line would be overlooked."""
    is_switch = known is not None and known.scalar is Scalar.BOOL and known.cardinality is Cardinality.ONE
    turned_off = is_switch and values.live is ABSENT and known is not None and not known.has_presence
    return False if turned_off else values.live


def same(one: Any, other: Any) -> bool:
    """True for equal values, and for two that are absent."""
    if one is ABSENT or other is ABSENT:
        return one is other
    return comparable(one) == comparable(other)


def put(body: Body, name: str, value: Any) -> None:
    """Set an entry, or take it out where there is no value."""
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
    if known is None or values.live is ABSENT:
        return ""
    return next((why for item in _items(known, values.live) if (why := why_unsayable(known, item))), "")


def _items(known: FieldSpec, value: Any) -> list[Any]:
    """A whole list by its elements; an element, an entry of a map and a single value stand for themselves."""
    return value if known.cardinality is Cardinality.LIST and isinstance(value, list) else [value]


def _get(side: Any, key: Any) -> Any:
    return side.get(key, ABSENT) if isinstance(side, dict) else ABSENT


def _body(side: Any) -> Body:
    return side if isinstance(side, dict) else {}


def _list(side: Any) -> list[Any]:
    return side if isinstance(side, list) else []


def _shown(value: Any) -> Any:
    return None if value is ABSENT else value


def _hidden(known: FieldSpec | None, values: Values) -> Any:
    """What stands live where the tree has a secret is a secret too; a switch that is off says so."""
    if values.live is ABSENT:
        return _shown(_spelled_out(known, values))
    return hidden(values.live, values.tree)


def _language(known: FieldSpec | None, values: Iterable[Any]) -> str:
    if known is not None and known.language:
        return known.language
    return "text" if any(isinstance(item, str) and "\n" in item for item in values) else ""
