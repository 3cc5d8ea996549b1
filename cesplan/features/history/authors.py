"""Authors: who changed resources live, by the app's change log."""

from collections.abc import Mapping

from cesplan.domain.address import Address
from cesplan.domain.errors import ApiError
from cesplan.domain.features.merge import Author
from cesplan.remote.client import Client


def authors_of(client: Client, app: str, resources: Mapping[str, Address]) -> dict[Address, Author]:
    """
    The last author of each resource; `resources` are addresses by full names, `app` is the app's full name.

    A resource that the log does not mention is missing, and all are where the log cannot be read.
    """
    if not resources:
        return {}
    try:
        entries = client.list_changes(app)
    except ApiError:
        return {}
    found: dict[Address, Author] = {}
    for entry in entries:
        address = resources.get(str(entry.get("resource", "")))
        if address is not None and address not in found:
            author, time = str(entry.get("author", "")), str(entry.get("createTime", ""))
            found[address] = Author(name=author, time=time)
    return found
