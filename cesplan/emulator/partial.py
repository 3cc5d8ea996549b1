"""
Partial responses: the `fields` parameter, `a,b/c,d(e,f)`, with `.` in place of `/` as well.

A path that the answer's message does not have is refused.
"""

import json
import re
from typing import Any

from cesplan.emulator.answers import encode
from cesplan.emulator.calls import Call
from cesplan.emulator.contract import Contract
from cesplan.emulator.errors import invalid

Tree = dict[str, Any]

_TOKEN = re.compile(r"[\w$@*-]+|[,/.()]")


def selected(contract: Contract, call: Call, text: str) -> str:
    """Return the JSON text with only the fields that the call asks for."""
    asked = call.query.get("fields") or call.query.get("$fields", "")
    if not asked.strip():
        return text
    tree = parse(asked)
    _validate(contract, _answer_message(contract, call), tree)
    return encode(_pick(json.loads(text), tree))


def parse(text: str) -> Tree:
    """Return the selector as a tree; an empty tree below a name means everything there."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text.replace(" ", ""):
        raise invalid("fields", f"'{text}' is not a field selector")
    tree, rest = _list(tokens, text)
    if rest:
        raise invalid("fields", f"'{text}' is not a field selector")
    return tree


def _list(tokens: list[str], text: str) -> tuple[Tree, list[str]]:
    tree: Tree = {}
    while True:
        name, rest = _name(tokens, text)
        below: Tree = {}
        if rest and rest[0] in "/.":
            below, rest = _single(rest[1:], text)
        elif rest and rest[0] == "(":
            below, rest = _group(rest[1:], text)
        tree[name] = _join(tree[name], below) if name in tree else below
        if not rest or rest[0] != ",":
            return tree, rest
        tokens = rest[1:]


def _single(tokens: list[str], text: str) -> tuple[Tree, list[str]]:
    name, rest = _name(tokens, text)
    below: Tree = {}
    if rest and rest[0] in "/.":
        below, rest = _single(rest[1:], text)
    elif rest and rest[0] == "(":
        below, rest = _group(rest[1:], text)
    return {name: below}, rest


def _group(tokens: list[str], text: str) -> tuple[Tree, list[str]]:
    tree, rest = _list(tokens, text)
    if not rest or rest[0] != ")":
        raise invalid("fields", f"'{text}' lacks a closing parenthesis")
    return tree, rest[1:]


def _name(tokens: list[str], text: str) -> tuple[str, list[str]]:
    if not tokens or tokens[0] in ",/.()":
        raise invalid("fields", f"'{text}' is not a field selector")
    return tokens[0], tokens[1:]


def _join(one: Tree, other: Tree) -> Tree:
    """Return the union of two selections of the same field."""
    if not one or not other:
        return {}
    joined = dict(one)
    for name, below in other.items():
        joined[name] = _join(joined[name], below) if name in joined else below
    return joined


def _answer_message(contract: Contract, call: Call) -> str:
    kind = contract.kinds.get(call.rpc.kind)
    if call.rpc.operation or kind is None:
        return ""
    return kind.list_message if call.rpc.action == "list" else kind.message


def _validate(contract: Contract, message: str, tree: Tree) -> None:
    specs = contract.messages.get(message)
    if specs is None:
        return
    for name, below in tree.items():
        if name == "*":
            continue
        spec = specs.get(name)
        if spec is None:
            raise invalid("fields", f"{message} has no field '{name}'")
        if not spec.is_map:
            _validate(contract, spec.type, below)


def _pick(value: Any, tree: Tree) -> Any:
    if not tree:
        return value
    if isinstance(value, list):
        return [_pick(item, tree) for item in value]
    if not isinstance(value, dict):
        return value
    everything = tree.get("*")
    return {
        key: _pick(item, tree.get(key, everything) or {})
        for key, item in value.items()
        if key in tree or everything is not None
    }
