"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import AsSet, Etag, Identifier, OutputOnly
from cesplan.model.scalars import Opaque


class EnforcementScope(StrEnum):
    """TODO"""

    ENFORCEMENT_SCOPE_UNSPECIFIED = "ENFORCEMENT_SCOPE_UNSPECIFIED"
    VPCSC_ONLY = "VPCSC_ONLY"
    ALWAYS = "ALWAYS"


class EndpointControlPolicy(Message):
    """TODO"""

    MESSAGE = "EndpointControlPolicy"

    enforcement_scope: EnforcementScope | None = None
    allowed_origins: Annotated[list[str] | None, AsSet()] = None


class SecuritySettings(Resource):
    """TODO"""

    MESSAGE = "SecuritySettings"

    name: Annotated[str | None, Identifier()] = None
    endpoint_control_policy: EndpointControlPolicy | None = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
