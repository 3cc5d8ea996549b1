"""
Partial responses: the `fields` parameter, `a,b/c,d(e,f)`, with `.` instead of `/` as well.

A path that the response message does not have is refused.
"""

import json
import re
from typing import Any

from cesplan.emulator.contract import load
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import encode
from cesplan.emulator.schema.bodies import DEEPEST

Tree = dict[str, Any]

_TOKEN = re.compile(r"[\w$@*-]+|[,/.()]")


def selected(call: Call, text: str) -> str:
    """Return the JSON text with only the requested fields."""
    fields = call.query.get("fields") or call.query.get("$fields", "")
    if not fields.strip():
        return text
    tree = parse(fields)
    _validate(_answer_message(call), tree)
    return encode(_pick(json.loads(text), tree))


def parse(text: str) -> Tree:
    """Return the selector as a tree. An empty tree below a name means all its fields."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text.replace(" ", ""):
        raise invalid("fields", f"'{text}' is not a field selector")
    parser = _Parser(tokens, text)
    tree = parser.several()
    if parser.rest():
        raise parser.wrong()
    return tree


class _Parser:
    """A recursive descent parser for one selector."""

    def __init__(self, tokens: list[str], text: str) -> None:
        self._tokens = tokens
        self._text = text
        self._at = 0
        self._depth = 0

    def rest(self) -> str:
        """Return the next token, '' at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def wrong(self) -> Refused:
        return invalid("fields", f"'{self._text}' is not a field selector")

    def several(self) -> Tree:
        tree: Tree = {}
        while True:
            name, below = self._one()
            tree[name] = _join(tree[name], below) if name in tree else below
            if not self._take(","):
                return tree

    def _one(self) -> tuple[str, Tree]:
        name = self.rest()
        if not name or name in ",/.()":
            raise self.wrong()
        self._at += 1
        self._depth += 1
        if self._depth > DEEPEST:
            raise invalid("fields", f"the selector is more than {DEEPEST} levels deep")
        below: Tree = {}
        if self._take("/") or self._take("."):
            inner, further = self._one()
            below = {inner: further}
        elif self._take("("):
            below = self.several()
            if not self._take(")"):
                raise invalid("fields", f"'{self._text}' lacks a closing parenthesis")
        self._depth -= 1
        return name, below

    def _take(self, sign: str) -> bool:
        is_next = self.rest() == sign
        self._at += is_next
        return is_next


def _join(one: Tree, other: Tree) -> Tree:
    """Return the union of two selections of the same field."""
    if not one or not other:
        return {}
    joined = dict(one)
    for name, below in other.items():
        joined[name] = _join(joined[name], below) if name in joined else below
    return joined


def _answer_message(call: Call) -> str:
    kind = load().kinds.get(call.rpc.kind)
    if call.rpc.operation:
        return ""
    if call.rpc.action == "custom" or kind is None:
        return call.rpc.response
    return kind.list_message if call.rpc.action == "list" else kind.message


def _validate(message: str, tree: Tree) -> None:
    specs = load().messages.get(message)
    if specs is None:
        return
    for name, below in tree.items():
        if name == "*":
            continue
        spec = specs.get(name)
        if spec is None:
            raise invalid("fields", f"{message} has no field '{name}'")
        if not spec.is_map:
            _validate(spec.type, below)


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
