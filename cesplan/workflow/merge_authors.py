"""Authors: who changed live what waits for a decision, by the change log."""

from cesplan.domain.address import Address
from cesplan.domain.errors import ApiError
from cesplan.domain.live import LiveApp
from cesplan.domain.merge import Author
from cesplan.engine.merge_apps import MergedApp
from cesplan.remote.client import Client
from cesplan.workflow.pull_comparing import Compared


def authors_of(client: Client, live: LiveApp, compared: Compared, result: MergedApp) -> dict[Address, Author]:
    """Who changed the resources with open conflicts; nobody where the change log cannot be read."""
    open_ = {item.address for item in result.merged if item.is_open}
    open_ |= {item.address for item in result.fates if item.is_open}
    if not open_:
        return {}
    try:
        entries = client.list_changes(live.app.name)
    except ApiError:
        return {}
    names = {_name_of(address, compared): address for address in sorted(open_)}
    found: dict[Address, Author] = {}
    for entry in entries:
        address = names.get(str(entry.get("resource", "")))
        if address is not None and address not in found:
            author, time = str(entry.get("author", "")), str(entry.get("createTime", ""))
            found[address] = Author(name=author, time=time)
    return found


def _name_of(address: Address, compared: Compared) -> str:
    if compared.tree is not None and address == compared.tree.app.address:
        return compared.live.app.name
    return compared.naming.to_name(address.within_app)
