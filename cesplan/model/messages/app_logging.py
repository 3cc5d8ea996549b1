"""Logging of an app: recordings, redaction, exports and how long conversations are kept."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Falls, Form, Guards, Protects, Reference, ServerDefaulted
from cesplan.model.scalars import Duration


class RedactionConfig(Message):
    """Hides sensitive data in what is kept."""

    MESSAGE = "RedactionConfig"

    enable_redaction: Annotated[bool | None, Protects(Guards.LOGGING, Falls.WHEN_FALSE)] = None
    """True redacts conversation history, Cloud Logging and recordings."""
    inspect_template: Annotated[
        str | None,
        Reference(pattern="{projects|organizations}/*/locations/*/inspectTemplates/*"),
        Protects(Guards.LOGGING, Falls.WHEN_GONE),
    ] = None
    """The template of Sensitive Data Protection that says what to look for."""
    deidentify_template: Annotated[
        str | None,
        Reference(pattern="{projects|organizations}/*/locations/*/deidentifyTemplates/*"),
        Protects(Guards.LOGGING, Falls.WHEN_GONE),
    ] = None
    """The template of Sensitive Data Protection that says how to hide it."""


class AudioRecordingConfig(Message):
    """Where the audio of sessions is kept."""

    MESSAGE = "AudioRecordingConfig"

    gcs_bucket: Annotated[str | None, Form(r"gs://\S+", "a bucket such as gs://name")] = None
    """The bucket, `gs://…`. In another project, the CES service agent needs `storage.objects.create` there."""
    gcs_path_prefix: str | None = None
    """
    The path in the bucket; may hold `$project`, `$location`, `$app`, `$date`, `$session`, and is made of
    all five when absent.
    """


class BigQueryExportSettings(Message):
    """Export of conversations to BigQuery."""

    MESSAGE = "BigQueryExportSettings"

    enabled: bool | None = None
    """Turns the export on."""
    project: str | None = None
    """
    The project of the data set, by id. If it is another one, the CES service agent needs
    `roles/bigquery.admin` there.
    """
    dataset: str | None = None
    """The id of the data set."""


class CloudLoggingSettings(Message):
    """Sessions in Cloud Logging."""

    MESSAGE = "CloudLoggingSettings"

    enable_cloud_logging: bool | None = None
    """True writes them."""


class ConversationLoggingSettings(Message):
    """The history of conversations."""

    MESSAGE = "ConversationLoggingSettings"

    disable_conversation_logging: bool | None = None
    """True keeps no history."""
    retention_window: Annotated[Duration | None, ServerDefaulted("31536000s")] = None
    """How long history is kept, such as `2592000s`; 365 days when absent, which the service then fills in."""


class MetricAnalysisSettings(Message):
    """Metrics that a model derives from conversations."""

    MESSAGE = "MetricAnalysisSettings"

    llm_metrics_opted_out: bool | None = None
    """True keeps conversations out of them."""


class LoggingSettings(Message):
    """Storage and redaction of conversations."""

    MESSAGE = "LoggingSettings"

    redaction_config: RedactionConfig | None = None
    """Hides sensitive data."""
    audio_recording_config: AudioRecordingConfig | None = None
    """Recordings, redacted where redaction is on."""
    unredacted_audio_recording_config: AudioRecordingConfig | None = None
    """A second, raw recording, for audits."""
    bigquery_export_settings: BigQueryExportSettings | None = None
    """Export to BigQuery, redacted where redaction is on."""
    unredacted_bigquery_export_settings: BigQueryExportSettings | None = None
    """A second, raw export to BigQuery."""
    cloud_logging_settings: CloudLoggingSettings | None = None
    """Sessions in Cloud Logging."""
    conversation_logging_settings: ConversationLoggingSettings | None = None
    """The history of conversations."""
    evaluation_audio_recording_config: AudioRecordingConfig | None = None
    """Recordings of evaluations; none when absent."""
    metric_analysis_settings: MetricAnalysisSettings | None = None
    """Metrics that a model derives from conversations."""
    required_recording_consent: Annotated[bool | None, Protects(Guards.LOGGING, Falls.WHEN_FALSE)] = None
    """True records only where the user has consented."""
