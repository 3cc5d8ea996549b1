"""
The ids on the server that the files of an app have: what `$id` says, or else the key.

References by id (`tools/@<id>`) must be understood before any file is read whole.
"""

from collections.abc import Iterable

from cesplan.config.yaml.nodes import Mapping, Scalar
from cesplan.domain.address import Key, KindName


def server_ids(given: Iterable[tuple[KindName, Key, str]]) -> dict[str, dict[str, str]]:
    """By kind, ids with the keys of their files; the id is empty where a file gives none. The first wins."""
    found: dict[str, dict[str, str]] = {}
    for kind, key, server_id in given:
        found.setdefault(kind, {}).setdefault(server_id or key, key)
    return found


def may_give_id(text: str) -> bool:
    """False for a text that cannot have the key `$id`, however it is spelled."""
    return "$id" in text or "\\" in text


def given_id(root: Mapping, environment: str) -> str:
    """What `$id` of a file says for an environment; empty if it says nothing, or nothing valid."""
    node = root.get("$id")
    if isinstance(node, Mapping):
        node = node.get(environment)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else ""
