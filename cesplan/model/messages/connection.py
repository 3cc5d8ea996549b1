"""How tools reach servers: trusted certificates and private addresses."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import KeyedBy, Reference, Required
from cesplan.model.scalars import Bytes


class CaCert(Message):
    """A certificate authority to trust."""

    MESSAGE = "TlsConfig.CaCert"

    display_name: Annotated[str | None, Required()] = None
    """A name to tell it from others."""
    cert: Annotated[Bytes | None, Required()] = None
    """
    The certificate in DER, as base64. Replaces the usual trust store; servers must carry a subject
    alternative name.
    """


class TlsConfig(Message):
    """Whom to trust beside, or instead of, the usual authorities."""

    MESSAGE = "TlsConfig"

    ca_certs: Annotated[list[CaCert] | None, Required(), KeyedBy(("displayName",))] = None
    """The authorities. Found by display name; order means nothing."""


class ServiceDirectoryConfig(Message):
    """A private address inside a VPC Service Controls perimeter."""

    MESSAGE = "ServiceDirectoryConfig"

    service: Annotated[
        str | None, Required(), Reference(pattern="projects/*/locations/*/namespaces/*/services/*")
    ] = None
    """The service of Service Directory, in the same location as the app."""
