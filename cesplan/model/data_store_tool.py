"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, KeyedBy, LongText, OneOf, OutputOnly, Reference, Required
from cesplan.model.model_settings import ModelSettings
from cesplan.model.scalars import Float, Opaque


class FilterParameterBehavior(StrEnum):
    """TODO"""

    __numbers__ = (0, 2, 3)

    FILTER_PARAMETER_BEHAVIOR_UNSPECIFIED = "FILTER_PARAMETER_BEHAVIOR_UNSPECIFIED"
    ALWAYS_INCLUDE = "ALWAYS_INCLUDE"
    NEVER_INCLUDE = "NEVER_INCLUDE"


class ModalityType(StrEnum):
    """TODO"""

    MODALITY_TYPE_UNSPECIFIED = "MODALITY_TYPE_UNSPECIFIED"
    TEXT = "TEXT"
    AUDIO = "AUDIO"


class AttributeType(StrEnum):
    """TODO"""

    ATTRIBUTE_TYPE_UNSPECIFIED = "ATTRIBUTE_TYPE_UNSPECIFIED"
    NUMERICAL = "NUMERICAL"
    FRESHNESS = "FRESHNESS"


class InterpolationType(StrEnum):
    """TODO"""

    INTERPOLATION_TYPE_UNSPECIFIED = "INTERPOLATION_TYPE_UNSPECIFIED"
    LINEAR = "LINEAR"


class DataStore(Message):
    """TODO"""

    MESSAGE = "DataStore"

    name: Annotated[
        str | None, Required(), Reference(pattern="projects/*/locations/*/collections/*/dataStores/*")
    ] = None
    type: Annotated[Opaque, OutputOnly()] = None
    document_processing_mode: Annotated[Opaque, OutputOnly()] = None
    display_name: Annotated[Opaque, OutputOnly()] = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    connector_config: Annotated[Opaque, OutputOnly()] = None


class DataStoreSource(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.DataStoreSource"

    filter: str | None = None
    data_store: DataStore | None = None


class EngineSource(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.EngineSource"

    engine: Annotated[
        str | None, Required(), Reference(pattern="projects/*/locations/*/collections/*/engines/*")
    ] = None
    data_store_sources: Annotated[list[DataStoreSource] | None, KeyedBy(("dataStore.name",))] = None
    filter: str | None = None


class ControlPoint(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.BoostSpec.ConditionBoostSpec.BoostControlSpec.ControlPoint"

    attribute_value: str | None = None
    boost_amount: Float | None = None


class BoostControlSpec(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.BoostSpec.ConditionBoostSpec.BoostControlSpec"

    field_name: str | None = None
    attribute_type: AttributeType | None = None
    interpolation_type: InterpolationType | None = None
    control_points: list[ControlPoint] | None = None


class ConditionBoostSpec(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.BoostSpec.ConditionBoostSpec"

    condition: Annotated[str | None, Required()] = None
    boost: Float | None = None
    boost_control_spec: BoostControlSpec | None = None


class BoostSpec(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.BoostSpec"

    condition_boost_specs: Annotated[list[ConditionBoostSpec] | None, Required()] = None


class BoostSpecs(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.BoostSpecs"

    data_stores: Annotated[
        list[str] | None,
        Required(),
        Reference(pattern="projects/*/locations/*/collections/*/dataStores/*"),
        AsSet(),
    ] = None
    spec: Annotated[list[BoostSpec] | None, Required()] = None


class RewriterConfig(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.RewriterConfig"

    model_settings: Annotated[ModelSettings | None, Required()] = None
    prompt: Annotated[str | None, LongText("markdown")] = None
    disabled: bool | None = None


class SummarizationConfig(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.SummarizationConfig"

    model_settings: ModelSettings | None = None
    prompt: Annotated[str | None, LongText("markdown")] = None
    disabled: bool | None = None


class GroundingConfig(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.GroundingConfig"

    grounding_level: Float | None = None
    disabled: bool | None = None


class SnippetsConfig(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.SnippetsConfig"

    enable_snippets: bool | None = None


class ModalityConfig(Message):
    """TODO"""

    MESSAGE = "DataStoreTool.ModalityConfig"

    modality_type: Annotated[ModalityType | None, Required()] = None
    rewriter_config: RewriterConfig | None = None
    summarization_config: SummarizationConfig | None = None
    grounding_config: GroundingConfig | None = None
    snippets_config: SnippetsConfig | None = None


class DataStoreTool(Message):
    """TODO"""

    MESSAGE = "DataStoreTool"

    data_store_source: Annotated[DataStoreSource | None, OneOf("search_source")] = None
    engine_source: Annotated[EngineSource | None, OneOf("search_source")] = None
    name: Annotated[str | None, Required()] = None
    description: str | None = None
    boost_specs: list[BoostSpecs] | None = None
    modality_configs: Annotated[list[ModalityConfig] | None, KeyedBy(("modalityType",))] = None
    filter_parameter_behavior: FilterParameterBehavior | None = None
