"""Security settings: what all apps of a location may call. One per location, updated only."""

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


class EndpointControlPolicy(Message):
    """What tools may call."""

    MESSAGE = "EndpointControlPolicy"

    enforcement_scope: Annotated[
        EnforcementScope | None,
        Protects(Guards.ORIGINS, Falls.WHEN_LAXER, ("ALWAYS", "VPCSC_ONLY"), "VPCSC_ONLY"),
    ] = None
    """When this is enforced."""
    allowed_origins: Annotated[
        list[str] | None,
        AsSet(),
        Form(r"https?://[^/?#\s]+", "an origin: scheme, host and port without a path"),
        Protects(Guards.ORIGINS, Falls.WHEN_MORE),
    ] = None
    """Origins that tools may call; without a port, all its ports. Order means nothing."""


class SecuritySettings(Resource):
    """The security settings of a location. Only what the file names is managed."""

    MESSAGE = "SecuritySettings"

    name: Annotated[str | None, Identifier()] = None
    """The resource name; it follows from where the file is, and is never written there."""
    endpoint_control_policy: EndpointControlPolicy | None = None
    """What tools may call."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last changed."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write; kept by cesplan, never written in a file."""
