"""Requests by chance: bodies after the contract, with junk among the values, for any method."""

import random
from typing import Any
from urllib.parse import urlencode

from cesplan.emulator.contract import Field, Rpc, load

LOCATION = "projects/p/locations/us"
APP = f"{LOCATION}/apps/desk1"
JUNK = (
    *(None, True, 0, -1, 1.5, 1e30, "", "§", "a.b", "$env_var", "1s", "2026-01-01T00:00:00Z", [], [None]),
    *({}, [1], ["x"], {"a": 1}, {"name": "x"}, {"$ref": "#/x"}, {"pythonCode": "def f(:"}, APP),
)
WORDS = (
    *("x", "y z", APP, f"{APP}/agents/front", f"{APP}/tools/look1", "projects/p/secrets/s/versions/1"),
    *("def before_agent_callback(callback_context):\n    return 1\n", "def f(a=None):\n    return a\n"),
    '{"openapi": "3.0.0", "paths": {"/x": {"get": {"operationId": "q"}}}}',
)
QUERIES = (
    *("", "x", "1", "-1", "true", "name", "name desc", "author:x", "a:b c:d", "(", '"', "e30", "W10", "LIVE"),
    *("*", "a(b", "name,displayName", "displayName", 'create_time > "2026-01-01T00:00:00Z"', APP),
)
IDS = {
    "projects": "p",
    "apps": "desk1",
    "agents": "front",
    "tools": "look1",
    "versions": "vers1",
    "locations": "us",
}
_SCALARS: dict[str, Any] = {
    "bool": True,
    "int32": 3,
    "int64": "7",
    "double": 0.5,
    "float": 0.5,
    "bytes": "QUJD",
    "google.protobuf.Duration": "3s",
    "google.protobuf.Timestamp": "2026-01-01T00:00:00Z",
    "google.protobuf.Struct": {"a": [1, None]},
    "google.protobuf.Value": [1, "s"],
}
_DEEPEST = 5
# With its app gone there would be nothing left to ask for.
_LEFT_OUT = {"DeleteApp"}


class Noise:
    """Draws requests; the same seed draws the same ones."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def request(self) -> tuple[str, str, str, Any]:
        """Return verb, path, query and body of a request to some method of some version."""
        version = self._dice.choice(sorted(load().rpcs))
        rpc = self._dice.choice([rpc for rpc in load().rpcs[version] if rpc.name not in _LEFT_OUT])
        return rpc.verb, f"/{version}/{self._path(rpc)}", urlencode(self._query(rpc)), self._body(rpc)

    def message(self, name: str, depth: int = 0) -> dict[str, Any]:
        """Return a body of a message: what is required nearly always, the rest now and then."""
        found, oneofs = {}, set[str]()
        for spec in load().messages[name].values():
            chance = 0.9 if spec.required else 0.4 / (depth + 1)
            if depth > _DEEPEST or spec.oneof in oneofs or self._dice.random() > chance:
                continue
            oneofs |= {spec.oneof} - {""}
            found[spec.name] = self._value(spec, depth)
        return found

    def _path(self, rpc: Rpc) -> str:
        path, colon, custom = rpc.path.partition(":")
        parts = path.split("/")
        for place in (index for index, part in enumerate(parts) if part == "*"):
            parts[place] = IDS.get(parts[place - 1], "some1")
        return "/".join(parts) + colon + custom

    def _query(self, rpc: Rpc) -> dict[str, str]:
        kind = load().kinds.get(rpc.kind)
        known = sorted(kind.query.get(rpc.action, ())) if kind else []
        names = [name for name in [*known, "fields"] if self._dice.random() < 0.08]
        query = {name: self._dice.choice(QUERIES) for name in names}
        if kind and rpc.action == "create" and kind.create_id:
            query[kind.create_id] = self._dice.choice(("aaaaa", "bbbbb"))
        return query

    def _body(self, rpc: Rpc) -> Any:
        if rpc.verb not in ("POST", "PATCH"):
            return None
        kind = load().kinds.get(rpc.kind)
        message = rpc.request if rpc.body == "*" else kind.message if kind else ""
        if message not in load().messages or self._dice.random() < 0.05:
            return self._dice.choice(JUNK)
        return self.message(message)

    def _value(self, spec: Field, depth: int) -> Any:
        if self._dice.random() < 0.04:
            return self._dice.choice(JUNK)
        if spec.is_map:
            return {key: self._single(spec, depth) for key in "ab"[: self._dice.randint(0, 2)]}
        if spec.repeated:
            return [self._single(spec, depth) for _ in range(self._dice.randint(0, 2))]
        return self._single(spec, depth)

    def _single(self, spec: Field, depth: int) -> Any:
        inner = spec.value or spec.type
        if inner in load().messages:
            return self.message(inner, depth + 1)
        if inner in load().enums:
            return self._dice.choice(sorted(load().enums[inner]))
        return _SCALARS[inner] if inner in _SCALARS else self._dice.choice(WORDS)
