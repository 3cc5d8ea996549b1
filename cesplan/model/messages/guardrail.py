"""Guardrails: checks on what users and agents say, and the action when one is triggered."""

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

GuardrailList = Annotated[
    list[str] | None, Reference(("guardrails",)), Protects(Guards.GUARDRAIL, Falls.WHEN_FEWER)
]
"""The guardrails of something, by key."""


class ContentMatchType(StrEnum):
    """How banned phrases are matched."""

    MATCH_TYPE_UNSPECIFIED = "MATCH_TYPE_UNSPECIFIED"
    SIMPLE_STRING_MATCH = "SIMPLE_STRING_MATCH"
    """Anywhere, also inside words."""
    WORD_BOUNDARY_STRING_MATCH = "WORD_BOUNDARY_STRING_MATCH"
    """Only as whole words."""
    REGEXP_MATCH = "REGEXP_MATCH"
    """As regular expressions."""
    SENSITIVE_WORDS = "SENSITIVE_WORDS"
    """By a word list of the service."""


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
    """The likelihood of harm from which a response is blocked."""

    HARM_BLOCK_THRESHOLD_UNSPECIFIED = "HARM_BLOCK_THRESHOLD_UNSPECIFIED"
    BLOCK_LOW_AND_ABOVE = "BLOCK_LOW_AND_ABOVE"
    """The strictest."""
    BLOCK_MEDIUM_AND_ABOVE = "BLOCK_MEDIUM_AND_ABOVE"
    BLOCK_ONLY_HIGH = "BLOCK_ONLY_HIGH"
    """The laxest level that blocks."""
    BLOCK_NONE = "BLOCK_NONE"
    """Nothing is blocked."""
    OFF = "OFF"
    """The filter is off."""


class ContentFilter(Message):
    """Bans phrases."""

    MESSAGE = "Guardrail.ContentFilter"

    banned_contents: Annotated[list[str] | None, AsSet(), Protects(Guards.SAFETY, Falls.WHEN_FEWER)] = None
    """Phrases that neither side may use. Order does not matter."""
    banned_contents_in_user_input: Annotated[
        list[str] | None, AsSet(), Protects(Guards.SAFETY, Falls.WHEN_FEWER)
    ] = None
    """Phrases that users may not use. Order does not matter."""
    banned_contents_in_agent_response: Annotated[
        list[str] | None, AsSet(), Protects(Guards.SAFETY, Falls.WHEN_FEWER)
    ] = None
    """Phrases that agents may not use. Order does not matter."""
    match_type: Annotated[ContentMatchType | None, Required()] = None
    """How phrases are matched."""
    disregard_diacritics: bool | None = None
    """If true, accents are ignored: é equals e."""
    sensitive_words_exemptions: Annotated[
        list[str] | None, AsSet(), Protects(Guards.SAFETY, Falls.WHEN_MORE)
    ] = None
    """Words of the service's list that are allowed. Order does not matter."""


class DefaultSecuritySettings(Message):
    """The built-in check of the service; it has nothing to configure."""

    MESSAGE = "Guardrail.LlmPromptSecurity.DefaultSecuritySettings"

    default_prompt_template: Annotated[Opaque, OutputOnly()] = None
    """Its prompt, for information."""


class LlmPolicy(Message):
    """A rule in natural language, judged by a model."""

    MESSAGE = "Guardrail.LlmPolicy"

    max_conversation_messages: Int32 | None = None
    """The number of recent messages that the judge sees; 10 if absent."""
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
    """Whether it checks input, responses, or both."""
    fail_open: Annotated[bool | None, Protects(Guards.SAFETY, Falls.WHEN_TRUE)] = None
    """If true, content passes if the check fails with an error."""
    allow_short_utterance: Annotated[bool | None, Protects(Guards.SAFETY, Falls.WHEN_FALSE)] = None
    """If true, very short input is checked too."""


class LlmPromptSecurity(Message):
    """Detects prompt injection. At most one method."""

    MESSAGE = "Guardrail.LlmPromptSecurity"

    default_settings: Annotated[DefaultSecuritySettings | None, OneOf("security_config")] = None
    """`{}` uses the built-in check of the service."""
    custom_policy: Annotated[LlmPolicy | None, OneOf("security_config")] = None
    """A custom policy."""
    fail_open: Annotated[bool | None, Protects(Guards.SAFETY, Falls.WHEN_TRUE)] = None
    """
    If true, content passes if the check fails with an error. Ignored for a custom policy, which has its own
    setting.
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
    """The likelihood from which it is blocked."""


class ModelSafety(Message):
    """The model's own safety filter."""

    MESSAGE = "Guardrail.ModelSafety"

    safety_settings: Annotated[list[SafetySetting] | None, Required(), KeyedBy(("category",))] = None
    """The thresholds, one for each kind of harm. Order does not matter."""


class CodeCallback(Message):
    """A custom check in Python. Each callback returns `decision` (`OK` or `TRIGGER`) and `reason`."""

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
    """A predefined response."""

    MESSAGE = "TriggerAction.Response"

    text: Annotated[str | None, Required()] = None
    """What the agent says."""
    disabled: bool | None = None
    """If true, it is not used."""


class RespondImmediately(Message):
    """Responds with a predefined text."""

    MESSAGE = "TriggerAction.RespondImmediately"

    responses: Annotated[list[CannedResponse] | None, Required(), AsSet()] = None
    """The texts. One is chosen at random, so a text that is listed twice is chosen more often."""


class TransferAgent(Message):
    """Transfers the conversation."""

    MESSAGE = "TriggerAction.TransferAgent"

    agent: Annotated[str | None, Required(), Reference(("agents",))] = None
    """The agent of this app to transfer to, by key."""


class GenerativeAnswer(Message):
    """Responds with a generated text."""

    MESSAGE = "TriggerAction.GenerativeAnswer"

    prompt: Annotated[str | None, Required(), LongText("markdown")] = None
    """The prompt. Documented as required, but missing in real guardrails."""


class TriggerAction(Message):
    """The action when a guardrail is triggered; exactly one kind."""

    MESSAGE = "TriggerAction"

    respond_immediately: Annotated[RespondImmediately | None, OneOf("action")] = None
    """A predefined response."""
    transfer_agent: Annotated[TransferAgent | None, OneOf("action")] = None
    """A transfer to another agent."""
    generative_answer: Annotated[GenerativeAnswer | None, OneOf("action")] = None
    """A generated response."""


class DetectionMode(StrEnum):
    """Whether a response waits for the check."""

    DETECTION_MODE_UNSPECIFIED = "DETECTION_MODE_UNSPECIFIED"
    NON_BLOCKING = "NON_BLOCKING"
    BLOCKING = "BLOCKING"


class SupervisorType(StrEnum):
    """What a supervisor checks."""

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
    """A check by the service of what agents say and do."""

    MESSAGE = "GuardrailSupervisor"

    detection_mode: Annotated[
        DetectionMode | None, Protects(Guards.SAFETY, Falls.WHEN_LAXER, ("BLOCKING", "NON_BLOCKING"))
    ] = None
    """Whether a response waits for it."""
    type: SupervisorType | None = None
    """What it checks."""


class Guardrail(Resource):
    """A check. It is active for each app or agent that lists it."""

    MESSAGE = "Guardrail"

    content_filter: Annotated[ContentFilter | None, OneOf("guardrail_type")] = None
    """Bans phrases."""
    llm_prompt_security: Annotated[LlmPromptSecurity | None, OneOf("guardrail_type")] = None
    """Detects prompt injection."""
    llm_policy: Annotated[LlmPolicy | None, OneOf("guardrail_type")] = None
    """A rule in natural language."""
    model_safety: Annotated[ModelSafety | None, OneOf("guardrail_type")] = None
    """The model's own safety filter."""
    code_callback: Annotated[CodeCallback | None, OneOf("guardrail_type")] = None
    """A check in Python."""
    supervisor: Annotated[Supervisor | None, OneOf("guardrail_type")] = None
    """A check of what agents say and do."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The display name."""
    description: str | None = None
    """What it guards against."""
    enabled: Annotated[bool | None, Protects(Guards.GUARDRAIL, Falls.WHEN_FALSE)] = None
    """If true, it is active."""
    action: TriggerAction | None = None
    """The action when it is triggered."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
