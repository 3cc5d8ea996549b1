"""Python: what is formatting, and what is not."""

import ast
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import cesplan
from cesplan.domain.text.typed_diff import Meaning
from cesplan.features.typed_diffs.python_code import python_diff

CODE = '''def lookup(order: str, limit: int = 10) -> dict:
    """Find one order."""
    # the shop knows at most ten
    if limit > 10 or not order:
        return {"error": "bad", "retry": False}
    return {"order": order, "rows": [n * 2 for n in range(limit)]}


class Cart:
    size = 3

    def total(self, *prices, tax=0.2, **more):
        return sum(prices) * (1 + tax) - len(more)
'''


@pytest.mark.parametrize(
    "after",
    [
        CODE.replace("    # the shop knows at most ten\n", ""),
        CODE.replace("limit: int = 10", "limit:int=10"),
        CODE.replace('"error"', "'error'"),
        CODE.replace("limit > 10 or not order", "(limit > 10) or (not order)"),
        CODE + "\n\n# the end\n",
    ],
)
def test_equal_syntax_trees_are_comments_and_formatting_only(after: str) -> None:
    found = python_diff(CODE, after)
    assert (found.verdict, found.meaning) == ("comments and formatting only", Meaning.SAME)


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("def f(a): return a", "def f(a, b): return a", "signature of f: +b"),
        ("def f(a, b=1): pass", "def f(a): pass", "signature of f: -b = 1"),
        ("def f(a=1): pass", "def f(a=2): pass", "signature of f: a = 1 → a = 2"),
        ("def f(a): pass", "def f(a: int): pass", "signature of f: a → a: int"),
        ("def f(a, b): pass", "def f(b, a): pass", "signature of f: parameters in another order"),
        ("def f(a): pass", "def f(*, a): pass", "signature of f: a → keyword-only a"),
        ("def f(): pass", "def f() -> str: pass", "signature of f: returns unannotated → str"),
        ("def f(): return 1", "def f(): return 2", "f changed"),
        ("def f(): pass", "async def f(): pass", "f is now an async function, it was a function"),
        ("def f(): pass", "@cache\ndef f(): pass", "f changed"),
        ("def f(): pass\ndef g(): pass", "def f(): pass", "g removed"),
        ("def f(): pass", "def f(): pass\ndef g(): pass", "g added"),
        ("class A:\n  def f(self): return 1", "class A:\n  def f(self): return 2", "A.f changed"),
        ("A = 1\ndef f(): pass", "A = 2\ndef f(): pass", "code outside functions changed"),
        ("def f(): pass\ndef g(): pass", "def g(): pass\ndef f(): pass", "the order of definitions changed"),
    ],
)
def test_the_verdict_names_what_changed(before: str, after: str, verdict: str) -> None:
    assert python_diff(before, after).verdict == verdict


def test_a_docstring_counts_as_meaning() -> None:
    """The service makes the description of a tool of it."""
    found = python_diff(CODE, CODE.replace("Find one order.", "Find many orders."))
    assert found.verdict == "only docstrings changed; the model reads those of tools"
    assert found.meaning is Meaning.CHANGED


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f(:", "not Python that can be parsed: invalid syntax, line 1"),
        ("a = " + "(" * 5_000 + "1", "not Python that can be parsed"),
        ("-" * 50_000 + "1", "too deeply nested"),
        ("a = '\0'", "compared as text"),
        ("x = 0x" + "f" * 9_000, "compared as text"),
        ("x = " + "f." * 3_000 + "x", "compared as text"),
    ],
)
def test_what_cannot_be_parsed_is_compared_as_text_with_the_reason(text: str, why: str) -> None:
    found = python_diff("a = 1", text)
    assert found.meaning is not Meaning.SAME
    if found.meaning is Meaning.UNREAD:
        assert why in found.verdict


def _mutated(code: str, dice: random.Random) -> str:
    """The same code with one node of its syntax tree replaced by one that means something else."""
    tree = ast.parse(code)
    nodes = [node for node in ast.walk(tree) if _mutations(node)]
    node = dice.choice(nodes)
    dice.choice(_mutations(node))()
    return ast.unparse(ast.fix_missing_locations(tree))


def _mutations(node: ast.AST) -> list[Callable[[], None]]:  # noqa: C901  # one case a kind of node
    def put(name: str, value: object) -> Callable[[], None]:
        return lambda: setattr(node, name, value)

    match node:
        case ast.Constant(value=bool() as value):
            return [put("value", not value), put("value", int(value))]
        case ast.Constant(value=int() | float() as value):
            return [put("value", value + 1), put("value", str(value))]
        case ast.Constant(value=str() as value):
            return [put("value", f"{value} "), put("value", value.encode())]
        case ast.Name(id=name):
            return [put("id", f"{name}_")]
        case ast.arg(arg=name):
            return [put("arg", f"{name}_")]
        case ast.Attribute(attr=name):
            return [put("attr", f"{name}_")]
        case ast.BinOp(op=op):
            return [put("op", ast.Sub() if isinstance(op, ast.Add) else ast.Add())]
        case ast.BoolOp(op=op):
            return [put("op", ast.And() if isinstance(op, ast.Or) else ast.Or())]
        case ast.Compare(ops=[_]):
            return [put("ops", [ast.NotEq()])] if not isinstance(node.ops[0], ast.NotEq) else []
        case ast.FunctionDef(name=name):
            return [put("name", f"{name}_"), put("body", [*node.body, ast.Pass()])]
        case ast.If(test=test):
            return [put("test", ast.UnaryOp(op=ast.Not(), operand=test))]
    return []


SOURCES = [path.read_text() for path in sorted(Path(cesplan.__file__).parent.glob("domain/*.py"))]


@given(st.sampled_from([CODE, *SOURCES]), st.randoms(use_true_random=True))
def test_a_change_of_meaning_is_never_called_formatting(code: str, dice: random.Random) -> None:
    """One node of the syntax tree is changed at a time, in code that was printed anew from its tree."""
    try:
        changed = _mutated(code, dice)
    except ValueError:  # before Python 3.12, `ast` cannot print a backslash inside an f-string
        reject()
    found = python_diff(ast.unparse(ast.parse(code)), changed)
    assert found.meaning is Meaning.CHANGED
    assert found.details


@given(st.sampled_from([CODE, *SOURCES]))
def test_code_printed_anew_from_its_tree_is_formatting(code: str) -> None:
    """No line, quote or comment of the original is left."""
    assert python_diff(code, ast.unparse(ast.parse(code))).meaning is Meaning.SAME
