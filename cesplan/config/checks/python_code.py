"""Python texts for checks: parsed once, with the functions that they define."""

import ast
import sys
import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

from cesplan.config.cache.remembered import Remembered
from cesplan.config.checks.placing import START
from cesplan.config.checks.walking import text_at
from cesplan.config.manifest import TextPlace
from cesplan.config.suggestions import nearest

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"
"""The grammar that is used: that of the interpreter that runs the check."""

FIXED_PARAMETERS = "The names and the order of the parameters are fixed; annotations are optional."
"""The detail of a finding about a function that the service calls."""


class Parameter(NamedTuple):
    """One parameter. `star` is `*` or `**` for one that takes the rest."""

    name: str
    place: TextPlace
    star: str = ""
    defaults_to_none: bool = False


class Function(NamedTuple):
    """A function at the top level of a text."""

    name: str
    place: TextPlace
    parameters: tuple[Parameter, ...]
    has_docstring: bool

    @property
    def signature(self) -> tuple[str, ...]:
        """Its parameters as written: names, with stars before those that take the rest."""
        return tuple(f"{item.star}{item.name}" for item in self.parameters)

    def instead_of(self, parameters: tuple[str, ...]) -> str:
        """A finding's summary: it takes other parameters than these."""
        return f"`{self.name}` takes ({', '.join(self.signature)}) instead of ({', '.join(parameters)})"


class PythonFault(NamedTuple):
    """Why a text is not valid Python."""

    message: str
    place: TextPlace


class PythonText(NamedTuple):
    """A parsed text: its top-level functions in order, or the fault that stopped the parser."""

    functions: tuple[Function, ...] = ()
    fault: PythonFault | None = None

    def function(self, name: str) -> Function | None:
        """The function with this name; the last one, as in Python."""
        return next((item for item in reversed(self.functions) if item.name == name), None)

    def nearest(self, name: str) -> Function | None:
        """The function whose name is most similar; None if none is."""
        return self.function(nearest(name, (item.name for item in self.functions)))


def _parse(code: str) -> PythonText:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except SyntaxError as error:
        return PythonText(fault=_fault(error))
    except (ValueError, RecursionError, MemoryError) as error:
        message = str(error) or "nested too deeply"
        return PythonText(fault=PythonFault(message=message, place=START))
    lines = [] if code.isascii() else code.encode("utf-8", "surrogatepass").split(b"\n")
    nodes = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return PythonText(functions=tuple(_function(node, lines) for node in nodes))


def _restored(functions: Iterable[Any], fault: None) -> PythonText:
    return PythonText(functions=tuple(_restored_function(*item) for item in functions), fault=fault)


def _restored_function(
    name: str, place: Iterable[int], parameters: Iterable[Any], has_docstring: bool
) -> Function:
    restored = tuple(Parameter(item[0], TextPlace(*item[1]), *item[2:]) for item in parameters)
    return Function(name, TextPlace(*place), restored, has_docstring)


parse = Remembered("python", _parse, _restored, lambda text: text.fault is None)
"""Parse a text. Several checks use each text, and agents share callbacks. Never raises, for any input."""


def python_at(body: Any, *names: str) -> PythonText | None:
    """The code at a path of field names; None if there is none, or it does not parse (CES040)."""
    code = text_at(body, *names)
    text = parse(code) if code else None
    return None if text is None or text.fault else text


def _fault(error: SyntaxError) -> PythonFault:
    start, line = error.offset or 1, error.lineno or 1
    same_line = error.end_lineno == error.lineno and error.end_offset is not None
    end = error.end_offset if same_line and error.end_offset else start + 1
    place = TextPlace(line=line, column=max(start, 1), span=max(end - start, 1))
    return PythonFault(message=error.msg, place=place)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[bytes]) -> Function:
    keyword = "async def " if isinstance(node, ast.AsyncFunctionDef) else "def "
    column = _column(lines, node.lineno, node.col_offset) + len(keyword)
    return Function(
        name=node.name,
        place=TextPlace(line=node.lineno, column=column, span=len(node.name)),
        parameters=tuple(_parameters(node.args, lines)),
        has_docstring=bool((ast.get_docstring(node, clean=False) or "").strip()),
    )


def _parameters(arguments: ast.arguments, lines: list[bytes]) -> list[Parameter]:
    """The parameters as written, in order."""
    plain = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    found = [
        _parameter(item, lines, default=default)
        for item, default in zip(plain, [*missing, *arguments.defaults], strict=True)
    ]
    if arguments.vararg:
        found.append(_parameter(arguments.vararg, lines, star="*"))
    for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(_parameter(item, lines, default=default))
    if arguments.kwarg:
        found.append(_parameter(arguments.kwarg, lines, star="**"))
    return found


def _parameter(
    item: ast.arg, lines: list[bytes], *, star: str = "", default: ast.expr | None = None
) -> Parameter:
    return Parameter(
        name=item.arg,
        place=TextPlace(
            line=item.lineno, column=_column(lines, item.lineno, item.col_offset), span=len(item.arg)
        ),
        star=star,
        defaults_to_none=isinstance(default, ast.Constant) and default.value is None,
    )


def _column(lines: list[bytes], line: int, offset: int) -> int:
    """The column in characters, from 1. The parser counts bytes, and accepts any line ending."""
    if line > len(lines):
        return offset + 1
    return len(lines[line - 1][:offset].decode("utf-8", "replace")) + 1
