"""Apps: the parent of everything else, with languages, error handling, variables, and defaults for agents."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import (
    AsSet,
    AtMost,
    Deprecated,
    Etag,
    Form,
    Identifier,
    KeyedBy,
    LongText,
    OnlyIn,
    OutputOnly,
    OwnedByKey,
    Presence,
    Reference,
    Required,
    Secrecy,
    Sensitive,
)
from cesplan.model.messages.app_audio import AudioProcessingConfig
from cesplan.model.messages.app_logging import LoggingSettings
from cesplan.model.messages.authentication import SecretVersion
from cesplan.model.messages.channel import ChannelProfile
from cesplan.model.messages.evaluation_metrics import EvaluationMetricsThresholds
from cesplan.model.messages.evaluation_settings import EvaluationPersona, EvaluationSettings
from cesplan.model.messages.guardrail import GuardrailList
from cesplan.model.messages.model_settings import ModelSettings
from cesplan.model.messages.schema import Schema
from cesplan.model.messages.security_settings import Origins
from cesplan.model.scalars import Int32, Opaque


class ToolExecutionMode(StrEnum):
    """What happens when the model calls several tools at once."""

    TOOL_EXECUTION_MODE_UNSPECIFIED = "TOOL_EXECUTION_MODE_UNSPECIFIED"
    """The same as PARALLEL."""
    PARALLEL = "PARALLEL"
    """All at the same time, each with the same context."""
    SEQUENTIAL = "SEQUENTIAL"
    """One after the other; each sees the changes of the previous ones."""


class ErrorHandlingStrategy(StrEnum):
    """What the caller gets if the system fails, for example the model."""

    ERROR_HANDLING_STRATEGY_UNSPECIFIED = "ERROR_HANDLING_STRATEGY_UNSPECIFIED"
    NONE = "NONE"
    """Nothing special."""
    FALLBACK_RESPONSE = "FALLBACK_RESPONSE"
    """A predefined message."""
    END_SESSION = "END_SESSION"
    """The end of the session."""


class LanguageSettings(Message):
    """The languages of an app."""

    MESSAGE = "LanguageSettings"

    default_language_code: str | None = None
    """The language the app starts in, such as `en-US`."""
    supported_language_codes: Annotated[list[str] | None, AsSet()] = None
    """Further languages. Order does not matter."""
    enable_multilingual_support: bool | None = None
    """If true, all agents get predefined instructions for handling several languages."""
    fallback_action: Annotated[
        str | None, Reference(("tools",), words=("escalate", "exit")), Deprecated("enableMultilingualSupport")
    ] = None
    """The action on input in an unsupported language: a tool by key, or `escalate` or `exit`."""


class TimeZoneSettings(Message):
    """The time zone of an app."""

    MESSAGE = "TimeZoneSettings"

    time_zone: Annotated[
        str | None,
        Form(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*", "an IANA time zone, such as Europe/Paris"),
    ] = None
    """An IANA name, such as `Europe/Paris`."""


class FallbackResponseConfig(Message):
    """The predefined messages for system failures."""

    MESSAGE = "ErrorHandlingSettings.FallbackResponseConfig"

    custom_fallback_messages: dict[str, str] | None = None
    """The messages by language code."""
    max_fallback_attempts: Int32 | None = None
    """How many times a message is given before the session ends."""


class EndSessionConfig(Message):
    """How a session ends if the system fails."""

    MESSAGE = "ErrorHandlingSettings.EndSessionConfig"

    escalate_session: Annotated[bool | None, Presence()] = None
    """If true, the caller is escalated to a person: the end signal has `session_escalated`."""


class ErrorHandlingSettings(Message):
    """What to do if the system fails."""

    MESSAGE = "ErrorHandlingSettings"

    error_handling_strategy: ErrorHandlingStrategy | None = None
    """Give a predefined message, end the session, or do nothing."""
    fallback_response_config: FallbackResponseConfig | None = None
    """The messages, for FALLBACK_RESPONSE."""
    end_session_config: EndSessionConfig | None = None
    """How the session ends, for END_SESSION."""


class VariableDeclaration(Message):
    """A variable of the session that instructions, tools, and callbacks can read and write."""

    MESSAGE = "App.VariableDeclaration"

    name: Annotated[
        str | None,
        Required(refused=True),
        Form(r"[A-Za-z_][A-Za-z0-9_]*", "a letter or `_`, then letters, digits, and `_`"),
    ] = None
    """Its name: a letter or underscore, then letters, digits, and underscores."""
    description: Annotated[str | None, Required()] = None
    """What it holds. Documented as required, but missing in real apps."""
    schema_: Annotated[Schema | None, Required()] = None
    """Its type, and its default value if it has one."""


class DataStoreSettings(Message):
    """The search engines of an app, listed by the service."""

    MESSAGE = "DataStoreSettings"

    engines: Annotated[Opaque, OutputOnly()] = None
    """The engines."""


class DashboardSettings(Message):
    """The dashboards of an app in the console."""

    MESSAGE = "DashboardSettings"

    default_dashboard: str | None = None
    """The dashboard that is shown first."""


class ClientCertificateSettings(Message):
    """The client certificate that outgoing calls present (mTLS)."""

    MESSAGE = "ClientCertificateSettings"

    tls_certificate: Annotated[
        str | None,
        Required(),
        LongText("text"),
        Form(r"\s*-----BEGIN [\s\S]+-----END [^-]+-----\s*", "a PEM certificate with header and footer"),
    ] = None
    """The certificate in PEM, with its header and footer lines."""
    private_key: SecretVersion = None
    """The Secret Manager version that holds the private key in PEM; never the key itself."""
    passphrase: Annotated[
        str | None, Reference(pattern="projects/*/secrets/*/versions/*"), Sensitive(Secrecy.SECRET_NAME)
    ] = None
    """The Secret Manager version that holds the passphrase of that key; absent if the key has none."""


class VpcScSettings(Message):
    """What an app may call inside a VPC Service Controls perimeter."""

    MESSAGE = "VpcScSettings"

    allowed_origins: Origins = None
    """The origins that OpenAPI tools may call, matched exactly, including the port. Order does not matter."""


class App(Resource):
    """An app. It contains agents, tools, and all other resources, and its settings are their defaults."""

    MESSAGE = "App"

    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The display name."""
    description: str | None = None
    """The purpose of the app."""
    pinned: bool | None = None
    """If true, the console shows it at the top of the list of apps."""
    root_agent: Annotated[str | None, Reference(("agents",))] = None
    """The agent that begins every conversation, by key."""
    language_settings: LanguageSettings | None = None
    """The languages of the app."""
    time_zone_settings: TimeZoneSettings | None = None
    """The time zone of the app."""
    audio_processing_config: AudioProcessingConfig | None = None
    """Audio settings."""
    logging_settings: LoggingSettings | None = None
    """Settings for recording, redaction, and export."""
    error_handling_settings: ErrorHandlingSettings | None = None
    """What callers get if the system fails."""
    model_settings: ModelSettings | None = None
    """The model of all agents and guardrails that do not set their own."""
    tool_execution_mode: ToolExecutionMode | None = None
    """Whether several tools called at once run in parallel or one by one; PARALLEL if absent."""
    evaluation_metrics_thresholds: EvaluationMetricsThresholds | None = None
    """The scores from which an evaluation passes."""
    variable_declarations: Annotated[list[VariableDeclaration] | None, KeyedBy(("name",))] = None
    """The variables of a session. Identified by name; order does not matter."""
    predefined_variable_declarations: Annotated[Opaque, OutputOnly()] = None
    """Variables that every app has."""
    global_instruction: Annotated[str | None, LongText("markdown")] = None
    """An instruction for all agents: who they are, how they speak. Best kept in a Markdown file."""
    guardrails: GuardrailList = None
    """Guardrails of the app, by key. Order is preserved."""
    data_store_settings: DataStoreSettings | None = None
    """Set by the service; it has nothing to configure."""
    default_channel_profile: ChannelProfile | None = None
    """The channel settings of deployments that have none of their own."""
    metadata: Annotated[dict[str, str] | None, OwnedByKey()] = None
    """Free-form notes by key. Keys that are not listed here belong to others and are kept."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
    deployment_count: Annotated[Opaque, OutputOnly()] = None
    """The number of deployments."""
    client_certificate_settings: ClientCertificateSettings | None = None
    """The client certificate that tools present."""
    vpc_sc_settings: VpcScSettings | None = None
    """What tools may call inside a VPC Service Controls perimeter."""
    locked: bool | None = None
    """If true, the service refuses all changes to the app and its contents. Set last when it becomes true."""
    evaluation_personas: Annotated[
        list[EvaluationPersona] | None, KeyedBy(("name",)), OnlyIn("v1beta"), AtMost(30)
    ] = None
    """The simulated users of evaluations, at most 30. Identified by name; order does not matter."""
    evaluation_settings: Annotated[EvaluationSettings | None, OnlyIn("v1beta")] = None
    """Defaults of evaluations."""
    dashboard_settings: DashboardSettings | None = None
    """Its dashboards in the console."""
    validation_errors: Annotated[Opaque, OutputOnly()] = None
    """Problems that the service found with the app."""
