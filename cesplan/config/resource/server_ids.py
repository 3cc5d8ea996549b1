"""
The ids on the server that the files of an app have: what `$id` says, or else the key.

References by id (`tools/@<id>`) must be understood before any file is read whole.
"""

from collections.abc import Iterable

from cesplan.config.yaml.nodes import Mapping, Scalar
from cesplan.domain.address import Key, KindName


def server_ids(
    roots: Iterable[tuple[KindName, Key, Mapping]], environment: str = ""
) -> dict[str, dict[str, str]]:
    """By kind, ids with the keys of their files. Mistakes in `$id` are not reported here; the first wins."""
    found: dict[str, dict[str, str]] = {}
    for kind, key, root in roots:
        found.setdefault(kind, {}).setdefault(given_id(root, environment) or key, key)
    return found


def given_id(root: Mapping, environment: str) -> str:
    """What `$id` of a file says for an environment; empty if it says nothing."""
    node = root.get("$id")
    if isinstance(node, Mapping):
        node = node.get(environment)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else ""
