"""TODO"""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import KeyedBy, Reference, Required
from cesplan.model.scalars import Bytes


class CaCert(Message):
    """TODO"""

    MESSAGE = "TlsConfig.CaCert"

    display_name: Annotated[str | None, Required()] = None
    cert: Annotated[Bytes | None, Required()] = None


class TlsConfig(Message):
    """TODO"""

    MESSAGE = "TlsConfig"

    ca_certs: Annotated[list[CaCert] | None, Required(), KeyedBy(("displayName",))] = None


class ServiceDirectoryConfig(Message):
    """TODO"""

    MESSAGE = "ServiceDirectoryConfig"

    service: Annotated[
        str | None, Required(), Reference(pattern="projects/*/locations/*/namespaces/*/services/*")
    ] = None
