"""Deployments: which version of an app answers on which channel."""

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
    """A share of the traffic for a version."""

    MESSAGE = "ExperimentConfig.VersionRelease.TrafficAllocation"

    id: Annotated[str | None, AtMost(128)] = None
    """A name for the share, at most 128 characters."""
    traffic_percentage: Annotated[Int32 | None, Within(0, 100)] = None
    """The share, 0 to 100; all shares together must be 100."""
    app_version: Annotated[str | None, Reference(("versions",))] = None
    """The version, by key."""


class VersionRelease(Message):
    """Traffic split among versions."""

    MESSAGE = "ExperimentConfig.VersionRelease"

    state: ReleaseState | None = None
    """RUNNING."""
    traffic_allocations: Annotated[list[TrafficAllocation] | None, KeyedBy(("id",))] = None
    """The shares. Found by id; order means nothing."""


class ExperimentConfig(Message):
    """An experiment on live traffic."""

    MESSAGE = "ExperimentConfig"

    version_release: VersionRelease | None = None
    """Traffic split among versions."""


class WhatsAppCredentials(Message):
    """The credentials for connecting a WhatsApp number. Never returned."""

    MESSAGE = "WhatsAppCredentials"

    auth_code: Annotated[str | None, Required(), Sensitive(Secrecy.SECRET)] = None
    """The one-time code of Meta's sign-up. A secret: only from a secret variable."""
    pin: Annotated[str | None, Required(), Sensitive(Secrecy.SECRET), Form(r"[0-9]{6}", "six digits")] = None
    """The six digits of two-step verification. A secret: only from a secret variable."""
    phone_number: Annotated[str | None, Required()] = None
    """The number to register."""
    business_account_id: Annotated[str | None, Required()] = None
    """The business account that owns the number."""
    waba_id: Annotated[str | None, Required()] = None
    """The id of the WhatsApp Business account."""
    conversation_profile_id: Annotated[str | None, Required()] = None
    """The conversation profile to use."""


class InstagramCredentials(Message):
    """The credentials for connecting an Instagram account. Never returned."""

    MESSAGE = "InstagramCredentials"

    auth_code: Annotated[str | None, Required(), Sensitive(Secrecy.SECRET)] = None
    """The one-time code of Meta's sign-up. A secret: only from a secret variable."""
    conversation_profile_id: Annotated[str | None, Required()] = None
    """The conversation profile to use."""


class AgentRegistryDeployment(Message):
    """The entry of a deployment in Agent Registry."""

    MESSAGE = "AgentRegistryDeployment"

    agent_registry_service_name: Annotated[Opaque, OutputOnly()] = None
    """Its name there, given by the service."""


class Deployment(Resource):
    """An app version on a channel. Deleted only with `--allow-delete`."""

    MESSAGE = "Deployment"

    name: Annotated[str | None, Identifier()] = None
    """The resource name; it follows from where the file is, and is never written there."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The name that people see."""
    app_version: Annotated[str | None, Reference(("versions",))] = None
    """The version that answers, by key."""
    channel_profile: Annotated[ChannelProfile | None, Required()] = None
    """The channel and how the app behaves there."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last changed."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write; kept by cesplan, never written in a file."""
    experiment_config: ExperimentConfig | None = None
    """An experiment with several versions."""
    whatsapp_credentials: Annotated[WhatsAppCredentials | None, InputOnly()] = None
    """One-time credentials for WhatsApp: sent on create and with `--resend`, never compared."""
    instagram_credentials: Annotated[InstagramCredentials | None, InputOnly()] = None
    """One-time credentials for Instagram: sent on create and with `--resend`, never compared."""
    modality: DeploymentModality | None = None
    """The medium, over that of the app. Needs Google's permission for the project."""
    model_settings: ModelSettings | None = None
    """The model, over those of app and agents. Needs Google's permission for the project."""
    agent_registry_deployment: AgentRegistryDeployment | None = None
    """Makes it known in Agent Registry."""
