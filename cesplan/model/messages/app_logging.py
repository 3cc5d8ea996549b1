"""Logging of an app: recordings, redaction, exports, and how long conversations are kept."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Falls, Form, Guards, Protects, Reference, ServerDefaulted
from cesplan.model.scalars import Duration


class RedactionConfig(Message):
    """Redaction of sensitive data in stored conversations."""

    MESSAGE = "RedactionConfig"

    enable_redaction: Annotated[bool | None, Protects(Guards.LOGGING, Falls.WHEN_FALSE)] = None
    """If true, conversation history, Cloud Logging, and recordings are redacted."""
    inspect_template: Annotated[
        str | None,
        Reference(pattern="{projects|organizations}/*/locations/*/inspectTemplates/*"),
        Protects(Guards.LOGGING, Falls.WHEN_GONE),
    ] = None
    """The inspect template of Sensitive Data Protection."""
    deidentify_template: Annotated[
        str | None,
        Reference(pattern="{projects|organizations}/*/locations/*/deidentifyTemplates/*"),
        Protects(Guards.LOGGING, Falls.WHEN_GONE),
    ] = None
    """The de-identify template of Sensitive Data Protection."""


class AudioRecordingConfig(Message):
    """Where the audio of sessions is stored."""

    MESSAGE = "AudioRecordingConfig"

    gcs_bucket: Annotated[str | None, Form(r"gs://\S+", "a bucket such as gs://name")] = None
    """The bucket, `gs://…`. In another project, the CES service agent needs `storage.objects.create` there."""
    gcs_path_prefix: str | None = None
    """
    The path in the bucket. It may contain `$project`, `$location`, `$app`, `$date`, and `$session`; if absent,
    it has all five.
    """


class BigQueryExportSettings(Message):
    """Export of conversations to BigQuery."""

    MESSAGE = "BigQueryExportSettings"

    enabled: bool | None = None
    """If true, the export is on."""
    project: str | None = None
    """
    The id of the data set's project. In another project, the CES service agent needs `roles/bigquery.admin`
    there.
    """
    dataset: str | None = None
    """The id of the data set."""


class CloudLoggingSettings(Message):
    """Sessions in Cloud Logging."""

    MESSAGE = "CloudLoggingSettings"

    enable_cloud_logging: bool | None = None
    """If true, sessions are written to Cloud Logging."""


class ConversationLoggingSettings(Message):
    """The history of conversations."""

    MESSAGE = "ConversationLoggingSettings"

    disable_conversation_logging: bool | None = None
    """If true, no history is kept."""
    retention_window: Annotated[Duration | None, ServerDefaulted("31536000s")] = None
    """How long the history is kept, such as `2592000s`; if absent, the service sets 365 days."""


class MetricAnalysisSettings(Message):
    """Metrics that a model derives from conversations."""

    MESSAGE = "MetricAnalysisSettings"

    llm_metrics_opted_out: bool | None = None
    """If true, conversations are excluded from the metrics."""


class LoggingSettings(Message):
    """Storage and redaction of conversations."""

    MESSAGE = "LoggingSettings"

    redaction_config: RedactionConfig | None = None
    """Redaction of sensitive data."""
    audio_recording_config: AudioRecordingConfig | None = None
    """Recordings, redacted if redaction is on."""
    unredacted_audio_recording_config: AudioRecordingConfig | None = None
    """A second, unredacted recording, for audits."""
    bigquery_export_settings: BigQueryExportSettings | None = None
    """Export to BigQuery, redacted if redaction is on."""
    unredacted_bigquery_export_settings: BigQueryExportSettings | None = None
    """A second, unredacted export to BigQuery."""
    cloud_logging_settings: CloudLoggingSettings | None = None
    """Sessions in Cloud Logging."""
    conversation_logging_settings: ConversationLoggingSettings | None = None
    """The history of conversations."""
    evaluation_audio_recording_config: AudioRecordingConfig | None = None
    """Recordings of evaluations; none if absent."""
    metric_analysis_settings: MetricAnalysisSettings | None = None
    """Metrics that a model derives from conversations."""
    required_recording_consent: Annotated[bool | None, Protects(Guards.LOGGING, Falls.WHEN_FALSE)] = None
    """If true, sessions are recorded only with the user's consent."""
