"""Scheduled runs: evaluations that start automatically."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import (
    AsSet,
    Choices,
    Deprecated,
    Etag,
    FilledFromPlace,
    Identifier,
    KeyedBy,
    OutputOnly,
    Presence,
    Reference,
    Required,
    Within,
)
from cesplan.model.messages.enums import EvaluationToolCallBehaviour, GoldenRunMethod
from cesplan.model.messages.evaluation_settings import EvaluationRunCachingSettings
from cesplan.model.scalars import Int32, Opaque, Timestamp


class Frequency(StrEnum):
    """How often a run is repeated."""

    FREQUENCY_UNSPECIFIED = "FREQUENCY_UNSPECIFIED"
    NONE = "NONE"
    """Once."""
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    BIWEEKLY = "BIWEEKLY"
    """Every second week."""


class EvaluationChannel(StrEnum):
    """Whether an evaluation uses text or audio."""

    EVALUATION_CHANNEL_UNSPECIFIED = "EVALUATION_CHANNEL_UNSPECIFIED"
    TEXT = "TEXT"
    AUDIO = "AUDIO"


class AudioEncoding(StrEnum):
    """How audio is encoded."""

    AUDIO_ENCODING_UNSPECIFIED = "AUDIO_ENCODING_UNSPECIFIED"
    LINEAR16 = "LINEAR16"
    """16 bits, linear PCM."""
    MULAW = "MULAW"
    """8 bits, G.711 µ-law."""
    ALAW = "ALAW"
    """8 bits, G.711 A-law."""


class InputAudioConfig(Message):
    """Audio that goes to the agent."""

    MESSAGE = "InputAudioConfig"

    audio_encoding: Annotated[AudioEncoding | None, Required()] = None
    """How it is encoded."""
    sample_rate_hertz: Annotated[Int32 | None, Required()] = None
    """Samples per second."""
    noise_suppression_level: Annotated[str | None, Choices(("low", "moderate", "high", "very_high"))] = None
    """How strongly background noise is filtered: `low`, `moderate`, `high`, or `very_high`."""


class OutputAudioConfig(Message):
    """Audio that comes from the agent."""

    MESSAGE = "OutputAudioConfig"

    audio_encoding: Annotated[AudioEncoding | None, Required()] = None
    """How it is encoded."""
    sample_rate_hertz: Annotated[Int32 | None, Required()] = None
    """Samples per second."""


class EvaluationConfig(Message):
    """How a run is executed."""

    MESSAGE = "EvaluationConfig"

    input_audio_config: Annotated[InputAudioConfig | None, Deprecated()] = None
    """Audio that goes to the agent."""
    output_audio_config: Annotated[OutputAudioConfig | None, Deprecated()] = None
    """Audio that comes from the agent."""
    evaluation_channel: EvaluationChannel | None = None
    """Text or audio."""
    tool_call_behaviour: EvaluationToolCallBehaviour | None = None
    """Real tools or fakes."""


class PersonaRunConfig(Message):
    """A persona's part in a run."""

    MESSAGE = "PersonaRunConfig"

    persona: Annotated[str | None, Reference(("evaluationPersonas",))] = None
    """The persona, by its key in the app."""
    task_count: Int32 | None = None
    """How many tasks it plays."""


class OptimizationConfig(Message):
    """An analysis of failures after the run. It runs only if this is present."""

    MESSAGE = "OptimizationConfig"

    generate_loss_report: bool | None = None
    """If true, a report of the failures is written."""
    assistant_session: Annotated[Opaque, OutputOnly()] = None
    """The session of the assistant that made it."""
    report_summary: Annotated[Opaque, OutputOnly()] = None
    """A summary of the report."""
    should_suggest_fix: Annotated[Opaque, OutputOnly()] = None
    """Whether a fix is suggested."""
    status: Annotated[Opaque, OutputOnly()] = None
    """Its status."""
    error_message: Annotated[Opaque, OutputOnly()] = None
    """Its error."""
    loss_report: Annotated[Opaque, OutputOnly()] = None
    """The report."""


class RunEvaluationRequest(Message):
    """The evaluations to run."""

    MESSAGE = "RunEvaluationRequest"

    app: Annotated[str | None, Required(), FilledFromPlace()] = None
    """The app. It is derived from the path of the file."""
    evaluations: Annotated[list[str] | None, Reference(("evaluations",)), AsSet()] = None
    """The evaluations, by key; alternatively, set a dataset. Order does not matter."""
    evaluation_dataset: Annotated[str | None, Reference(("evaluationDatasets",))] = None
    """The dataset, by key; alternatively, list evaluations."""
    display_name: str | None = None
    """A name for the run."""
    app_version: Annotated[str | None, Reference(("versions",))] = None
    """The version to test, by key."""
    config: EvaluationConfig | None = None
    """How the run is executed."""
    run_count: Annotated[Int32 | None, Presence()] = None
    """The number of repeats; if absent, one for a golden conversation and five for a scenario."""
    persona_run_configs: Annotated[list[PersonaRunConfig] | None, KeyedBy(("persona",))] = None
    """The personas to use. Identified by persona; order does not matter."""
    optimization_config: Annotated[OptimizationConfig | None, Presence()] = None
    """An analysis of failures after the run. `{}` runs it; absent does not."""
    scheduled_evaluation_run: Annotated[str | None, Reference(("scheduledEvaluationRuns",))] = None
    """The schedule that starts the run. Leave it out: here it would refer to this resource itself."""
    golden_run_method: GoldenRunMethod | None = None
    """How golden conversations are replayed; STABLE if absent."""
    generate_latency_report: bool | None = None
    """If true, latency is measured."""
    evaluation_run_caching_settings: EvaluationRunCachingSettings | None = None
    """Reuse of earlier results."""


class SchedulingConfig(Message):
    """When it runs."""

    MESSAGE = "ScheduledEvaluationRun.SchedulingConfig"

    frequency: Annotated[Frequency | None, Required()] = None
    """How often."""
    start_time: Annotated[Timestamp | None, Required()] = None
    """The first time, RFC 3339, such as `2026-01-31T03:00:00Z`."""
    days_of_week: Annotated[list[Int32] | None, AsSet(), Within(1, 7)] = None
    """The days, 1 (Monday) to 7 (Sunday); only with WEEKLY and BIWEEKLY. Order does not matter."""


class ScheduledEvaluationRun(Resource):
    """A run that starts automatically."""

    MESSAGE = "ScheduledEvaluationRun"

    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The display name."""
    request: Annotated[RunEvaluationRequest | None, Required()] = None
    """The evaluations to run."""
    description: str | None = None
    """Its purpose."""
    scheduling_config: Annotated[SchedulingConfig | None, Required()] = None
    """When it runs."""
    active: bool | None = None
    """If true, the schedule is active."""
    last_completed_run: Annotated[Opaque, OutputOnly()] = None
    """The newest run that succeeded."""
    total_executions: Annotated[Opaque, OutputOnly()] = None
    """The number of runs so far."""
    next_scheduled_execution_time: Annotated[Opaque, OutputOnly()] = None
    """When it runs next."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    created_by: Annotated[Opaque, OutputOnly()] = None
    """Who created it."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    last_updated_by: Annotated[Opaque, OutputOnly()] = None
    """Who last updated it."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
