"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.callback import Callback
from cesplan.model.marks import (
    AsSet,
    Etag,
    Identifier,
    KeyedBy,
    LongText,
    OneOf,
    OutputOnly,
    Reference,
    Required,
)
from cesplan.model.model_settings import ModelSettings
from cesplan.model.scalars import Int32, Opaque


class MatchType(StrEnum):
    """TODO"""

    MATCH_TYPE_UNSPECIFIED = "MATCH_TYPE_UNSPECIFIED"
    SIMPLE_STRING_MATCH = "SIMPLE_STRING_MATCH"
    WORD_BOUNDARY_STRING_MATCH = "WORD_BOUNDARY_STRING_MATCH"
    REGEXP_MATCH = "REGEXP_MATCH"


class PolicyScope(StrEnum):
    """TODO"""

    POLICY_SCOPE_UNSPECIFIED = "POLICY_SCOPE_UNSPECIFIED"
    USER_QUERY = "USER_QUERY"
    AGENT_RESPONSE = "AGENT_RESPONSE"
    USER_QUERY_AND_AGENT_RESPONSE = "USER_QUERY_AND_AGENT_RESPONSE"


class HarmCategory(StrEnum):
    """TODO"""

    HARM_CATEGORY_UNSPECIFIED = "HARM_CATEGORY_UNSPECIFIED"
    HARM_CATEGORY_HATE_SPEECH = "HARM_CATEGORY_HATE_SPEECH"
    HARM_CATEGORY_DANGEROUS_CONTENT = "HARM_CATEGORY_DANGEROUS_CONTENT"
    HARM_CATEGORY_HARASSMENT = "HARM_CATEGORY_HARASSMENT"
    HARM_CATEGORY_SEXUALLY_EXPLICIT = "HARM_CATEGORY_SEXUALLY_EXPLICIT"


class HarmBlockThreshold(StrEnum):
    """TODO"""

    HARM_BLOCK_THRESHOLD_UNSPECIFIED = "HARM_BLOCK_THRESHOLD_UNSPECIFIED"
    BLOCK_LOW_AND_ABOVE = "BLOCK_LOW_AND_ABOVE"
    BLOCK_MEDIUM_AND_ABOVE = "BLOCK_MEDIUM_AND_ABOVE"
    BLOCK_ONLY_HIGH = "BLOCK_ONLY_HIGH"
    BLOCK_NONE = "BLOCK_NONE"
    OFF = "OFF"


class ContentFilter(Message):
    """TODO"""

    MESSAGE = "Guardrail.ContentFilter"

    banned_contents: Annotated[list[str] | None, AsSet()] = None
    banned_contents_in_user_input: Annotated[list[str] | None, AsSet()] = None
    banned_contents_in_agent_response: Annotated[list[str] | None, AsSet()] = None
    match_type: Annotated[MatchType | None, Required()] = None
    disregard_diacritics: bool | None = None


class DefaultSecuritySettings(Message):
    """TODO"""

    MESSAGE = "Guardrail.LlmPromptSecurity.DefaultSecuritySettings"

    default_prompt_template: Annotated[Opaque, OutputOnly()] = None


class LlmPolicy(Message):
    """TODO"""

    MESSAGE = "Guardrail.LlmPolicy"

    max_conversation_messages: Int32 | None = None
    model_settings: ModelSettings | None = None
    prompt: Annotated[str | None, Required(), LongText("markdown")] = None
    policy_scope: Annotated[PolicyScope | None, Required()] = None
    fail_open: bool | None = None
    allow_short_utterance: bool | None = None


class LlmPromptSecurity(Message):
    """TODO"""

    MESSAGE = "Guardrail.LlmPromptSecurity"

    default_settings: Annotated[DefaultSecuritySettings | None, OneOf("security_config")] = None
    custom_policy: Annotated[LlmPolicy | None, OneOf("security_config")] = None
    fail_open: bool | None = None


class SafetySetting(Message):
    """TODO"""

    MESSAGE = "Guardrail.ModelSafety.SafetySetting"

    category: Annotated[HarmCategory | None, Required()] = None
    threshold: Annotated[HarmBlockThreshold | None, Required()] = None


class ModelSafety(Message):
    """TODO"""

    MESSAGE = "Guardrail.ModelSafety"

    safety_settings: Annotated[list[SafetySetting] | None, Required(), KeyedBy(("category",))] = None


class CodeCallback(Message):
    """TODO"""

    MESSAGE = "Guardrail.CodeCallback"

    before_agent_callback: Callback | None = None
    after_agent_callback: Callback | None = None
    before_model_callback: Callback | None = None
    after_model_callback: Callback | None = None


class Response(Message):
    """TODO"""

    MESSAGE = "TriggerAction.Response"

    text: Annotated[str | None, Required()] = None
    disabled: bool | None = None


class RespondImmediately(Message):
    """TODO"""

    MESSAGE = "TriggerAction.RespondImmediately"

    responses: Annotated[list[Response] | None, Required(), AsSet()] = None


class TransferAgent(Message):
    """TODO"""

    MESSAGE = "TriggerAction.TransferAgent"

    agent: Annotated[str | None, Required(), Reference(("agents",))] = None


class GenerativeAnswer(Message):
    """TODO"""

    MESSAGE = "TriggerAction.GenerativeAnswer"

    prompt: Annotated[str | None, Required(refused=False), LongText("markdown")] = None


class TriggerAction(Message):
    """TODO"""

    MESSAGE = "TriggerAction"

    respond_immediately: Annotated[RespondImmediately | None, OneOf("action")] = None
    transfer_agent: Annotated[TransferAgent | None, OneOf("action")] = None
    generative_answer: Annotated[GenerativeAnswer | None, OneOf("action")] = None


class Guardrail(Resource):
    """TODO"""

    MESSAGE = "Guardrail"

    content_filter: Annotated[ContentFilter | None, OneOf("guardrail_type")] = None
    llm_prompt_security: Annotated[LlmPromptSecurity | None, OneOf("guardrail_type")] = None
    llm_policy: Annotated[LlmPolicy | None, OneOf("guardrail_type")] = None
    model_safety: Annotated[ModelSafety | None, OneOf("guardrail_type")] = None
    code_callback: Annotated[CodeCallback | None, OneOf("guardrail_type")] = None
    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[str | None, Required()] = None
    description: str | None = None
    enabled: bool | None = None
    action: TriggerAction | None = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
