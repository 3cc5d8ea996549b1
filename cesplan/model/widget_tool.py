"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Deprecated, LongText, OneOf, Reference, Required
from cesplan.model.python_function import PythonFunction
from cesplan.model.scalars import Struct
from cesplan.model.schema import Schema


class WidgetType(StrEnum):
    """TODO"""

    WIDGET_TYPE_UNSPECIFIED = "WIDGET_TYPE_UNSPECIFIED"
    CUSTOM = "CUSTOM"
    PRODUCT_CAROUSEL = "PRODUCT_CAROUSEL"
    PRODUCT_DETAILS = "PRODUCT_DETAILS"
    QUICK_ACTIONS = "QUICK_ACTIONS"
    PRODUCT_COMPARISON = "PRODUCT_COMPARISON"
    ADVANCED_PRODUCT_DETAILS = "ADVANCED_PRODUCT_DETAILS"
    SHORT_FORM = "SHORT_FORM"
    OVERALL_SATISFACTION = "OVERALL_SATISFACTION"
    ORDER_SUMMARY = "ORDER_SUMMARY"
    APPOINTMENT_DETAILS = "APPOINTMENT_DETAILS"
    APPOINTMENT_SCHEDULER = "APPOINTMENT_SCHEDULER"
    CONTACT_FORM = "CONTACT_FORM"


class DataMappingMode(StrEnum):
    """TODO"""

    MODE_UNSPECIFIED = "MODE_UNSPECIFIED"
    FIELD_MAPPING = "FIELD_MAPPING"
    PYTHON_SCRIPT = "PYTHON_SCRIPT"


class TextResponseConfigType(StrEnum):
    """TODO"""

    TYPE_UNSPECIFIED = "TYPE_UNSPECIFIED"
    NONE = "NONE"
    LLM_GENERATED = "LLM_GENERATED"
    STATIC = "STATIC"


class DataMapping(Message):
    """TODO"""

    MESSAGE = "WidgetTool.DataMapping"

    source_tool_name: Annotated[str | None, Reference(("tools",))] = None
    field_mappings: dict[str, str] | None = None
    python_function: PythonFunction | None = None
    mode: DataMappingMode | None = None
    python_script: Annotated[str | None, LongText("python"), Deprecated()] = None


class TextResponseConfig(Message):
    """TODO"""

    MESSAGE = "WidgetTool.TextResponseConfig"

    type: TextResponseConfigType | None = None
    static_text: str | None = None
    text_response_instruction: Annotated[str | None, LongText("markdown")] = None


class WidgetTool(Message):
    """TODO"""

    MESSAGE = "WidgetTool"

    parameters: Annotated[Schema | None, OneOf("input")] = None
    name: Annotated[str | None, Required()] = None
    description: str | None = None
    widget_type: WidgetType | None = None
    ui_config: Struct | None = None
    data_mapping: DataMapping | None = None
    text_response_config: TextResponseConfig | None = None
