"""Search tools over Vertex AI Search: data stores, engines, ranking, and how answers are made of results."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, Form, KeyedBy, LongText, OneOf, OutputOnly, Reference, Required, Within
from cesplan.model.messages.model_settings import ModelSettings
from cesplan.model.scalars import Float, Int32, Opaque

POINT = r"-?[0-9]+(\.[0-9]+)?|P?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?)?"
"""A number, or a duration of XSD's `dayTimeDuration`; the service writes it without the `P`."""


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
    """How the points of a curve are joined."""

    INTERPOLATION_TYPE_UNSPECIFIED = "INTERPOLATION_TYPE_UNSPECIFIED"
    LINEAR = "LINEAR"


class DataStore(Message):
    """A data store of Vertex AI Search."""

    MESSAGE = "DataStore"

    name: Annotated[
        str | None, Required(), Reference(pattern="projects/*/locations/*/collections/*/dataStores/*")
    ] = None
    """Its full name."""
    type: Annotated[Opaque, OutputOnly()] = None
    """What kind of data it holds."""
    document_processing_mode: Annotated[Opaque, OutputOnly()] = None
    """How documents are cut up."""
    display_name: Annotated[Opaque, OutputOnly()] = None
    """Its name for people."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    connector_config: Annotated[Opaque, OutputOnly()] = None
    """Where its data comes from."""


class DataStoreSource(Message):
    """A data store, and which part of it is searched."""

    MESSAGE = "DataStoreTool.DataStoreSource"

    filter: str | None = None
    """A filter expression of Vertex AI Search."""
    data_store: DataStore | None = None
    """Which one."""


class EngineSource(Message):
    """A search engine, whole or by some of its data stores."""

    MESSAGE = "DataStoreTool.EngineSource"

    engine: Annotated[
        str | None, Required(), Reference(pattern="projects/*/locations/*/collections/*/engines/*")
    ] = None
    """The engine, by its full name."""
    data_store_sources: Annotated[list[DataStoreSource] | None, KeyedBy(("dataStore.name",))] = None
    """The data stores to search; all of the engine when absent. Found by name; order means nothing."""
    filter: str | None = None
    """A filter for the whole engine; not used when data stores are listed."""


class ControlPoint(Message):
    """A point of a boost curve."""

    MESSAGE = "DataStoreTool.BoostSpec.ConditionBoostSpec.BoostControlSpec.ControlPoint"

    attribute_value: Annotated[str | None, Form(POINT, "a number, or an age such as 5D, T24H, 3DT12H30M")] = (
        None
    )
    """Where: a number, or for FRESHNESS an age such as `5D`, `T24H` or `3DT12H30M`."""
    boost_amount: Annotated[Float | None, Within(-1, 1)] = None
    """How much there, from −1 to 1."""


class BoostControlSpec(Message):
    """A boost that follows a curve over a field."""

    MESSAGE = "DataStoreTool.BoostSpec.ConditionBoostSpec.BoostControlSpec"

    field_name: str | None = None
    """The field."""
    attribute_type: BoostAttributeType | None = None
    """Whether the field is a number or a date."""
    interpolation_type: BoostInterpolationType | None = None
    """How points are joined; LINEAR when absent."""
    control_points: list[ControlPoint] | None = None
    """The points, in order; the curve may only rise or only fall."""


class ConditionBoostSpec(Message):
    """A boost for documents that meet a condition."""

    MESSAGE = "DataStoreTool.BoostSpec.ConditionBoostSpec"

    condition: Annotated[str | None, Required()] = None
    """A filter expression, such as `(lang_code: ANY("en", "fr"))`."""
    boost: Annotated[Float | None, Within(-1, 1)] = None
    """From −1 (last) to 1 (first); 0 is not a boost."""
    boost_control_spec: BoostControlSpec | None = None
    """A curve instead of a number."""


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
    """The data stores, by full name. Order means nothing."""
    spec: Annotated[list[BoostSpec] | None, Required()] = None
    """The boosts."""


class RewriterConfig(Message):
    """Rewrites the question before the search."""

    MESSAGE = "DataStoreTool.RewriterConfig"

    model_settings: Annotated[ModelSettings | None, Required()] = None
    """The model that does it."""
    prompt: Annotated[str | None, LongText("markdown")] = None
    """How; a prompt of the service when absent."""
    disabled: bool | None = None
    """True leaves the question as it is."""


class SummarizationConfig(Message):
    """Makes one answer of the results."""

    MESSAGE = "DataStoreTool.SummarizationConfig"

    model_settings: ModelSettings | None = None
    """The model that does it."""
    prompt: Annotated[str | None, LongText("markdown")] = None
    """How; a prompt of the service when absent."""
    disabled: bool | None = None
    """True returns the results as they are."""


class GroundingConfig(Message):
    """Checks that an answer is based on its sources."""

    MESSAGE = "DataStoreTool.GroundingConfig"

    grounding_level: Annotated[Float | None, Within(1, 5)] = None
    """The least score from 1 to 5; answers below it give way to snippets."""
    disabled: bool | None = None
    """True skips the check."""


class SnippetsConfig(Message):
    """Snippets of documents in the results."""

    MESSAGE = "DataStoreTool.SnippetsConfig"

    enable_snippets: bool | None = None
    """True returns them."""
    max_snippets: Int32 | None = None
    """How many at most."""


class ModalityConfig(Message):
    """How results become answers in one medium."""

    MESSAGE = "DataStoreTool.ModalityConfig"

    modality_type: Annotated[ModalityType | None, Required()] = None
    """Text or audio."""
    rewriter_config: RewriterConfig | None = None
    """Rewriting of the question."""
    summarization_config: SummarizationConfig | None = None
    """One answer of many results."""
    grounding_config: GroundingConfig | None = None
    """The check against sources."""
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
    """What can be found, for the model."""
    boost_specs: list[BoostSpecs] | None = None
    """Boosts, by data store. Kept in order."""
    modality_configs: Annotated[list[ModalityConfig] | None, KeyedBy(("modalityType",))] = None
    """How results become answers, once for each medium. Order means nothing."""
    filter_parameter_behavior: FilterParameterBehavior | None = None
    """Whether the model may pass a filter along."""
