"""
Bodies of resources, led by the specs: every field, every member of a oneof, every list and map.

What a field must hold beyond its marks, because the service looks at it (a callback's signature, percentages
that sum to a hundred, names that are unique), is in the table at the end.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from cesplan.domain.value import Body
from cesplan.model.kinds import KINDS, kind_of
from cesplan.model.marks import AsSet, AtMost, KeyedBy, OnlyIn, Reference, Required
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec, message_spec
from tests.properties.dice import Dice
from tests.properties.values import Values

SYSTEM_TOOLS = ("tools/end_session", "tools/transfer_to_agent", "tools/customize_response")
PERSONAS = "evaluationPersonas"
_NEVER_MADE = frozenset({"mcpTool", "systemTool"})
"""Members of a oneof that only ."""
_DEEPEST = 9


@dataclass(slots=True, kw_only=True)
class Place:
    """
    Where a body is made: the references that may be in it, by kind, and a name of its own.

    `left` is how many more optional fields it may get; `density` the chance of each in percent.
    """

    address: str
    title: str
    references: Mapping[str, tuple[str, ...]]
    api_version: str = "v1beta"
    density: int = 30
    left: int = 60
    counter: int = field(default=0)

    def unique(self, word: str) -> str:
        """A name that nothing else in the tree has."""
        self.counter += 1
        slug = self.address.replace("/", "_").replace("-", "_")
        return f"{word}_{slug}_{self.counter}"


class Bodies:
    """Makes bodies. `plain` ones have one spelling for each value, and nothing in them that says nothing."""

    def __init__(self, dice: Dice, *, plain: bool = False) -> None:
        self._dice = dice
        self._plain = plain
        self._values = Values(dice, plain=plain)

    def resource(self, kind: str, place: Place) -> Body:
        return self.message(kind_of(kind).spec, place, 0)

    def message(self, spec: MessageSpec, place: Place, depth: int) -> Body:
        body: Body = {}
        for known in spec.settable:
            if not known.oneof and self._wanted(spec, known, place, depth):
                self._put(body, spec, known, place, depth)
        for members in spec.oneofs.values():
            self._put_member(body, spec, members, place, depth)
        return body

    def value(self, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
        """A value of a field, whole list or map included; None if the tree has nothing it could name."""
        special = _SPECIAL.get((spec.name, known.name)) or _SPECIAL.get((known.message_name, ""))
        if special is not None:
            return special(self, spec, known, place, depth)
        if known.cardinality is Cardinality.LIST:
            return self._list(known, place, depth)
        if known.cardinality is Cardinality.MAP:
            return self._map(known, place, depth)
        return self.one(known, place, depth)

    def one(self, known: FieldSpec, place: Place, depth: int) -> Any:
        if known.scalar is Scalar.MESSAGE:
            return self.message(known.message, place, depth + 1)
        reference = known.mark(Reference)
        if reference is not None and (reference.kinds or reference.words):
            return self._reference(reference, place)
        return self._values.scalar(known, required=_is_required(known))

    def can_make(self, known: FieldSpec, place: Place) -> bool:
        """False if a field needs a reference and the tree has nothing to refer to."""
        reference = known.mark(Reference)
        if reference is not None and reference.kinds:
            return bool(self._targets(reference, place))
        if known.scalar is not Scalar.MESSAGE:
            return True
        return all(self._targets(needed, place) for needed in _needed(known.message_name))

    @property
    def dice(self) -> Dice:
        return self._dice

    @property
    def plain(self) -> bool:
        return self._plain

    def _wanted(self, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> bool:
        only = known.mark(OnlyIn)
        if known.is_from_place or (only is not None and only.version != place.api_version):
            return False
        if (spec.name, known.name) in _LEFT_OUT or not self.can_make(known, place):
            return False
        if _is_required(known) or (spec.name, known.name) in _ALWAYS:
            return True
        if depth > _DEEPEST or place.left <= 0:
            return False
        return self._dice.chance(max(place.density - 2 * depth, 5))

    def _put(self, body: Body, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> None:
        place.left -= 1
        value = self.value(spec, known, place, depth)
        if value is None and known.scalar is not Scalar.VALUE:
            return
        may_say_nothing = not self._plain and not _is_required(known)
        if may_say_nothing and (spec.name, known.name) not in _ALWAYS and self._dice.chance(4):
            value = self._dice.pick((None, _emptied(known, value)))
        if self._plain and _says_nothing(known, value):
            return
        body[known.name] = value

    def _put_member(
        self, body: Body, spec: MessageSpec, members: tuple[str, ...], place: Place, depth: int
    ) -> None:
        fields = (spec.fields[name] for name in members if name not in _NEVER_MADE)
        able = [known for known in fields if self.can_make(known, place)]
        needed = depth == 0 or any(_is_required(known) for known in able)
        if able and (needed or self._dice.chance(60)):
            known = self._dice.pick(able)
            body[known.name] = self.value(spec, known, place, depth)

    def _list(self, known: FieldSpec, place: Place, depth: int) -> list[Any]:
        limit = known.mark(AtMost)
        size = 1 + self._dice.below(min(3, limit.count if limit else 3))
        reference = known.mark(Reference)
        if reference is not None and reference.kinds:
            return self._dice.some(self._targets(reference, place), 4) or [self._targets(reference, place)[0]]
        items = [self.one(known, place, depth) for _ in range(size)]
        if known.mark(KeyedBy):
            return self._distinct(known, items)
        return _without_repeats(items) if known.mark(AsSet) and not self._dice.chance(5) else items

    def _distinct(self, known: FieldSpec, items: list[Any]) -> list[Any]:
        """Elements with keys of their own, now and then with a key that repeats or is missing."""
        keys = [_key(known, item) for item in items]
        if not self._plain and self._dice.chance(5):
            return items
        named = [item for place, item in enumerate(items) if keys[place] and keys[place] not in keys[:place]]
        return named or items[:1]

    def _map(self, known: FieldSpec, place: Place, depth: int) -> Body:
        keys = self._dice.some(("en-US", "pt-br", "zh-hant", "fr"), 3)
        if self._plain:
            keys = [key for key in keys if key in ("en-US", "fr")]
        return {key: self.one(known, place, depth) for key in keys}

    def _reference(self, reference: Reference, place: Place) -> str | None:
        names = [*self._targets(reference, place), *_words(reference)]
        return self._dice.pick(names) if names else None

    def _targets(self, reference: Reference, place: Place) -> tuple[str, ...]:
        found = [item for kind in reference.kinds for item in place.references.get(kind, ())]
        return tuple(found)


@cache
def _needed(message: str, depth: int = 0) -> tuple[Reference, ...]:
    """The references that a message, and what must be in it, cannot be without."""
    if depth > 3:
        return ()
    found: list[Reference] = []
    for known in message_spec(message).settable:
        reference = known.mark(Reference)
        if not _is_required(known) or known.is_from_place:
            continue
        if reference is not None and reference.kinds:
            found.append(reference)
        elif known.scalar is Scalar.MESSAGE:
            found += _needed(known.message_name, depth + 1)
    return tuple(found)


def _is_required(known: FieldSpec) -> bool:
    mark = known.mark(Required)
    return mark is not None


def _words(reference: Reference) -> list[str]:
    return [word for word in reference.words if "/" not in word]


def _emptied(known: FieldSpec, value: Any) -> Any:
    """The value that says nothing, where a field has one."""
    match value:
        case str() if not known.reference and known.scalar is Scalar.STRING:
            return ""
        case list():
            return []
        case dict() if known.cardinality is Cardinality.MAP:
            return {}
    return None


def _says_nothing(known: FieldSpec, value: Any) -> bool:
    return value in ({}, []) and not known.has_presence


def _key(known: FieldSpec, item: Body) -> Any:
    mark = known.mark(KeyedBy)
    for path in mark.fields if mark else ():
        value: Any = item
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if value:
            return str(value)
    return None


def _without_repeats(items: list[Any]) -> list[Any]:
    return [item for place, item in enumerate(items) if item not in items[:place]]


# --- What the marks do not say ------------------------------------------------------------------------------

_Maker = Callable[[Bodies, MessageSpec, FieldSpec, Place, int], Any]

_ALWAYS = frozenset({("ConnectorTool", "name"), ("Toolset", "displayName"), ("OpenApiTool", "name")})
"""Optional by their marks, yet without them a tool has no name, or two toolsets have the same."""

_LEFT_OUT = frozenset({("RunEvaluationRequest", "scheduledEvaluationRun"), ("App", "locked")})
"""A run's reference to what triggers it can only be itself; locks have tests of their own."""

_ARGUMENTS = {
    "before_agent": "callback_context",
    "after_agent": "callback_context",
    "before_model": "callback_context, llm_request",
    "after_model": "callback_context, llm_response",
    "before_tool": "tool, input, callback_context",
    "after_tool": "tool, input, callback_context, tool_response",
}


def _callbacks(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    made = [bodies.message(known.message, place, depth + 1) for _ in range(1 + bodies.dice.below(3))]
    moment = "".join(f"_{c.lower()}" if c.isupper() else c for c in known.name.removesuffix("Callbacks"))
    for number, callback in enumerate(made):
        head = f"def {moment}_callback({_ARGUMENTS[moment]}):"
        callback["pythonCode"] = f"{head}\n    return None  # {number} {bodies.dice.below(3)}\n"
    return made


def _python(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    name = place.unique("run")
    made = bodies.message(known.message, place, depth + 1)
    made["pythonCode"] = f"def {name}(order: str) -> str:\n    return order\n"
    if made.pop("name", None) or bodies.dice.chance(50):
        made["name"] = name
    return made


def _open_api(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    return f"openapi: 3.0.3\npaths:\n  /order:\n    get:\n      operationId: {place.unique('get')}\n"


def _name(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    return place.unique("name")


def _title(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    return place.title


def _traffic(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    shares = bodies.dice.pick(((100,), (40, 60), (20, 5, 75) if bodies.plain else (0, 25, 75)))
    made = [{"id": f"arm-{number}", "trafficPercentage": share} for number, share in enumerate(shares)]
    versions = place.references.get("versions", ())
    return [{**arm, "appVersion": bodies.dice.pick(versions)} if versions else arm for arm in made]


def _personas(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    made = []
    for number, reference in enumerate(bodies.dice.shuffled(place.references.get(PERSONAS, ()))):
        persona = bodies.message(known.message, place, depth + 1)
        made.append({**persona, "name": reference, "displayName": f"Persona {number}"})
    return made or None


def _metadata(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    return {key: bodies.dice.pick(("a", "b")) for key in bodies.dice.some(("team", "cost-centre", "owner"))}


def _tested(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    """A schedule runs evaluations or a dataset: what it has of both is decided by one throw each."""
    return bodies.one(known, place, depth) if bodies.dice.chance(50) else None


def _schema_default(bodies: Bodies, spec: MessageSpec, known: FieldSpec, place: Place, depth: int) -> Any:
    return Values(bodies.dice, plain=bodies.plain).free_form()


_SPECIAL: dict[tuple[str, str], _Maker] = {
    **{("Agent", f"{moment}{what}Callbacks"): _callbacks for moment in ("before", "after") for what in
       ("Agent", "Model", "Tool")},
    ("PythonFunction", ""): _python,
    ("OpenApiTool", "openApiSchema"): _open_api,
    ("OpenApiTool", "name"): _name,
    ("ConnectorTool", "name"): _name,
    ("ClientFunction", "name"): _name,
    ("GoogleSearchTool", "name"): _name,
    ("DataStoreTool", "name"): _name,
    ("FileSearchTool", "name"): _name,
    ("AgentTool", "name"): _name,
    ("WidgetTool", "name"): _name,
    ("RemoteAgentTool", "name"): _name,
    ("ExperimentConfig.VersionRelease", "trafficAllocations"): _traffic,
    ("App", "evaluationPersonas"): _personas,
    ("App", "metadata"): _metadata,
    ("RunEvaluationRequest", "evaluationDataset"): _tested,
    ("Schema", "default"): _schema_default,
    **{(kind.class_name, "displayName"): _title for kind in KINDS.values()},
}  # fmt: skip
