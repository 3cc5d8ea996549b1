"""
Events to nodes: anchors and merge keys are resolved, and everything not allowed in a configuration is reported.

It uses its own stack, so that no nesting can exhaust the interpreter's.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from cesplan.config.yaml.core_schema import resolve
from cesplan.config.yaml.events import SyntaxProblem, check_characters, exact_events, fast_readings
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence, YamlMark, kind_of
from cesplan.config.yaml.problems import YamlProblem
from cesplan.domain.frozen import dataclass

DEEPEST = 100
"""The maximum nesting: far more than any message of the API has, far less than Python can handle."""

MOST_VALUES = 100_000
"""
The most values of one file, with aliases expanded.

Texts count by length, because a long text with many aliases also fills the memory.
"""

MOST_EVENTS = 200_000
"""The most events of one file: keys, values, and beginnings and ends of collections."""

_CHARACTERS_OF_A_VALUE = 64

MOST_PROBLEMS = 1_000
"""The most problems of one file. The rest of the file is not read."""

_TAG = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset({"!", f"{_TAG}str"})
_VALUE_TAGS: dict[str, tuple[type, ...]] = {
    f"{_TAG}int": (int,),
    f"{_TAG}float": (int, float),
    f"{_TAG}bool": (bool,),
    f"{_TAG}null": (type(None),),
}
_COLLECTION_TAGS = {Mapping: f"{_TAG}map", Sequence: f"{_TAG}seq"}
_MERGE = "<<"


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A parsed text: `root` is None if it is empty or cannot be read."""

    root: Node | None
    problems: tuple[YamlProblem, ...]


def compose(text: str, *, any_key: bool = False) -> YamlDocument:
    """
    The nodes of the only document in a text. Never raises.

    With `any_key`, keys such as the status codes of OpenAPI are used as text and are not problems.
    """
    try:
        check_characters(text)
        for events in fast_readings(text):
            with suppress(MarkedYAMLError):
                return _compose(events, any_key=any_key)
        return _compose(exact_events(text), any_key=any_key)
    except SyntaxProblem as stop:
        return YamlDocument(None, (stop.problem,))


def _compose(events: Iterator[Any], *, any_key: bool) -> YamlDocument:
    composer = _Composer(any_key=any_key)
    try:
        composer.process(events)
    except SyntaxProblem as stop:
        return YamlDocument(None, (*composer.problems, composer.placed(stop.problem)))
    return YamlDocument(composer.root, tuple(composer.problems))


@dataclass(slots=True)
class _Frame:
    """A collection under construction. `key` waits for its value, `merges` (if any) for the end."""

    node: Mapping | Sequence
    anchor: str | None
    key: Node | None = None
    merges: list[Node] | None = None


class _Composer:
    def __init__(self, *, any_key: bool) -> None:
        self.root: Node | None = None
        self.problems: list[YamlProblem] = []
        self._any_key = any_key
        self._stack: list[_Frame] = []
        self._anchors: dict[str, Node | None] = {}
        self._documents = 0

    def process(self, events: Iterator[Any]) -> None:
        """Process all events. Raises SyntaxProblem if it makes no sense to continue."""
        handlers: dict[type, Callable[[Any], None]] = {
            ScalarEvent: self._scalar,
            MappingStartEvent: partial(self._start, Mapping),
            SequenceStartEvent: partial(self._start, Sequence),
            MappingEndEvent: self._end,
            SequenceEndEvent: self._end,
            AliasEvent: self._alias,
            DocumentStartEvent: self._start_document,
        }
        handler_of, problems = handlers.get, self.problems
        for number, event in enumerate(events, 1):
            handler = handler_of(type(event))
            if handler is not None:
                handler(event)
            if number > MOST_EVENTS or len(problems) > MOST_PROBLEMS:
                raise _too_much(event.start_mark, len(problems))

    def placed(self, problem: YamlProblem) -> YamlProblem:
        """
        A problem with its place: the beginning of the innermost open collection, if the problem is about that.
        """
        if problem.at_opening and self._stack:
            return replace(problem, start=self._stack[-1].node.start)
        return problem

    def _start_document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            detail = "Each file holds one resource: move the part after `---` to its own file."
            raise _stop(event.start_mark, "a second document in one file", detail, event.end_mark)

    def _scalar(self, event: Any) -> None:
        text: str = event.value
        tag = event.tag
        is_plain = tag is None and event.implicit[0]
        value = resolve(text) if is_plain else text
        node = Scalar(event.start_mark, event.end_mark, value, text, not is_plain)
        if len(text) > _CHARACTERS_OF_A_VALUE:
            node.size += len(text) // _CHARACTERS_OF_A_VALUE
        if tag is not None:
            self._follow_tag(str(tag), node)
        if event.anchor:
            self._anchors[event.anchor] = node
        self._add(node)

    def _follow_tag(self, tag: str, node: Scalar) -> None:
        if tag in _TEXT_TAGS:
            return
        value = resolve(node.text)
        if isinstance(value, _VALUE_TAGS.get(tag, ())) and not (
            isinstance(value, bool) and tag != f"{_TAG}bool"
        ):
            node.value = value
        else:
            self._refuse_tag(tag, node)

    def _refuse_tag(self, tag: str, node: Node) -> None:
        name = tag.replace(_TAG, "!!")
        self._report(
            "CES004", node, f"the tag `{name}` is not allowed here", "Tags are not supported: remove it."
        )

    def _start(self, kind: type[Mapping | Sequence], event: Any) -> None:
        node = kind(event.start_mark, event.end_mark)
        if event.tag is not None and str(event.tag) not in ("!", _COLLECTION_TAGS[kind]):
            self._refuse_tag(str(event.tag), node)
        if event.anchor:
            self._anchors[event.anchor] = None
        self._stack.append(_Frame(node, event.anchor))
        if len(self._stack) > DEEPEST:
            raise _too_deep(event.start_mark)

    def _end(self, event: Any) -> None:
        frame = self._stack.pop()
        node = frame.node
        node.end = event.end_mark
        if frame.merges and isinstance(node, Mapping):
            self._merge(node, frame.merges)
        if frame.anchor:
            self._anchors[frame.anchor] = node
        self._add(node)

    def _alias(self, event: Any) -> None:
        node = self._anchors.get(event.anchor)
        if node is None:
            what, detail = "has no anchor", f"Define the anchor `&{event.anchor}` before the alias."
            if event.anchor in self._anchors:
                what, detail = "refers to a value that contains it", ""
            raise _stop(event.start_mark, f"the alias `*{event.anchor}` {what}", detail, event.end_mark)
        self._add(node, event)

    def _add(self, node: Node, alias: Any = None) -> None:
        if not self._stack:
            self.root = node
            return
        frame = self._stack[-1]
        parent = frame.node
        parent.size += node.size
        if parent.height <= node.height:
            parent.height = node.height + 1
        if alias is not None:
            self._weigh(parent, alias.start_mark)
        if type(parent) is Sequence:
            parent.items.append(node)
        elif frame.key is None:
            frame.key = node
        elif type(parent) is Mapping:
            key, frame.key = frame.key, None
            self._put(frame, parent, key, node)

    def _weigh(self, parent: Node, mark: YamlMark) -> None:
        if len(self._stack) + parent.height > DEEPEST:
            raise _too_deep(mark)
        if sum(frame.node.size for frame in self._stack) > MOST_VALUES:
            detail = "Each alias counts as all the values it refers to. Nest fewer aliases."
            raise _stop(mark, f"aliases expand this file to more than {MOST_VALUES} values", detail)

    def _put(self, frame: _Frame, parent: Mapping, key: Node, value: Node) -> None:
        name = key.value if type(key) is Scalar else None
        if type(name) is str and name[:1] not in "$<" and name not in parent.entries:
            parent.entries[name] = (key, value)  # type: ignore[assignment]  # true for nearly all keys
            return
        if self._any_key and isinstance(key, Scalar) and not isinstance(key.value, str):
            key = replace(key, value=key.text)
        if not isinstance(key, Scalar) or not isinstance(key.value, str):
            self._refuse_key(key)
        elif key.text == _MERGE and not key.quoted:
            frame.merges = [*(frame.merges or ()), value]
        elif key.value in parent.entries:
            first = parent.entries[key.value][0].start.line + 1
            self._report(
                "CES003",
                key,
                f"duplicate key `{key.value}`",
                f"It is already set on line {first}. Keep one of them.",
            )
        else:
            parent.entries[key.value] = (key, value)
            if key.value[:1] == "$" and key.value[:2] != "$$":
                parent.has_directive = True

    def _refuse_key(self, key: Node) -> None:
        detail = f"Quote it: '{key.text}'." if isinstance(key, Scalar) else "A key must be a scalar."
        self._report("CES004", key, f"a key must be a string, but this is {kind_of(key)}", detail)

    def _merge(self, node: Mapping, merges: list[Node]) -> None:
        sources = [item for merge in merges for item in _merged(merge)]
        for source in sources:
            if not isinstance(source, Mapping):
                self._report("CES004", source, f"`<<` merges mappings, but this is {kind_of(source)}")
                continue
            for text, entry in source.entries.items():
                node.entries.setdefault(text, entry)
            node.has_directive |= source.has_directive

    def _report(self, code: str, node: Node, summary: str, detail: str = "") -> None:
        self.problems.append(
            YamlProblem(code=code, start=node.start, end=node.end, summary=summary, detail=detail)
        )


def _merged(node: Node) -> list[Node]:
    return node.items if isinstance(node, Sequence) else [node]


def _stop(mark: YamlMark, summary: str, detail: str = "", end: YamlMark | None = None) -> SyntaxProblem:
    """The problem after which the rest of a text is not read."""
    return SyntaxProblem(YamlProblem(code="CES004", start=mark, end=end, summary=summary, detail=detail))


def _too_much(mark: YamlMark, problems: int) -> SyntaxProblem:
    if problems > MOST_PROBLEMS:
        return _stop(mark, f"more than {MOST_PROBLEMS:,} problems in one file: the rest was not read")
    detail = "Resources are not that large. Move long texts to their own files and include them with `$file`."
    return _stop(mark, f"more than {MOST_EVENTS:,} keys and values in one file", detail)


def _too_deep(mark: YamlMark) -> SyntaxProblem:
    return _stop(mark, f"nested more than {DEEPEST} levels deep")
