"""
Putting a live state into the store, bypassing all rules: unknown fields and enum values, dangling references,
metadata of others, missing required fields, any id.

Unknown fields are learned: from then on they are accepted in requests too, like by a server that is newer than
the contract. They are forgotten when the process ends.
"""

from typing import Any

from cesplan.emulator.contract import load
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.http.encoding import row_of
from cesplan.emulator.http.routing import route
from cesplan.emulator.resources.writer import new_etag
from cesplan.emulator.schema.messages import without_transport
from cesplan.emulator.service import Service
from cesplan.emulator.storage.store import Row


def seed(service: Service, resources: object) -> list[str]:
    """
    Store resources in the form of API responses (with `name`), replacing those with the same name.

    Return their names. Missing etags and times are generated. Raise Refused for values of a wrong type and for
    names without a kind.
    """
    if not isinstance(resources, list) or not all(isinstance(item, dict) for item in resources):
        raise invalid("resources", "expected a list of resources")
    with service.store.writing():
        rows = [_row(service, resource) for resource in resources]
        for row in rows:
            service.store.put(row)
    return [row.name for row in rows]


def _kind_of(name: str) -> str:
    """Return the kind of a resource name. Raise Refused for a name that no method can read."""
    try:
        rpc, _ = route("GET", f"/v1beta/{name}")
    except Refused:
        rpc = None
    if rpc is None or rpc.action != "get" or rpc.kind not in load().kinds:
        raise invalid("name", f"'{name}' is not the name of a resource")
    return rpc.kind


def _row(service: Service, resource: dict[str, Any]) -> Row:
    name = str(resource.get("name", ""))
    kind = load().kinds[_kind_of(name)]
    body = service.core.checker.learn(kind.message, resource)
    now = service.core.clock.now()
    return row_of(
        name,
        without_transport(body),
        etag=body.get("etag") or new_etag(),
        created=body.get("createTime", now),
        updated=body.get("updateTime", now),
    )
