"""TODO"""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Reference, ServerDefaulted
from cesplan.model.scalars import Duration


class RedactionConfig(Message):
    """TODO"""

    MESSAGE = "RedactionConfig"

    enable_redaction: bool | None = None
    inspect_template: Annotated[
        str | None, Reference(pattern="{projects|organizations}/*/locations/*/inspectTemplates/*")
    ] = None
    deidentify_template: Annotated[
        str | None, Reference(pattern="{projects|organizations}/*/locations/*/deidentifyTemplates/*")
    ] = None


class AudioRecordingConfig(Message):
    """TODO"""

    MESSAGE = "AudioRecordingConfig"

    gcs_bucket: str | None = None
    gcs_path_prefix: str | None = None


class BigQueryExportSettings(Message):
    """TODO"""

    MESSAGE = "BigQueryExportSettings"

    enabled: bool | None = None
    project: str | None = None
    dataset: str | None = None


class CloudLoggingSettings(Message):
    """TODO"""

    MESSAGE = "CloudLoggingSettings"

    enable_cloud_logging: bool | None = None


class ConversationLoggingSettings(Message):
    """TODO"""

    MESSAGE = "ConversationLoggingSettings"

    disable_conversation_logging: bool | None = None
    retention_window: Annotated[Duration | None, ServerDefaulted()] = None


class MetricAnalysisSettings(Message):
    """TODO"""

    MESSAGE = "MetricAnalysisSettings"

    llm_metrics_opted_out: bool | None = None


class LoggingSettings(Message):
    """TODO"""

    MESSAGE = "LoggingSettings"

    redaction_config: RedactionConfig | None = None
    audio_recording_config: AudioRecordingConfig | None = None
    unredacted_audio_recording_config: AudioRecordingConfig | None = None
    bigquery_export_settings: BigQueryExportSettings | None = None
    unredacted_bigquery_export_settings: BigQueryExportSettings | None = None
    cloud_logging_settings: CloudLoggingSettings | None = None
    conversation_logging_settings: ConversationLoggingSettings | None = None
    evaluation_audio_recording_config: AudioRecordingConfig | None = None
    metric_analysis_settings: MetricAnalysisSettings | None = None
