"""
The ids on the server of an app's files: `$id`, or else the key.

They are needed to resolve references by id (`tools/@<id>`) before any file is fully read.
"""

from collections.abc import Iterable

from cesplan.config.yaml.nodes import Mapping, text_of
from cesplan.domain.address import Key, KindName


def server_ids(given: Iterable[tuple[KindName, Key, str]]) -> dict[str, dict[str, str]]:
    """The ids by kind, with the keys of their files. A file without an id has an empty one. The first wins."""
    found: dict[str, dict[str, str]] = {}
    for kind, key, server_id in given:
        found.setdefault(kind, {}).setdefault(server_id or key, key)
    return found


def may_give_id(text: str) -> bool:
    """False for a text that cannot contain the key `$id` in any spelling."""
    return "$id" in text or "\\" in text


def given_id(root: Mapping, environment: str) -> str:
    """The `$id` of a file for an environment; empty if it is absent or invalid."""
    node = root.get("$id")
    if isinstance(node, Mapping):
        node = node.get(environment)
    return text_of(node) or ""
