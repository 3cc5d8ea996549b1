"""What the reader of simple texts reads, the composer reads as the same values; the rest is left to it."""

import random
from pathlib import Path

import pytest

from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import Mapping, plain
from cesplan.config.yaml.simple import MOST_CHARACTERS, simple_mapping

ROOT = Path(__file__).parents[4]
OURS = sorted(path for place in ("examples", "tests/scenarios") for path in (ROOT / place).rglob("*.y*ml"))

KEYS = [
    "a",
    "b",
    "key",
    "$file",
    "null",
    "true",
    "/x/{id}",
    '"q"',
    "'200'",
    "1x",
    "-x",
    "a.b",
    "a b",
    "~",
    "<<",
]
KEYS += ["?", "é", '"a\\nb"', "y", "no", '"<<"', "''", "=", "0x1"]
VALUES = """
x|x y|"x"|'it''s'|1|-1|1.5|0x1F|null|~|true|no|[]|[a, b]|{a: 1}|{a: [1, {b: c}], d: "e"}|[a,b]|{a:1}
{$file: x.md}|a: b|a:b|a #c|a # c|a#b|# c|"a" # c|"a"#c|http://x.y/z?q=1&r=[2]|*a|&a x|!!str x|@x|`x|%x
"a\\"b"|"a\\tb\\n"|"\\x41"|"open|'open|- x|-x|- |${v}|a,b|[a, "b, c", 'd']|[a, ]|[ ]|{ }|[a:b]|[a b, c d ]
{a: , b}|x:|x: |-|--- |...|---|é ü|.|.5|+1|<x|=|(x)|[[a], [b]]|{a: {}}|[a]b|[a] b|[a] # c|"a" b|"a",|12:31
12:30|a\\nb|[-1, - 2]|[a?b]|? a|""|''|'' |'|'''a'''|"a\\\\"|{a: b}c|{"a": b}|{"a":b}|{'a': b, 'a': c}
[x, y]: z|{a: b,c: d}|{a: b , c: d }|{ a: b}|{a:  b}|[a#b]|[a #b]|{a: 1.0e3}|[~, null, Null]|{null: a}
{~: a}|-1x|-.5|-a|-:|a -|a - b|$x|_|/|+|(|<|A:|A::|A:: b|a:: b|::a|"a": b|a'b|a"b|>a|2020-01-01|"a\\qb"
{a: b, 1: c}|[a, b|{a: 'b', "c": 1.5}|[[[]]]|.nan|-.inf|"é"|'a: b'|"# no"
"""
ALL_VALUES = [
    "",
    "",
    " ",
    "|",
    "|-",
    "|+",
    ">",
    "| ",
    "|2",
    "|-\n",
    *VALUES.strip().replace("\n", "|").split("|"),
]


def test_files_of_ours() -> None:
    for path in OURS:
        _check(path.read_bytes().decode(errors="replace"), path)


def test_most_files_are_simple() -> None:
    files = [path for path in OURS if "broken" not in path.parts]
    simple = [path for path in files if simple_mapping(path.read_text()) is not None]
    assert len(simple) > 0.9 * len(files)


@pytest.mark.parametrize("seed", range(4))
def test_any_text(seed: int) -> None:
    """Blocks that are nearly right, with the odd value and the odd line."""
    chance = random.Random(seed)
    assert sum(_check(_any_text(chance)) for _ in range(2_500)) > 100


def test_what_is_simple() -> None:
    """The constructs of which resource files consist; each value as YAML 1.2 says it."""
    text = (
        "# a comment\n\ndisplayName: \"Front desk\"   # another\non: no\n'quoted key': 'it''s'\n"
        'number: 0.25\nescaped: "a\\n\\"b\\""\nlist:\n- a: 1\n  b:\n    - x\n-  c: ~\n'
        "flow: [a b, {c: 'd', \"e\": [-1, true]}, {}]\nurl: https://example.com/a?b#c\n"
        "text: |\n  # One\n\n    two: 2\n \n  three\n\n"
        "stripped: |-\n  a\n  \nfolded: >-\n  a\n  b \n  c\nempty:\n\n"
    )
    found = simple_mapping(text)
    assert found is not None
    assert found.values == {
        "displayName": "Front desk",
        "on": "no",
        "quoted key": "it's",
        "number": 0.25,
        "escaped": 'a\n"b"',
        "list": [{"a": 1, "b": ["x"]}, {"c": None}],
        "flow": ["a b", {"c": "d", "e": [-1, True]}, {}],
        "url": "https://example.com/a?b#c",
        "text": "# One\n\n  two: 2\n\nthree\n",
        "stripped": "a",
        "folded": "a b  c",
        "empty": None,
    }
    assert (found.start, found.end) == ((2, 0), (text.count("\n"), 0))


NOT_SIMPLE = [
    "",
    "a",
    "- a",
    "a: *b",
    "a: &b c\nd: *b",
    "a: !!str b",
    "a: !x {}",
    "a: [b",
    "a: \x07",
    "a: b\u2028",
]
NOT_SIMPLE += ["a: 1\na: 2", "{a: 1}: b", "1: a", "~: a", "a: 1\n---\nb: 1", "<<: {a: 1}", "a: {<<: {b: 1}}"]
DEEP = [
    f"{'{a: ' * 120}{'}' * 120}",
    f"a: {'[' * 120}{']' * 120}",
    "".join(f"{' ' * at}a:\n" for at in range(120)),
]


@pytest.mark.parametrize("text", [*NOT_SIMPLE, *DEEP, "a: b\n" + "# c\n" * MOST_CHARACTERS])
def test_what_is_not(text: str) -> None:
    assert simple_mapping(f"{text}\n") is None


def _check(text: str, where: Path | None = None) -> bool:
    """Whether a text is simple; fails if the composer reads something else."""
    found = simple_mapping(text)
    if found is None:
        return False
    document = compose(text)
    assert document.problems == (), (where, text)
    assert isinstance(document.root, Mapping), (where, text)
    assert repr(plain(document.root)) == repr(found.values), (where, text)
    marks = ((mark.line, mark.column) for mark in (document.root.start, document.root.end))
    assert (found.start, found.end) == tuple(marks), (where, text)
    return True


def _any_text(chance: random.Random) -> str:
    lines: list[str] = []
    _block(chance, lines, 0, 0)
    if chance.random() < 0.4:
        at = chance.randrange(len(lines))
        value = chance.choice(ALL_VALUES)
        lines[at] = chance.choice(
            [f"{chance.choice(KEYS)}: {value}", f"{lines[at]}{value}", lines[at][1:], value]
        )
    return "\n".join(lines) + "\n"


def _block(chance: random.Random, lines: list[str], indent: int, depth: int) -> None:
    for number in range(chance.randrange(1, 4)):
        if chance.random() < 0.1:
            lines.append(chance.choice(["", "# c", " " * chance.randrange(6)]))
        key = chance.choice(KEYS) if chance.random() < 0.1 else f"k{number}"
        start = f"{' ' * indent}{key}:"
        match chance.randrange(8 if depth < 4 else 6):
            case 0 | 1 | 2 | 3:
                lines.append(f"{start} {chance.choice(ALL_VALUES)}")
            case 4 | 5:
                lines.append(f"{start} {chance.choice(['|', '|-', '>', '|+', '>-'])}")
                _literal(chance, lines, indent + chance.choice([1, 2, 2, 4]))
            case 6:
                lines.append(f"{start}{chance.choice(['', ' ', ' # c'])}")
                _block(chance, lines, indent + chance.choice([1, 2, 2]), depth + 1)
            case 7:
                lines.append(start)
                _list(chance, lines, indent + chance.choice([0, 2]), depth)


def _literal(chance: random.Random, lines: list[str], indent: int) -> None:
    content = ["text", "text ", "  more", "# no comment", "- x", "a: b", "", "  ", "---", '"']
    lines += (
        chance.choice([" " * indent + chance.choice(content), "", " " * chance.randrange(7)])
        for _ in range(chance.randrange(4))
    )


def _list(chance: random.Random, lines: list[str], indent: int, depth: int) -> None:
    for _ in range(chance.randrange(1, 3)):
        if chance.random() < 0.5:
            lines.append(f"{' ' * indent}- {chance.choice(ALL_VALUES)}")
            continue
        width = chance.choice([2, 2, 3])
        inner: list[str] = []
        _block(chance, inner, indent + width, depth + 1)
        inner[0] = f"{' ' * indent}-{' ' * (width - 1)}{inner[0].lstrip()}"
        lines += inner
