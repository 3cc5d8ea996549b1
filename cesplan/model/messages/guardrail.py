"""Guardrails: checks on what users and agents say, and what happens when one strikes."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import (
    AsSet,
    Etag,
    Falls,
    Guards,
    Identifier,
    KeyedBy,
    LongText,
    OneOf,
    OutputOnly,
    Protects,
    Reference,
    Required,
)
from cesplan.model.messages.callback import Callback
from cesplan.model.messages.model_settings import ModelSettings
from cesplan.model.scalars import Int32, Opaque


class ContentMatchType(StrEnum):
    """How banned phrases are found."""

    MATCH_TYPE_UNSPECIFIED = "MATCH_TYPE_UNSPECIFIED"
    SIMPLE_STRING_MATCH = "SIMPLE_STRING_MATCH"
    """Anywhere, also inside words."""
    WORD_BOUNDARY_STRING_MATCH = "WORD_BOUNDARY_STRING_MATCH"
    """Only as whole words."""
    REGEXP_MATCH = "REGEXP_MATCH"
    """As regular expressions."""
    SENSITIVE_WORDS = "SENSITIVE_WORDS"
    """By a list of the service."""


class PolicyScope(StrEnum):
    """The input of a policy; unspecified is the user's input. Checking responses delays them."""

    POLICY_SCOPE_UNSPECIFIED = "POLICY_SCOPE_UNSPECIFIED"
    USER_QUERY = "USER_QUERY"
    AGENT_RESPONSE = "AGENT_RESPONSE"
    USER_QUERY_AND_AGENT_RESPONSE = "USER_QUERY_AND_AGENT_RESPONSE"


class HarmCategory(StrEnum):
    """A kind of harm."""

    HARM_CATEGORY_UNSPECIFIED = "HARM_CATEGORY_UNSPECIFIED"
    HARM_CATEGORY_HATE_SPEECH = "HARM_CATEGORY_HATE_SPEECH"
    HARM_CATEGORY_DANGEROUS_CONTENT = "HARM_CATEGORY_DANGEROUS_CONTENT"
    HARM_CATEGORY_HARASSMENT = "HARM_CATEGORY_HARASSMENT"
    HARM_CATEGORY_SEXUALLY_EXPLICIT = "HARM_CATEGORY_SEXUALLY_EXPLICIT"
    HARM_CATEGORY_PROFANITY = "HARM_CATEGORY_PROFANITY"
    HARM_CATEGORY_TOXIC = "HARM_CATEGORY_TOXIC"


class HarmBlockThreshold(StrEnum):
    """From which likelihood of harm on an answer is blocked."""

    HARM_BLOCK_THRESHOLD_UNSPECIFIED = "HARM_BLOCK_THRESHOLD_UNSPECIFIED"
    BLOCK_LOW_AND_ABOVE = "BLOCK_LOW_AND_ABOVE"
    """The strictest."""
    BLOCK_MEDIUM_AND_ABOVE = "BLOCK_MEDIUM_AND_ABOVE"
    BLOCK_ONLY_HIGH = "BLOCK_ONLY_HIGH"
    """The laxest that blocks."""
    BLOCK_NONE = "BLOCK_NONE"
    """Nothing is blocked."""
    OFF = "OFF"
    """The filter is off."""


class ContentFilter(Message):
    """Bans phrases."""

    MESSAGE = "Guardrail.ContentFilter"

    banned_contents: Annotated[list[str] | None, AsSet(), Protects(Guards.SAFETY, Falls.WHEN_FEWER)] = None
    """Phrases that neither side may use. Order means nothing."""
    banned_contents_in_user_input: Annotated[
        list[str] | None, AsSet(), Protects(Guards.SAFETY, Falls.WHEN_FEWER)
    ] = None
    """Phrases that users may not use. Order means nothing."""
    banned_contents_in_agent_response: Annotated[
        list[str] | None, AsSet(), Protects(Guards.SAFETY, Falls.WHEN_FEWER)
    ] = None
    """Phrases that agents may not use. Order means nothing."""
    match_type: Annotated[ContentMatchType | None, Required()] = None
    """How they are found."""
    disregard_diacritics: bool | None = None
    """True: é equals e."""
    sensitive_words_exemptions: Annotated[
        list[str] | None, AsSet(), Protects(Guards.SAFETY, Falls.WHEN_MORE)
    ] = None
    """Words of the service's list that are allowed. Order means nothing."""


class DefaultSecuritySettings(Message):
    """The check that comes with the service; there is nothing to set."""

    MESSAGE = "Guardrail.LlmPromptSecurity.DefaultSecuritySettings"

    default_prompt_template: Annotated[Opaque, OutputOnly()] = None
    """Its prompt, to read."""


class LlmPolicy(Message):
    """A rule in words, judged by a model."""

    MESSAGE = "Guardrail.LlmPolicy"

    max_conversation_messages: Int32 | None = None
    """How many of the last messages the judge sees; 10 when absent."""
    model_settings: ModelSettings | None = None
    """The judge."""
    prompt: Annotated[str | None, Required(), LongText("markdown")] = None
    """The rule."""
    policy_scope: Annotated[
        PolicyScope | None,
        Required(),
        Protects(
            Guards.SAFETY,
            Falls.WHEN_LAXER,
            ("USER_QUERY_AND_AGENT_RESPONSE", "USER_QUERY", "AGENT_RESPONSE"),
            "USER_QUERY",
        ),
    ] = None
    """Whether it looks at input, answers or both."""
    fail_open: Annotated[bool | None, Protects(Guards.SAFETY, Falls.WHEN_TRUE)] = None
    """True lets pass what could not be judged for an error."""
    allow_short_utterance: Annotated[bool | None, Protects(Guards.SAFETY, Falls.WHEN_FALSE)] = None
    """True judges very short input too, which is skipped otherwise."""


class LlmPromptSecurity(Message):
    """Detects attempts to trick the model. One way at most."""

    MESSAGE = "Guardrail.LlmPromptSecurity"

    default_settings: Annotated[DefaultSecuritySettings | None, OneOf("security_config")] = None
    """`{}` takes the check that comes with the service."""
    custom_policy: Annotated[LlmPolicy | None, OneOf("security_config")] = None
    """A policy of your own."""
    fail_open: Annotated[bool | None, Protects(Guards.SAFETY, Falls.WHEN_TRUE)] = None
    """
    True lets pass what could not be judged for an error; ignored with a policy of your own, which has its
    own.
    """


class SafetySetting(Message):
    """The threshold for one kind of harm."""

    MESSAGE = "Guardrail.ModelSafety.SafetySetting"

    category: Annotated[HarmCategory | None, Required()] = None
    """The kind of harm."""
    threshold: Annotated[
        HarmBlockThreshold | None,
        Required(),
        Protects(
            Guards.SAFETY,
            Falls.WHEN_LAXER,
            ("BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH", "BLOCK_NONE", "OFF"),
        ),
    ] = None
    """From which likelihood on it is blocked."""


class ModelSafety(Message):
    """The model's own safety filter."""

    MESSAGE = "Guardrail.ModelSafety"

    safety_settings: Annotated[list[SafetySetting] | None, Required(), KeyedBy(("category",))] = None
    """Thresholds, once for each kind of harm. Order means nothing."""


class CodeCallback(Message):
    """A check of your own in Python. Each callback returns `decision` (`OK` or `TRIGGER`) and `reason`."""

    MESSAGE = "Guardrail.CodeCallback"

    before_agent_callback: Callback | None = None
    """Before the agent."""
    after_agent_callback: Callback | None = None
    """After the agent."""
    before_model_callback: Callback | None = None
    """Before each call of the model."""
    after_model_callback: Callback | None = None
    """After each call of the model."""


class CannedResponse(Message):
    """A prepared answer."""

    MESSAGE = "TriggerAction.Response"

    text: Annotated[str | None, Required()] = None
    """What the agent says."""
    disabled: bool | None = None
    """True leaves it out."""


class RespondImmediately(Message):
    """Answers with a prepared text."""

    MESSAGE = "TriggerAction.RespondImmediately"

    responses: Annotated[list[CannedResponse] | None, Required(), AsSet()] = None
    """The texts; one is drawn at random, so one that is listed twice is drawn more often."""


class TransferAgent(Message):
    """Hands the conversation over."""

    MESSAGE = "TriggerAction.TransferAgent"

    agent: Annotated[str | None, Required(), Reference(("agents",))] = None
    """The agent of this app that takes it, by key."""


class GenerativeAnswer(Message):
    """Answers with a text that a model makes."""

    MESSAGE = "TriggerAction.GenerativeAnswer"

    prompt: Annotated[str | None, Required(), LongText("markdown")] = None
    """The prompt. Documented as required, but missing in real guardrails."""


class TriggerAction(Message):
    """What happens when a guardrail strikes; one kind."""

    MESSAGE = "TriggerAction"

    respond_immediately: Annotated[RespondImmediately | None, OneOf("action")] = None
    """A prepared answer."""
    transfer_agent: Annotated[TransferAgent | None, OneOf("action")] = None
    """Another agent."""
    generative_answer: Annotated[GenerativeAnswer | None, OneOf("action")] = None
    """An answer that a model makes."""


class DetectionMode(StrEnum):
    """Whether an answer waits for the check."""

    DETECTION_MODE_UNSPECIFIED = "DETECTION_MODE_UNSPECIFIED"
    NON_BLOCKING = "NON_BLOCKING"
    BLOCKING = "BLOCKING"


class SupervisorType(StrEnum):
    """What a supervisor looks for."""

    TYPE_UNSPECIFIED = "TYPE_UNSPECIFIED"
    INVALID_TEXT = "INVALID_TEXT"
    LANGUAGE_SHIFT = "LANGUAGE_SHIFT"
    SPEAKER_SHIFT = "SPEAKER_SHIFT"
    AUDIO_MISMATCH = "AUDIO_MISMATCH"
    MISSING_TOOL_CALL = "MISSING_TOOL_CALL"
    CUSTOM = "CUSTOM"
    CHOPPY_AUDIO = "CHOPPY_AUDIO"
    PROFANITY = "PROFANITY"


class Supervisor(Message):
    """A check of what agents say and do, made by the service."""

    MESSAGE = "GuardrailSupervisor"

    detection_mode: Annotated[
        DetectionMode | None, Protects(Guards.SAFETY, Falls.WHEN_LAXER, ("BLOCKING", "NON_BLOCKING"))
    ] = None
    """Whether an answer waits for it."""
    type: SupervisorType | None = None
    """What it looks for."""


class Guardrail(Resource):
    """A check. It acts where an app or an agent names it."""

    MESSAGE = "Guardrail"

    content_filter: Annotated[ContentFilter | None, OneOf("guardrail_type")] = None
    """Bans phrases."""
    llm_prompt_security: Annotated[LlmPromptSecurity | None, OneOf("guardrail_type")] = None
    """Detects attempts to trick the model."""
    llm_policy: Annotated[LlmPolicy | None, OneOf("guardrail_type")] = None
    """A rule in words."""
    model_safety: Annotated[ModelSafety | None, OneOf("guardrail_type")] = None
    """The model's own safety filter."""
    code_callback: Annotated[CodeCallback | None, OneOf("guardrail_type")] = None
    """A check in Python."""
    supervisor: Annotated[Supervisor | None, OneOf("guardrail_type")] = None
    """A check of what agents say and do."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name; it follows from where the file is, and is never written there."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The name that people see."""
    description: str | None = None
    """What it guards against."""
    enabled: Annotated[bool | None, Protects(Guards.GUARDRAIL, Falls.WHEN_FALSE)] = None
    """True makes it act."""
    action: TriggerAction | None = None
    """What happens when it strikes."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last changed."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write; kept by cesplan, never written in a file."""
