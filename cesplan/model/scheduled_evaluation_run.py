"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.enums import EvaluationToolCallBehaviour, GoldenRunMethod
from cesplan.model.evaluation_settings import EvaluationRunCachingSettings
from cesplan.model.marks import (
    AsSet,
    Deprecated,
    Etag,
    FilledFromPlace,
    Identifier,
    KeyedBy,
    OutputOnly,
    Presence,
    Reference,
    Required,
)
from cesplan.model.scalars import Int32, Opaque, Timestamp


class Frequency(StrEnum):
    """TODO"""

    FREQUENCY_UNSPECIFIED = "FREQUENCY_UNSPECIFIED"
    NONE = "NONE"
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    BIWEEKLY = "BIWEEKLY"


class EvaluationChannel(StrEnum):
    """TODO"""

    EVALUATION_CHANNEL_UNSPECIFIED = "EVALUATION_CHANNEL_UNSPECIFIED"
    TEXT = "TEXT"
    AUDIO = "AUDIO"


class AudioEncoding(StrEnum):
    """TODO"""

    AUDIO_ENCODING_UNSPECIFIED = "AUDIO_ENCODING_UNSPECIFIED"
    LINEAR16 = "LINEAR16"
    MULAW = "MULAW"
    ALAW = "ALAW"


class InputAudioConfig(Message):
    """TODO"""

    MESSAGE = "InputAudioConfig"

    audio_encoding: Annotated[AudioEncoding | None, Required()] = None
    sample_rate_hertz: Annotated[Int32 | None, Required()] = None
    noise_suppression_level: str | None = None


class OutputAudioConfig(Message):
    """TODO"""

    MESSAGE = "OutputAudioConfig"

    audio_encoding: Annotated[AudioEncoding | None, Required()] = None
    sample_rate_hertz: Annotated[Int32 | None, Required()] = None


class EvaluationConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationConfig"

    input_audio_config: Annotated[InputAudioConfig | None, Deprecated()] = None
    output_audio_config: Annotated[OutputAudioConfig | None, Deprecated()] = None
    evaluation_channel: EvaluationChannel | None = None
    tool_call_behaviour: EvaluationToolCallBehaviour | None = None


class PersonaRunConfig(Message):
    """TODO"""

    MESSAGE = "PersonaRunConfig"

    persona: Annotated[str | None, Reference(("evaluationPersonas",))] = None
    task_count: Int32 | None = None


class OptimizationConfig(Message):
    """TODO"""

    MESSAGE = "OptimizationConfig"

    generate_loss_report: bool | None = None
    assistant_session: Annotated[Opaque, OutputOnly()] = None
    report_summary: Annotated[Opaque, OutputOnly()] = None
    should_suggest_fix: Annotated[Opaque, OutputOnly()] = None
    status: Annotated[Opaque, OutputOnly()] = None
    error_message: Annotated[Opaque, OutputOnly()] = None
    loss_report: Annotated[Opaque, OutputOnly()] = None


class RunEvaluationRequest(Message):
    """TODO"""

    MESSAGE = "RunEvaluationRequest"

    app: Annotated[str | None, Required(), FilledFromPlace()] = None
    evaluations: Annotated[list[str] | None, Reference(("evaluations",)), AsSet()] = None
    evaluation_dataset: Annotated[str | None, Reference(("evaluationDatasets",))] = None
    display_name: str | None = None
    app_version: Annotated[str | None, Reference(("versions",))] = None
    config: EvaluationConfig | None = None
    run_count: Annotated[Int32 | None, Presence()] = None
    persona_run_configs: Annotated[list[PersonaRunConfig] | None, KeyedBy(("persona",))] = None
    optimization_config: Annotated[OptimizationConfig | None, Presence()] = None
    scheduled_evaluation_run: Annotated[str | None, Reference(("scheduledEvaluationRuns",))] = None
    golden_run_method: GoldenRunMethod | None = None
    generate_latency_report: bool | None = None
    evaluation_run_caching_settings: EvaluationRunCachingSettings | None = None


class SchedulingConfig(Message):
    """TODO"""

    MESSAGE = "ScheduledEvaluationRun.SchedulingConfig"

    frequency: Annotated[Frequency | None, Required()] = None
    start_time: Annotated[Timestamp | None, Required()] = None
    days_of_week: Annotated[list[Int32] | None, AsSet()] = None


class ScheduledEvaluationRun(Resource):
    """TODO"""

    MESSAGE = "ScheduledEvaluationRun"

    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[str | None, Required()] = None
    request: Annotated[RunEvaluationRequest | None, Required()] = None
    description: str | None = None
    scheduling_config: Annotated[SchedulingConfig | None, Required()] = None
    active: bool | None = None
    last_completed_run: Annotated[Opaque, OutputOnly()] = None
    total_executions: Annotated[Opaque, OutputOnly()] = None
    next_scheduled_execution_time: Annotated[Opaque, OutputOnly()] = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    created_by: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    last_updated_by: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
