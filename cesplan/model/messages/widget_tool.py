"""Widgets: tools that show something to the user."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Deprecated, LongText, OneOf, Reference, Required
from cesplan.model.messages.python_function import PythonFunction
from cesplan.model.messages.schema import Schema
from cesplan.model.scalars import Struct


class WidgetType(StrEnum):
    """The type of the widget. Unspecified is a custom widget."""

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
    """How results of a tool become arguments of a widget."""

    MODE_UNSPECIFIED = "MODE_UNSPECIFIED"
    FIELD_MAPPING = "FIELD_MAPPING"
    """By `fieldMappings`."""
    PYTHON_SCRIPT = "PYTHON_SCRIPT"
    """By Python code."""


class TextResponseType(StrEnum):
    """Whether text accompanies a widget."""

    TYPE_UNSPECIFIED = "TYPE_UNSPECIFIED"
    NONE = "NONE"
    """The model decides."""
    LLM_GENERATED = "LLM_GENERATED"
    """The model must generate a text."""
    STATIC = "STATIC"
    """A fixed text."""


class DataMapping(Message):
    """Fills a widget with the result of another tool."""

    MESSAGE = "WidgetTool.DataMapping"

    source_tool_name: Annotated[str | None, Reference(("tools",))] = None
    """The tool that returns the data, by key."""
    field_mappings: dict[str, str] | None = None
    """Arguments of the widget (keys) and the fields of the result that fill them (values)."""
    python_function: PythonFunction | None = None
    """Python code that converts the result to arguments."""
    mode: DataMappingMode | None = None
    """By field mappings or by Python code."""
    python_script: Annotated[str | None, LongText("python"), Deprecated("pythonFunction")] = None
    """Python code that converts the result to arguments."""


class TextResponseConfig(Message):
    """The text that accompanies a widget."""

    MESSAGE = "WidgetTool.TextResponseConfig"

    type: TextResponseType | None = None
    """How the text is determined."""
    static_text: str | None = None
    """The text, for STATIC."""
    text_response_instruction: Annotated[str | None, LongText("markdown")] = None
    """The instructions for the text, for LLM_GENERATED."""


class WidgetTool(Message):
    """A tool that shows something to the user: the client renders it and sends back the user's actions."""

    MESSAGE = "WidgetTool"

    parameters: Annotated[Schema | None, OneOf("input")] = None
    """Its arguments."""
    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees; also the display name of the tool."""
    description: str | None = None
    """When to show it, for the model."""
    widget_type: WidgetType | None = None
    """The content to show."""
    ui_config: Struct | None = None
    """The type of the widget."""
    data_mapping: DataMapping | None = None
    """Fills the widget with the result of another tool."""
    text_response_config: TextResponseConfig | None = None
    """The text that accompanies the widget."""
