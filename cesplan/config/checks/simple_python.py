"""
Simple Python texts: their functions have plain headers, each on one line.

A syntax tree of a text is expensive: most of the time goes into values that no check looks at. The compiler's
symbol table costs half as much and refuses whatever is not Python. It says which functions there are, and in
which line; a plain header says the rest. Any other text is for the syntax tree, which says the same of these.
"""

import re
import symtable
from typing import NamedTuple

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_TYPE = rf"{_NAME}(?:\.{_NAME})*(?:\[[A-Za-z0-9_., |\[\]]*\])?"
_PARAMETER = re.compile(rf"({_NAME})(?:: {_TYPE})?(?:, |$)")
_HEADER = re.compile(
    rf"""
    ^(?:async\ )?def\ ({_NAME})\(((?:{_NAME}(?::\ {_TYPE})?(?:,\ |(?=\))))*)\)(?:\ ->\ {_TYPE})?:\n
    \ +(?:\"\"\"([^"\\]*)\"\"\"\ *\n|[A-Za-z_][A-Za-z0-9_]*(?![A-Za-z0-9_"']))
    """,
    re.VERBOSE | re.MULTILINE,
)
"""A function: its name, its parameters, and its docstring if it has one; else the first word of its body."""
_UNUSUAL = ("\r", "\x0c", "\x00", "\\\n")
_NESTING_SIGNS = b"([{.+-*/%~|&^@<>"
_NESTING_WORDS = ("not ", "elif", "lambda", " if ", "await")
_MOST_NESTING = 500
"""So often may something occur that can nest: a syntax tree can be too deep where a symbol table is not."""


class SimpleFunction(NamedTuple):
    """A function at the top level of a text; lines and columns count from 1."""

    name: str
    line: int
    column: int
    parameters: tuple[tuple[str, int], ...]
    """Names, with their columns."""
    has_docstring: bool


def functions_of(code: str) -> tuple[SimpleFunction, ...] | None:
    """The functions of a text, in order; None for a text that is not simple, or not Python."""
    if any(sign in code for sign in _UNUSUAL) or _nesting(code) > _MOST_NESTING:
        return None
    headers = _headers(code)
    try:
        table = symtable.symtable(code, "<text>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = []
    for inner in table.get_children():
        header = headers.get(inner.get_lineno())
        if header is None or header.name != inner.get_name() or len(header.parameters) != _parameters(inner):
            return None  # a class, a decorator, a lambda, a function in a condition: whatever it is
        found.append(header)
    return tuple(found) if len(found) == len(headers) else None


def _nesting(code: str) -> int:
    """The number of signs and words in a text that can nest."""
    data = code.encode("utf-8", "surrogatepass")
    signs = len(data) - len(data.translate(None, _NESTING_SIGNS))
    return signs + sum(map(code.count, _NESTING_WORDS))


def _parameters(table: symtable.SymbolTable) -> int:
    return len(table.get_parameters()) if isinstance(table, symtable.Function) else -1


def _headers(code: str) -> dict[int, SimpleFunction]:
    """What looks like the header of a function, by line; it may be in a string."""
    found: dict[int, SimpleFunction] = {}
    line, counted = 1, 0
    for header in _HEADER.finditer(code):
        line += code.count("\n", counted, header.start())
        counted = header.start()
        parameters = _PARAMETER.finditer(header[2])
        first = header.start(2) - header.start() + 1
        found[line] = SimpleFunction(
            name=header[1],
            line=line,
            column=header.start(1) - header.start() + 1,
            parameters=tuple((item[1], first + item.start()) for item in parameters),
            has_docstring=bool((header[3] or "").strip()),
        )
    return found
