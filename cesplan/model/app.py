"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.app_audio import AudioProcessingConfig
from cesplan.model.app_logging import LoggingSettings
from cesplan.model.base import Message, Resource
from cesplan.model.channel import ChannelProfile
from cesplan.model.evaluation_metrics import EvaluationMetricsThresholds
from cesplan.model.evaluation_settings import EvaluationPersona, EvaluationSettings
from cesplan.model.marks import (
    AsSet,
    Deprecated,
    Etag,
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
    ServerDefaulted,
)
from cesplan.model.model_settings import ModelSettings
from cesplan.model.scalars import Int32, Opaque
from cesplan.model.schema import Schema


class ToolExecutionMode(StrEnum):
    """TODO"""

    TOOL_EXECUTION_MODE_UNSPECIFIED = "TOOL_EXECUTION_MODE_UNSPECIFIED"
    PARALLEL = "PARALLEL"
    SEQUENTIAL = "SEQUENTIAL"


class ErrorHandlingStrategy(StrEnum):
    """TODO"""

    ERROR_HANDLING_STRATEGY_UNSPECIFIED = "ERROR_HANDLING_STRATEGY_UNSPECIFIED"
    NONE = "NONE"
    FALLBACK_RESPONSE = "FALLBACK_RESPONSE"
    END_SESSION = "END_SESSION"


class LanguageSettings(Message):
    """TODO"""

    MESSAGE = "LanguageSettings"

    default_language_code: str | None = None
    supported_language_codes: Annotated[list[str] | None, AsSet()] = None
    enable_multilingual_support: bool | None = None
    fallback_action: Annotated[str | None, Reference(("tools",), words=("escalate", "exit")), Deprecated()] = (
        None
    )


class TimeZoneSettings(Message):
    """TODO"""

    MESSAGE = "TimeZoneSettings"

    time_zone: str | None = None


class FallbackResponseConfig(Message):
    """TODO"""

    MESSAGE = "ErrorHandlingSettings.FallbackResponseConfig"

    custom_fallback_messages: dict[str, str] | None = None
    max_fallback_attempts: Int32 | None = None


class EndSessionConfig(Message):
    """TODO"""

    MESSAGE = "ErrorHandlingSettings.EndSessionConfig"

    escalate_session: Annotated[bool | None, Presence()] = None


class ErrorHandlingSettings(Message):
    """TODO"""

    MESSAGE = "ErrorHandlingSettings"

    error_handling_strategy: ErrorHandlingStrategy | None = None
    fallback_response_config: FallbackResponseConfig | None = None
    end_session_config: EndSessionConfig | None = None


class VariableDeclaration(Message):
    """TODO"""

    MESSAGE = "App.VariableDeclaration"

    name: Annotated[str | None, Required()] = None
    description: Annotated[str | None, Required(refused=False)] = None
    schema_: Annotated[Schema | None, Required()] = None


class DataStoreSettings(Message):
    """TODO"""

    MESSAGE = "DataStoreSettings"

    engines: Annotated[Opaque, OutputOnly()] = None


class ClientCertificateSettings(Message):
    """TODO"""

    MESSAGE = "ClientCertificateSettings"

    tls_certificate: Annotated[str | None, Required(), LongText("text")] = None
    private_key: Annotated[
        str | None,
        Required(),
        Reference(pattern="projects/*/secrets/*/versions/*"),
        Sensitive(Secrecy.SECRET_NAME),
    ] = None
    passphrase: Annotated[
        str | None, Reference(pattern="projects/*/secrets/*/versions/*"), Sensitive(Secrecy.SECRET_NAME)
    ] = None


class VpcScSettings(Message):
    """TODO"""

    MESSAGE = "VpcScSettings"

    allowed_origins: Annotated[list[str] | None, AsSet()] = None


class App(Resource):
    """TODO"""

    MESSAGE = "App"

    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[str | None, Required()] = None
    description: str | None = None
    pinned: bool | None = None
    root_agent: Annotated[str | None, Reference(("agents",))] = None
    language_settings: LanguageSettings | None = None
    time_zone_settings: TimeZoneSettings | None = None
    audio_processing_config: AudioProcessingConfig | None = None
    logging_settings: Annotated[LoggingSettings | None, ServerDefaulted()] = None
    error_handling_settings: ErrorHandlingSettings | None = None
    model_settings: ModelSettings | None = None
    tool_execution_mode: ToolExecutionMode | None = None
    evaluation_metrics_thresholds: EvaluationMetricsThresholds | None = None
    variable_declarations: Annotated[list[VariableDeclaration] | None, KeyedBy(("name",))] = None
    predefined_variable_declarations: Annotated[Opaque, OutputOnly()] = None
    global_instruction: Annotated[str | None, LongText("markdown")] = None
    guardrails: Annotated[list[str] | None, Reference(("guardrails",))] = None
    data_store_settings: Annotated[DataStoreSettings | None, ServerDefaulted()] = None
    default_channel_profile: ChannelProfile | None = None
    metadata: Annotated[dict[str, str] | None, OwnedByKey()] = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
    deployment_count: Annotated[Opaque, OutputOnly()] = None
    client_certificate_settings: ClientCertificateSettings | None = None
    vpc_sc_settings: VpcScSettings | None = None
    locked: bool | None = None
    evaluation_personas: Annotated[list[EvaluationPersona] | None, KeyedBy(("name",)), OnlyIn("v1beta")] = None
    evaluation_settings: Annotated[EvaluationSettings | None, OnlyIn("v1beta")] = None
    validation_errors: Annotated[Opaque, OutputOnly()] = None
