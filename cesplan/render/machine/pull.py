"""What a pull did, as a JSON document."""

from collections.abc import Sequence

from cesplan.domain.address import Address
from cesplan.render.documents import opening, text_of


def pull_json(
    app: str,
    *,
    folder: str,
    written: Sequence[str],
    resources: int,
    equal: int,
    differing: Sequence[tuple[Address, Sequence[str]]] = (),
    only_in_tree: Sequence[Address] = (),
    notices: Sequence[str] = (),
    service: str = "",
) -> str:
    """The document, ended by a line feed; `service` is empty for the default one."""
    return text_of(
        {
            **opening(),
            "app": app,
            "service": service,
            "folder": folder,
            "written": list(written),
            "resources": resources,
            "equal": equal,
            "differing": [{"address": str(address), "fields": list(fields)} for address, fields in differing],
            "only_in_tree": [str(address) for address in only_in_tree],
            "notices": list(notices),
        }
    )
