"""Texts into nodes."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cesplan.config.yaml import composing
from cesplan.config.yaml.composing import YamlDocument, compose
from cesplan.config.yaml.events import SyntaxProblem, exact_events
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence, plain


def value(text: str) -> Any:
    document = compose(text)
    assert document.problems == ()
    assert document.root is not None
    return plain(document.root)


def problems(text: str) -> list[tuple[str, int, int]]:
    return [(item.code, item.start.line + 1, item.start.column + 1) for item in compose(text).problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [https://x.y/?q=1, {u: http://z:80/p?}, why?, a?b]",
         ["https://x.y/?q=1", {"u": "http://z:80/p?"}, "why?", "a?b"]),
        ("a: {x: '::1', y: a::b}", {"x": "::1", "y": "a::b"}),
        ('a: {"x":1, y: z}', {"x": 1, "y": "z"}),
        ("a: [x:y, 'k': v]", ["x:y", {"k": "v"}]),
        ('a: ["\\/", https://x]', ["/", "https://x"]),
    ],
)  # fmt: skip
def test_colons_and_question_marks_inside_brackets_belong_to_texts(text: str, expected: Any) -> None:
    """YAML 1.1 stops at them, YAML 1.2 does not."""
    assert value(text) == {"a": expected}


def test_line_separators_of_unicode_are_no_line_breaks() -> None:
    """U+2028 breaks lines in YAML 1.1 and is inside a text in YAML 1.2."""
    assert value("a: one\u2028two\nb: 3") == {"a": "one\u2028two", "b": 3}


def test_version_directive_of_1_2_is_accepted() -> None:
    """A file may say which YAML it is."""
    assert value("%YAML 1.2\n---\na: no\n") == {"a": "no"}


def test_nodes_know_where_they_stand() -> None:
    """Lines and columns count characters, also behind signs outside the BMP."""
    root = compose("a: '😀é'\nb:\n  - x").root
    assert isinstance(root, Mapping)
    key, first = root.entries["a"]
    second = root.entries["b"][1]
    assert (key.start.line, key.start.column, first.start.column, first.end.column) == (0, 0, 3, 7)
    assert isinstance(second, Sequence)
    assert (second.items[0].start.line, second.items[0].start.column) == (2, 4)


def test_aliases_and_merge_keys_are_followed() -> None:
    """What is written at a place wins over what is merged into it, and the first source over the second."""
    text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 3}\nd: {<<: *a}\ne: *b"
    assert value(text) == {
        "a": {"x": 1, "y": 1},
        "b": {"y": 2, "z": 2},
        "c": {"x": 3, "y": 1, "z": 2},
        "d": {"x": 1, "y": 1},
        "e": {"y": 2, "z": 2},
    }


def test_quoted_merge_key_is_a_key() -> None:
    """Only the plain `<<` merges."""
    assert value("'<<': x") == {"<<": "x"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a: !!str 12", "12"), ("a: ! 12", "12"), ("a: !!int '12'", 12), ("a: !!float 1", 1), ("a: !!map {}", {})],
)
def test_tags_of_the_core_schema_are_understood(text: str, expected: Any) -> None:
    """They only say what plain YAML could say too."""
    assert value(text) == {"a": expected}


@pytest.mark.parametrize(
    "text", ["a: !x 1", "a: !!set {b}", "a: !!int x", "a: !!bool 1", "a: !!int true", "a: !!seq {}"]
)
def test_other_tags_are_refused(text: str) -> None:
    """Nothing in a file makes anything but plain values."""
    assert problems(text) == [("CES004", 1, 4)]


def test_problems_do_not_hide_each_other() -> None:
    """Duplicate and odd keys are all found; what is readable is read."""
    text = "a: 1\na: 2\n3: x\n? [b]\n: y\nc: 4\n"
    assert problems(text) == [("CES003", 2, 1), ("CES004", 3, 1), ("CES004", 4, 3)]
    root = compose(text).root
    assert root is not None
    assert plain(root) == {"a": 1, "c": 4}


@pytest.mark.parametrize("text", ["", "# nothing", "---\n", "\n\n"])
def test_a_text_that_says_nothing_has_no_value(text: str) -> None:
    """An empty file is valid YAML; the caller that needs a mapping reports it."""
    root = compose(text).root
    assert root is None or (isinstance(root, Scalar) and root.value is None)
    assert compose(text).problems == ()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: b\n\tc: d", (2, 1)), ("a:\n\tb: 1", (2, 1)), ("-\tx", (1, 2)),
        ('a: "x', (1, 4)), ("a: [1,\n b", (1, 4)), ("a: {b: 1", (1, 4)), ("a: b: c", (1, 5)), ("a: @b", (1, 4)),
        ("- a\nb: 1", (2, 1)), ("a: x\x07", (1, 5)), ("a: x\x85y", (1, 5)), ("\ufeff\ufeffa: 1", (1, 1)),
        ('a: "\\ud800"', (1, 4)), ("a: {x: ${y}}", (1, 9)), ("a: *b", (1, 4)), ("a: &a [*a]", (1, 8)),
        ("a: 1\n---\nb: 2", (2, 1)), ("%YAML 3.x\n---\na: 1", (1, 9)),
    ],
)  # fmt: skip
def test_what_is_no_yaml_has_one_place(text: str, place: tuple[int, int]) -> None:
    """A file that cannot be read gives one problem, where a person would look for it."""
    assert [item[1:] for item in problems(text)] == [place]
    assert compose(text).root is None


def test_no_nesting_exhausts_the_interpreter() -> None:
    """Deeper than a hundred levels is refused, quickly, also when aliases pile up the depth."""
    assert [item[0] for item in problems("[" * 100_000)] == ["CES004"]
    chain = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 1000))
    assert [item[0] for item in problems(chain)] == ["CES004"]
    assert value("[" * 100 + "]" * 100) is not None


def test_alias_bombs_do_not_go_off() -> None:
    """Values are counted with aliases followed, and too many are refused."""
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    assert [item[0] for item in problems("\n".join(rows))] == ["CES004"]


def test_many_values_without_aliases_are_welcome() -> None:
    """The limit is on what aliases multiply, not on long files."""
    assert len(value("[" + "1," * (composing.MOST_VALUES + 1) + "]")) == composing.MOST_VALUES + 1


@pytest.mark.parametrize(
    ("text", "is_value"), [("&1:1", None), ("[&a@ x, *a@ ]", ["x", "x"]), ("Q&A: x", {"Q&A": "x"})]
)
def test_the_name_of_an_anchor_ends_where_yaml_1_2_says(text: str, is_value: Any) -> None:
    """libyaml ends it at a colon, and reads the rest as a value."""
    assert value(text) == is_value


_SIGNS = st.text(alphabet="ab:?,[]{}'\"-&*!#|>%@ \n\t\\x1~<=.$é\u2028", max_size=40)


def _exactly(text: str) -> YamlDocument | None:
    try:
        return composing._compose(exact_events(text), any_key=False)
    except SyntaxProblem:
        return None


def _shape(node: Node | None) -> Any:
    match node:
        case Mapping():
            return {text: (key.start.line, key.start.column, _shape(item)) for text, key, item in node}
        case Sequence():
            return [_shape(item) for item in node.items]
        case Scalar():
            return (node.value, node.start.line, node.start.column) if node.text else node.value
    return None


@settings(max_examples=400, deadline=None)
@given(_SIGNS)
def test_the_fast_and_the_slow_parser_agree(text: str) -> None:
    """Whatever both can read, both read alike, with the same places."""
    fast, exact = compose(text), _exactly(text)
    if exact is not None and not exact.problems and not fast.problems:
        assert _shape(fast.root) == _shape(exact.root)


@settings(max_examples=400, deadline=None)
@given(st.one_of(_SIGNS, st.text(max_size=60)))
def test_no_text_makes_composing_raise(text: str) -> None:
    """A text is a value or a problem, never an exception."""
    document = compose(text)
    assert document.root is None or document.root.size >= 1
    assert all(item.start.line <= text.count("\n") + text.count("\r") + 1 for item in document.problems)
