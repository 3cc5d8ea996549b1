"""How tools connect to servers: trusted certificates and private addresses."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import KeyedBy, Reference, Required
from cesplan.model.scalars import Bytes


class CaCert(Message):
    """A certificate authority to trust."""

    MESSAGE = "TlsConfig.CaCert"

    display_name: Annotated[str | None, Required()] = None
    """A name that distinguishes it from others."""
    cert: Annotated[Bytes | None, Required()] = None
    """
    The certificate in DER, as base64. It replaces the default trust store. Server certificates must have a
    subject alternative name.
    """


class TlsConfig(Message):
    """The certificate authorities to trust."""

    MESSAGE = "TlsConfig"

    ca_certs: Annotated[list[CaCert] | None, Required(), KeyedBy(("displayName",))] = None
    """The certificate authorities. Identified by display name; order does not matter."""


class ServiceDirectoryConfig(Message):
    """A private address inside a VPC Service Controls perimeter."""

    MESSAGE = "ServiceDirectoryConfig"

    service: Annotated[
        str | None, Required(), Reference(pattern="projects/*/locations/*/namespaces/*/services/*")
    ] = None
    """The service in Service Directory, in the same location as the app."""
