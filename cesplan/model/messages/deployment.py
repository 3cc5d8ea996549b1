"""Deployments: which version of an app serves which channel."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import (
    AtMost,
    Etag,
    Form,
    Identifier,
    InputOnly,
    KeyedBy,
    OutputOnly,
    Reference,
    Required,
    Secrecy,
    Sensitive,
    Within,
)
from cesplan.model.messages.channel import ChannelProfile
from cesplan.model.messages.model_settings import ModelSettings
from cesplan.model.scalars import Int32, Opaque


class DeploymentModality(StrEnum):
    """The medium of a deployment."""

    MODALITY_UNSPECIFIED = "MODALITY_UNSPECIFIED"
    MODALITY_TEXT = "MODALITY_TEXT"
    MODALITY_VOICE = "MODALITY_VOICE"
    MODALITY_VIDEO = "MODALITY_VIDEO"


class ReleaseState(StrEnum):
    """The state of an experiment; only RUNNING is in use."""

    STATE_UNSPECIFIED = "STATE_UNSPECIFIED"
    PENDING = "PENDING"
    """No longer used."""
    RUNNING = "RUNNING"
    DONE = "DONE"
    """No longer used."""
    EXPIRED = "EXPIRED"
    """No longer used."""


class TrafficAllocation(Message):
    """A version's share of the traffic."""

    MESSAGE = "ExperimentConfig.VersionRelease.TrafficAllocation"

    id: Annotated[str | None, AtMost(128)] = None
    """A name for the share, at most 128 characters."""
    traffic_percentage: Annotated[Int32 | None, Within(0, 100)] = None
    """The share, from 0 to 100. All shares together must add up to 100."""
    app_version: Annotated[str | None, Reference(("versions",))] = None
    """The version, by key."""


class VersionRelease(Message):
    """Traffic split among versions."""

    MESSAGE = "ExperimentConfig.VersionRelease"

    state: ReleaseState | None = None
    """RUNNING."""
    traffic_allocations: Annotated[list[TrafficAllocation] | None, KeyedBy(("id",))] = None
    """The shares. Identified by id; order does not matter."""


class ExperimentConfig(Message):
    """An experiment on live traffic."""

    MESSAGE = "ExperimentConfig"

    version_release: VersionRelease | None = None
    """Traffic split among versions."""


class WhatsAppCredentials(Message):
    """Credentials to connect a WhatsApp number. Never returned."""

    MESSAGE = "WhatsAppCredentials"

    auth_code: Annotated[str | None, Required(), Sensitive(Secrecy.SECRET)] = None
    """The one-time code from Meta's sign-up. A secret: only from a secret variable."""
    pin: Annotated[str | None, Required(), Sensitive(Secrecy.SECRET), Form(r"[0-9]{6}", "six digits")] = None
    """The six-digit PIN of two-step verification. A secret: only from a secret variable."""
    phone_number: Annotated[str | None, Required()] = None
    """The number to register."""
    business_account_id: Annotated[str | None, Required()] = None
    """The business account that owns the number."""
    waba_id: Annotated[str | None, Required()] = None
    """The id of the WhatsApp Business account."""
    conversation_profile_id: Annotated[str | None, Required()] = None
    """The conversation profile to use."""


class InstagramCredentials(Message):
    """Credentials to connect an Instagram account. Never returned."""

    MESSAGE = "InstagramCredentials"

    auth_code: Annotated[str | None, Required(), Sensitive(Secrecy.SECRET)] = None
    """The one-time code from Meta's sign-up. A secret: only from a secret variable."""
    conversation_profile_id: Annotated[str | None, Required()] = None
    """The conversation profile to use."""


class AgentRegistryDeployment(Message):
    """The entry of a deployment in Agent Registry."""

    MESSAGE = "AgentRegistryDeployment"

    agent_registry_service_name: Annotated[Opaque, OutputOnly()] = None
    """Its resource name there, set by the service."""


class Deployment(Resource):
    """An app version on a channel. Deleted only with `--allow-delete`."""

    MESSAGE = "Deployment"

    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The display name."""
    app_version: Annotated[str | None, Reference(("versions",))] = None
    """The version to serve, by key."""
    channel_profile: Annotated[ChannelProfile | None, Required()] = None
    """The channel, and how the app behaves on it."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
    experiment_config: ExperimentConfig | None = None
    """An experiment with several versions."""
    whatsapp_credentials: Annotated[WhatsAppCredentials | None, InputOnly()] = None
    """One-time credentials for WhatsApp. Sent on create and with `--resend`, never compared."""
    instagram_credentials: Annotated[InstagramCredentials | None, InputOnly()] = None
    """One-time credentials for Instagram. Sent on create and with `--resend`, never compared."""
    modality: DeploymentModality | None = None
    """The medium. Overrides that of the app. Google must enable this for the project."""
    model_settings: ModelSettings | None = None
    """The model. Overrides those of the app and its agents. Google must enable this for the project."""
    agent_registry_deployment: AgentRegistryDeployment | None = None
    """Registers it in Agent Registry."""
