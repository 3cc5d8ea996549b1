"""
Python: for equal syntax trees “comments and formatting only”, otherwise the changed functions and signatures.
"""

import ast
import warnings
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from cesplan.domain.text.typed_diff import Meaning, TypedDetail, TypedDiff, detail, unread

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def python_diff(before: str, after: str) -> TypedDiff:
    """The changes in the meaning of Python code. Docstrings count: the model reads those of tools."""
    try:
        old, new = _parsed(before), _parsed(after)
        return _compared(old, new)
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        why = f"not Python that can be parsed: {error.msg}{line}"
    except (ValueError, RecursionError, MemoryError):
        why = "Python too deeply nested to compare"
    return unread(why)


def _parsed(code: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)


def _compared(old: ast.Module, new: ast.Module) -> TypedDiff:
    if ast.dump(old) == ast.dump(new):
        return TypedDiff(verdict="comments and formatting only", meaning=Meaning.SAME)
    found = tuple(_details(old, new))
    if not found:
        found = (detail("the order of definitions changed"),)
    return TypedDiff(verdict=_verdict(found), details=found)


def _verdict(found: tuple[TypedDetail, ...]) -> str:
    if all(item.code == "PYD006" for item in found):
        return "only docstrings changed; the model reads those of tools"
    rest = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return f"{found[0].text}{rest}"


def _details(old: ast.Module, new: ast.Module) -> Iterator[TypedDetail]:
    ours, theirs = _definitions(old), _definitions(new)
    for name in sorted(ours.keys() - theirs.keys()):
        yield detail(f"{name} removed", "PYD001")
    for name in sorted(theirs.keys() - ours.keys()):
        yield detail(f"{name} added", "PYD002")
    for name in (name for name in ours if name in theirs):
        yield from _definition(name, ours[name], theirs[name])
    if _docstring(old) != _docstring(new):
        yield detail("docstring of the module changed", "PYD006")
    if _rest(old) != _rest(new):
        yield detail("code outside functions changed", "PYD007")


def _definitions(tree: ast.Module) -> Mapping[str, _Definition]:
    """Classes and functions, nested ones too, by qualified name; of duplicates the last, as in Python."""
    found: dict[str, _Definition] = {}

    def walk(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, _Definition):
                found[f"{prefix}{node.name}"] = node
                walk(node.body, f"{prefix}{node.name}.")

    walk(tree.body, "")
    return found


def _definition(name: str, old: _Definition, new: _Definition) -> Iterator[TypedDetail]:
    if type(old) is not type(new):
        yield detail(f"{name} is now {_kind(new)}, it was {_kind(old)}", "PYD003")
    if isinstance(old, _Function) and isinstance(new, _Function):
        parts = tuple(_signature(old, new))
        if parts:
            yield detail(f"signature of {name}: {', '.join(parts)}", "PYD004")
    if _docstring(old) != _docstring(new):
        yield detail(f"docstring of {name} changed", "PYD006")
    if _outside(old) != _outside(new) or _rest(old) != _rest(new):
        yield detail(f"{name} changed", "PYD005")


def _kind(node: _Definition) -> str:
    match node:
        case ast.ClassDef():
            return "a class"
        case ast.AsyncFunctionDef():
            return "an async function"
        case ast.FunctionDef():
            return "a function"


def _signature(old: _Function, new: _Function) -> Iterator[str]:
    """The changes in names, order, defaults, and annotations of parameters, and in the result annotation."""
    ours, theirs = _parameters(old.args), _parameters(new.args)
    for name in (name for name in ours if name not in theirs):
        yield f"-{_shown(name, ours[name])}"
    for name in (name for name in theirs if name not in ours):
        yield f"+{_shown(name, theirs[name])}"
    both = [name for name in ours if name in theirs]
    for name in both:
        if ours[name] != theirs[name]:
            yield f"{_shown(name, ours[name])} → {_shown(name, theirs[name])}"
    if both != [name for name in theirs if name in ours]:
        yield "parameters in another order"
    before, after = _text(old.returns), _text(new.returns)
    if before != after:
        yield f"returns {before or 'unannotated'} → {after or 'unannotated'}"


_Parameter: TypeAlias = tuple[str, str, str]
"""How it is passed, its annotation, its default."""


def _parameters(args: ast.arguments) -> dict[str, _Parameter]:
    places = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(places) - len(args.defaults)) + [*args.defaults]
    found: dict[str, _Parameter] = {}
    for place, (item, default) in enumerate(zip(places, defaults, strict=True)):
        how = "/" if place < len(args.posonlyargs) else ""
        found[item.arg] = (how, _text(item.annotation), _text(default))
    if args.vararg:
        found[f"*{args.vararg.arg}"] = ("", _text(args.vararg.annotation), "")
    for item, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found[item.arg] = ("keyword", _text(item.annotation), _text(default))
    if args.kwarg:
        found[f"**{args.kwarg.arg}"] = ("", _text(args.kwarg.annotation), "")
    return found


def _shown(name: str, parameter: _Parameter) -> str:
    how, annotation, default = parameter
    prefix = "keyword-only " if how == "keyword" else "positional-only " if how else ""
    shown = f"{name}: {annotation}" if annotation else name
    return f"{prefix}{shown}{f' = {default}' if default else ''}"


def _text(node: ast.expr | None) -> str:
    return ast.unparse(node) if node is not None else ""


def _docstring(node: _Definition | ast.Module) -> str | None:
    return ast.get_docstring(node, clean=False)


def _outside(node: _Definition) -> list[str]:
    """Decorators, bases, and type parameters."""
    fields = ("decorator_list", "bases", "keywords", "type_params")
    return [ast.dump(item) for name in fields for item in getattr(node, name, [])]


def _rest(node: _Definition | ast.Module) -> list[str]:
    """The statements of a body without its docstring and its definitions, which are compared separately."""
    body = node.body[1:] if _docstring(node) is not None else node.body
    return [ast.dump(item) for item in body if not isinstance(item, _Definition)]
