"""Security settings: what all apps of a location may call. One per location, only ever updated."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import AsSet, Etag, Falls, Form, Guards, Identifier, OutputOnly, Protects
from cesplan.model.scalars import Opaque


class EnforcementScope(StrEnum):
    """When a list of origins is enforced; unspecified is VPCSC_ONLY."""

    ENFORCEMENT_SCOPE_UNSPECIFIED = "ENFORCEMENT_SCOPE_UNSPECIFIED"
    VPCSC_ONLY = "VPCSC_ONLY"
    """Inside a VPC Service Controls perimeter."""
    ALWAYS = "ALWAYS"
    """Everywhere."""


Origins = Annotated[
    list[str] | None,
    AsSet(),
    Form(r"https?://[^/?#\s]+", "an origin: scheme, host, and port without a path"),
    Protects(Guards.ORIGINS, Falls.WHEN_MORE),
]
"""Where requests may go."""


class EndpointControlPolicy(Message):
    """What tools may call."""

    MESSAGE = "EndpointControlPolicy"

    enforcement_scope: Annotated[
        EnforcementScope | None,
        Protects(Guards.ORIGINS, Falls.WHEN_LAXER, ("ALWAYS", "VPCSC_ONLY"), "VPCSC_ONLY"),
    ] = None
    """When the policy is enforced."""
    allowed_origins: Origins = None
    """The origins that tools may call. Without a port, all ports are allowed. Order does not matter."""


class SecuritySettings(Resource):
    """The security settings of a location. Only the fields in the file are managed."""

    MESSAGE = "SecuritySettings"

    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    endpoint_control_policy: EndpointControlPolicy | None = None
    """What tools may call."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
