"""Routing from an HTTP method and path to the API method, with one dictionary lookup."""

from functools import cache

from cesplan.emulator.contract import VERSIONS, Rpc, load
from cesplan.emulator.errors import Refused
from cesplan.emulator.schema.names import Target

_Key = tuple[str, str, str]


def route(verb: str, path: str) -> tuple[Rpc, Target]:
    """Return the method and its target. Raise Refused for an unknown route."""
    version, _, rest = path.lstrip("/").partition("/")
    name, _, custom = rest.partition(":")
    segments = name.split("/")
    rpc = _table().get((verb, version, _shape(segments, custom)))
    if rpc is None or "" in segments:
        raise Refused("NOT_FOUND", f"There is no method {verb} /{version}/{rest}.")
    return rpc, _target(rpc, version, name, segments)


def _target(rpc: Rpc, version: str, name: str, segments: list[str]) -> Target:
    if len(segments) % 2 and rpc.kind != "securitySettings":
        return Target(version=version, parent=name.rpartition("/")[0], kind=segments[-1])
    above = segments[:-1] if len(segments) % 2 else segments[:-2]
    return Target(version=version, parent="/".join(above), kind=rpc.kind, name=name)


def _shape(segments: list[str], custom: str) -> str:
    return "/".join(segments[::2]) + ("/*" if len(segments) % 2 == 0 else "") + ":" + custom


@cache
def _table() -> dict[_Key, Rpc]:
    found: dict[_Key, Rpc] = {}
    for version in VERSIONS:
        for rpc in load().rpcs[version]:
            name, _, custom = rpc.path.partition(":")
            found[rpc.verb, version, _shape(name.split("/"), custom)] = rpc
    return found
