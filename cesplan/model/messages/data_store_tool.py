"""Search tools for Vertex AI Search: data stores, engines, ranking, and how results become answers."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, Form, KeyedBy, LongText, OneOf, OutputOnly, Reference, Required, Within
from cesplan.model.messages.model_settings import ModelSettings
from cesplan.model.scalars import Float, Int32, Opaque

POINT = r"-?[0-9]+(\.[0-9]+)?|P?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?)?"
"""A number, or an XSD `dayTimeDuration`, which the service writes without the `P`."""


class FilterParameterBehavior(StrEnum):
    """Whether the model may pass a filter along."""

    __numbers__ = (0, 2, 3)

    FILTER_PARAMETER_BEHAVIOR_UNSPECIFIED = "FILTER_PARAMETER_BEHAVIOR_UNSPECIFIED"
    """Only for connector data stores."""
    ALWAYS_INCLUDE = "ALWAYS_INCLUDE"
    NEVER_INCLUDE = "NEVER_INCLUDE"


class ModalityType(StrEnum):
    """The medium that a setting is for."""

    MODALITY_TYPE_UNSPECIFIED = "MODALITY_TYPE_UNSPECIFIED"
    TEXT = "TEXT"
    AUDIO = "AUDIO"


class BoostAttributeType(StrEnum):
    """The attribute of a boost curve."""

    ATTRIBUTE_TYPE_UNSPECIFIED = "ATTRIBUTE_TYPE_UNSPECIFIED"
    NUMERICAL = "NUMERICAL"
    """The value of a number field."""
    FRESHNESS = "FRESHNESS"
    """The age of a date field."""


class BoostInterpolationType(StrEnum):
    """How the points of a curve are interpolated."""

    INTERPOLATION_TYPE_UNSPECIFIED = "INTERPOLATION_TYPE_UNSPECIFIED"
    LINEAR = "LINEAR"


class DataStore(Message):
    """A data store of Vertex AI Search."""

    MESSAGE = "DataStore"

    name: Annotated[
        str | None, Required(), Reference(pattern="projects/*/locations/*/collections/*/dataStores/*")
    ] = None
    """The resource name."""
    type: Annotated[Opaque, OutputOnly()] = None
    """What kind of data it holds."""
    document_processing_mode: Annotated[Opaque, OutputOnly()] = None
    """How documents are split."""
    display_name: Annotated[Opaque, OutputOnly()] = None
    """The display name."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    connector_config: Annotated[Opaque, OutputOnly()] = None
    """Where its data comes from."""


class DataStoreSource(Message):
    """A data store, and the part of it to search."""

    MESSAGE = "DataStoreTool.DataStoreSource"

    filter: str | None = None
    """A filter expression of Vertex AI Search."""
    data_store: DataStore | None = None
    """The data store."""


class EngineSource(Message):
    """A search engine, as a whole or only some of its data stores."""

    MESSAGE = "DataStoreTool.EngineSource"

    engine: Annotated[
        str | None, Required(), Reference(pattern="projects/*/locations/*/collections/*/engines/*")
    ] = None
    """The engine, by resource name."""
    data_store_sources: Annotated[list[DataStoreSource] | None, KeyedBy(("dataStore.name",))] = None
    """The data stores to search; all of the engine's if absent. Identified by name; order does not matter."""
    filter: str | None = None
    """A filter for the whole engine; not used if data stores are listed."""


class ControlPoint(Message):
    """A point of a boost curve."""

    MESSAGE = "DataStoreTool.BoostSpec.ConditionBoostSpec.BoostControlSpec.ControlPoint"

    attribute_value: Annotated[str | None, Form(POINT, "a number, or an age such as 5D, T24H, 3DT12H30M")] = (
        None
    )
    """The attribute value: a number, or for FRESHNESS an age such as `5D`, `T24H`, or `3DT12H30M`."""
    boost_amount: Annotated[Float | None, Within(-1, 1)] = None
    """The boost at this point, from −1 to 1."""


class BoostControlSpec(Message):
    """A boost that depends on the value of a field, by a curve."""

    MESSAGE = "DataStoreTool.BoostSpec.ConditionBoostSpec.BoostControlSpec"

    field_name: str | None = None
    """The field."""
    attribute_type: BoostAttributeType | None = None
    """Whether the field is a number or a date."""
    interpolation_type: BoostInterpolationType | None = None
    """How the points are interpolated; LINEAR if absent."""
    control_points: list[ControlPoint] | None = None
    """The points, in order. The curve must only rise or only fall."""


class ConditionBoostSpec(Message):
    """A boost for documents that meet a condition."""

    MESSAGE = "DataStoreTool.BoostSpec.ConditionBoostSpec"

    condition: Annotated[str | None, Required()] = None
    """A filter expression, such as `(lang_code: ANY("en", "fr"))`."""
    boost: Annotated[Float | None, Within(-1, 1)] = None
    """From −1 (last) to 1 (first); 0 is not a boost."""
    boost_control_spec: BoostControlSpec | None = None
    """A curve instead of a fixed boost."""


class BoostSpec(Message):
    """A group of boosts."""

    MESSAGE = "DataStoreTool.BoostSpec"

    condition_boost_specs: Annotated[list[ConditionBoostSpec] | None, Required()] = None
    """The boosts, in order."""


class BoostSpecs(Message):
    """Boosts for some data stores."""

    MESSAGE = "DataStoreTool.BoostSpecs"

    data_stores: Annotated[
        list[str] | None,
        Required(),
        Reference(pattern="projects/*/locations/*/collections/*/dataStores/*"),
        AsSet(),
    ] = None
    """The data stores, by resource name. Order does not matter."""
    spec: Annotated[list[BoostSpec] | None, Required()] = None
    """The boosts."""


class RewriterConfig(Message):
    """Rewrites the query before the search."""

    MESSAGE = "DataStoreTool.RewriterConfig"

    model_settings: Annotated[ModelSettings | None, Required()] = None
    """The model to use."""
    prompt: Annotated[str | None, LongText("markdown")] = None
    """The prompt; a default prompt of the service if absent."""
    disabled: bool | None = None
    """If true, the query is not rewritten."""


class SummarizationConfig(Message):
    """Summarizes the results in one answer."""

    MESSAGE = "DataStoreTool.SummarizationConfig"

    model_settings: ModelSettings | None = None
    """The model to use."""
    prompt: Annotated[str | None, LongText("markdown")] = None
    """The prompt; a default prompt of the service if absent."""
    disabled: bool | None = None
    """If true, the results are returned without a summary."""


class GroundingConfig(Message):
    """Checks that an answer is based on its sources."""

    MESSAGE = "DataStoreTool.GroundingConfig"

    grounding_level: Annotated[Float | None, Within(1, 5)] = None
    """The minimum score, from 1 to 5. Answers below it are replaced by snippets."""
    disabled: bool | None = None
    """If true, the check is skipped."""


class SnippetsConfig(Message):
    """Snippets of documents in the results."""

    MESSAGE = "DataStoreTool.SnippetsConfig"

    enable_snippets: bool | None = None
    """If true, the results contain snippets."""
    max_snippets: Int32 | None = None
    """The maximum number of snippets."""


class ModalityConfig(Message):
    """How results become answers in one medium."""

    MESSAGE = "DataStoreTool.ModalityConfig"

    modality_type: Annotated[ModalityType | None, Required()] = None
    """Text or audio."""
    rewriter_config: RewriterConfig | None = None
    """Query rewriting."""
    summarization_config: SummarizationConfig | None = None
    """Summarization of the results."""
    grounding_config: GroundingConfig | None = None
    """The grounding check."""
    snippets_config: SnippetsConfig | None = None
    """Snippets in the results."""


class DataStoreTool(Message):
    """A tool that searches a data store or an engine."""

    MESSAGE = "DataStoreTool"

    data_store_source: Annotated[DataStoreSource | None, OneOf("search_source")] = None
    """Searches one data store."""
    engine_source: Annotated[EngineSource | None, OneOf("search_source")] = None
    """Searches an engine."""
    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees; also the display name of the tool."""
    description: str | None = None
    """What the tool can find. For the model."""
    boost_specs: list[BoostSpecs] | None = None
    """The boosts, by data store. Order is preserved."""
    modality_configs: Annotated[list[ModalityConfig] | None, KeyedBy(("modalityType",))] = None
    """How results become answers, one entry per medium. Order does not matter."""
    filter_parameter_behavior: FilterParameterBehavior | None = None
    """Whether the model may pass a filter along."""
