"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.channel import ChannelProfile
from cesplan.model.marks import (
    Etag,
    Identifier,
    InputOnly,
    KeyedBy,
    OutputOnly,
    Reference,
    Required,
    Secrecy,
    Sensitive,
)
from cesplan.model.model_settings import ModelSettings
from cesplan.model.scalars import Int32, Opaque


class DeploymentModality(StrEnum):
    """TODO"""

    MODALITY_UNSPECIFIED = "MODALITY_UNSPECIFIED"
    MODALITY_TEXT = "MODALITY_TEXT"
    MODALITY_VOICE = "MODALITY_VOICE"
    MODALITY_VIDEO = "MODALITY_VIDEO"


class ExperimentConfigState(StrEnum):
    """TODO"""

    STATE_UNSPECIFIED = "STATE_UNSPECIFIED"
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    DONE = "DONE"
    EXPIRED = "EXPIRED"


class TrafficAllocation(Message):
    """TODO"""

    MESSAGE = "ExperimentConfig.VersionRelease.TrafficAllocation"

    id: str | None = None
    traffic_percentage: Int32 | None = None
    app_version: Annotated[str | None, Reference(("versions",))] = None


class VersionRelease(Message):
    """TODO"""

    MESSAGE = "ExperimentConfig.VersionRelease"

    state: ExperimentConfigState | None = None
    traffic_allocations: Annotated[list[TrafficAllocation] | None, KeyedBy(("id",))] = None


class ExperimentConfig(Message):
    """TODO"""

    MESSAGE = "ExperimentConfig"

    version_release: VersionRelease | None = None


class WhatsAppCredentials(Message):
    """TODO"""

    MESSAGE = "WhatsAppCredentials"

    auth_code: Annotated[str | None, Required(), Sensitive(Secrecy.SECRET)] = None
    pin: Annotated[str | None, Required(), Sensitive(Secrecy.SECRET)] = None
    phone_number: Annotated[str | None, Required()] = None
    business_account_id: Annotated[str | None, Required()] = None
    waba_id: Annotated[str | None, Required()] = None
    conversation_profile_id: Annotated[str | None, Required(refused=False)] = None


class InstagramCredentials(Message):
    """TODO"""

    MESSAGE = "InstagramCredentials"

    auth_code: Annotated[str | None, Required(), Sensitive(Secrecy.SECRET)] = None
    conversation_profile_id: Annotated[str | None, Required(refused=False)] = None


class Deployment(Resource):
    """TODO"""

    MESSAGE = "Deployment"

    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[str | None, Required()] = None
    app_version: Annotated[str | None, Reference(("versions",))] = None
    channel_profile: Annotated[ChannelProfile | None, Required()] = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
    experiment_config: ExperimentConfig | None = None
    whatsapp_credentials: Annotated[WhatsAppCredentials | None, InputOnly()] = None
    instagram_credentials: Annotated[InstagramCredentials | None, InputOnly()] = None
    modality: DeploymentModality | None = None
    model_settings: ModelSettings | None = None
