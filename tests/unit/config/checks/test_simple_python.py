"""Of a simple Python text, the symbol table and its headers say what the syntax tree says."""

import random
import warnings
from pathlib import Path

import pytest

from cesplan.config.checks.python_code import _parse, _parse_any
from cesplan.config.checks.simple_python import SimpleFunction, functions_of
from tests.benchmarks.realistic import bodies

ROOT = Path(__file__).parents[4]
OURS = sorted(path for place in ("examples", "tests/scenarios") for path in (ROOT / place).rglob("*.py"))
HEADERS = """
def f(a):|def f(a, b):|def g(x: str) -> dict:|async def h(a: dict[str, int], b: list[x], c) -> str:
def f(a, *, b):|def f(a=None):|def f(*a):|def f(a,b):|def f(a) :|def f():|@deco|class A:|if x:
    def f(a):|def f(a, a):|x = \"\"\"|def listcomp(a):|def f(a: dict[str, list[int]], b: X.y[z]):
def f(é):|def f(a): return 1|def f(a):  # c|else:|try:|def f(a: int | None):|def f(self, a: "x"):
def f[T](a):|def _(a, /):|f = lambda x: x|[x for x in y]|\"\"\"|# c
"""
BODIES = """
    \"\"\"Doc.\"\"\"|    \"\"\" \"\"\"|    \"\"\"a|b\"\"\"|    "doc"|    '''x'''|    return a|    x = 1
    r\"\"\"raw\"\"\"|    x|    pass|    return [a for a in b]|    f(a)(\"\"\"x\"\"\")|    \"\"\"é\"\"\"
    f\"\"\"x\"\"\"|    \"\"\"a\"\"\" + b|    # comment|return 1|    yield|nonlocal x|    global a
    b\"\"\"x\"\"\"|    print("x")|\x0c|    \"\"\"a\\n\"\"\"|
"""


def test_what_is_simple() -> None:
    code = (
        'import json\n\n\ndef look(order: str, more: dict[str, int]) -> dict:\n    """Look."""\n    return {}\n'
    )
    parameters = (("order", 10), ("more", 22))
    assert functions_of(code) == (SimpleFunction("look", 4, 5, parameters, has_docstring=True),)
    assert functions_of("x = 1\n") == ()


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_files_of_ours(path: Path) -> None:
    assert _parse(path.read_text()) == _parse_any(path.read_text())


def test_realistic_texts_are_simple() -> None:
    codes = [body["pythonFunction"]["pythonCode"] for kind, _, body in bodies(64) if kind == "tools"]
    assert codes
    assert None not in map(functions_of, codes)


@pytest.mark.parametrize("seed", range(3))
def test_any_text(seed: int) -> None:
    """Headers and bodies of all sorts; many of the texts are no Python."""
    chance = random.Random(seed)
    simple = 0
    for _ in range(2_000):
        code = "".join(map(str, (_function(chance) for _ in range(chance.randrange(1, 4)))))
        simple += functions_of(code) is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert _parse(code) == _parse_any(code), code
    assert simple > 20


def _function(chance: random.Random) -> str:
    header = chance.choice(HEADERS.strip("\n").replace("\n", "|").split("|"))
    body = chance.choice(BODIES.strip("\n").replace("\n", "|").split("|"))
    return f"{header}\n{body}\n{chance.choice(['', '    return a', 'x = 2'])}\n"


@pytest.mark.parametrize(
    "code",
    [
        "def f(a):\r\n    pass\n",
        "class A:\n    pass\n",
        "def f(a):\n",
        "(" * 600 + ")" * 600,
        "x = lambda a: a\n",
    ],
)
def test_what_is_not(code: str) -> None:
    assert functions_of(code) is None


def test_a_function_inside_a_text_is_none() -> None:
    code = 'x = """\ndef f(a):\n    pass\n"""\n'
    assert functions_of(code) is None
    assert _parse(code).functions == ()
