"""Channels: how an app behaves on the web, on the phone, in messengers, and in contact centers."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, AtMost, Choices, Falls, Form, Guards, OutputOnly, Protects, Required
from cesplan.model.scalars import Opaque


class ChannelType(StrEnum):
    """Where the conversation takes place."""

    __numbers__ = (0, 2, 3, 4, 5, 6, 11, 7, 8, 9, 10)

    UNKNOWN = "UNKNOWN"
    """Unspecified."""
    WEB_UI = "WEB_UI"
    API = "API"
    TWILIO = "TWILIO"
    GOOGLE_TELEPHONY_PLATFORM = "GOOGLE_TELEPHONY_PLATFORM"
    CONTACT_CENTER_AS_A_SERVICE = "CONTACT_CENTER_AS_A_SERVICE"
    """Google's contact center, voice."""
    CONTACT_CENTER_AS_A_SERVICE_CHAT = "CONTACT_CENTER_AS_A_SERVICE_CHAT"
    """Google's contact center, chat."""
    FIVE9 = "FIVE9"
    CONTACT_CENTER_INTEGRATION = "CONTACT_CENTER_INTEGRATION"
    """Another vendor's contact center."""
    WHATSAPP = "WHATSAPP"
    INSTAGRAM = "INSTAGRAM"


class ChannelPersona(StrEnum):
    """How much the agent says."""

    UNKNOWN = "UNKNOWN"
    """Unspecified."""
    CONCISE = "CONCISE"
    """Short and to the point."""
    CHATTY = "CHATTY"
    """With context, reasons and details."""


class WebWidgetModality(StrEnum):
    """The input of the web widget."""

    MODALITY_UNSPECIFIED = "MODALITY_UNSPECIFIED"
    CHAT_AND_VOICE = "CHAT_AND_VOICE"
    VOICE_ONLY = "VOICE_ONLY"
    CHAT_ONLY = "CHAT_ONLY"
    CHAT_VOICE_AND_VIDEO = "CHAT_VOICE_AND_VIDEO"


class WebWidgetTheme(StrEnum):
    """The theme of the web widget."""

    THEME_UNSPECIFIED = "THEME_UNSPECIFIED"
    LIGHT = "LIGHT"
    DARK = "DARK"


class PersonaProperty(Message):
    """The persona of a channel."""

    MESSAGE = "ChannelProfile.PersonaProperty"

    persona: ChannelPersona | None = None
    """How much the agent says."""


class WebWidgetSecurity(Message):
    """Who may load and use the web widget."""

    MESSAGE = "ChannelProfile.WebWidgetConfig.SecuritySettings"

    enable_public_access: Annotated[bool | None, Protects(Guards.AUTHENTICATION, Falls.WHEN_TRUE)] = None
    """If true, anyone may use it. If false, your page must provide credentials."""
    enable_origin_check: Annotated[bool | None, Protects(Guards.ORIGINS, Falls.WHEN_FALSE)] = None
    """If true, only the page's own origin and the allowed origins may load it."""
    allowed_origins: Annotated[
        list[str] | None,
        AsSet(),
        AtMost(100),
        Form(r"https?://[^/?#\s]+", "an origin: scheme, host, and port without a path"),
        Protects(Guards.ORIGINS, Falls.WHEN_MORE, (), "all origins"),
    ] = None
    """The origins that may load it, at most 100; all if empty. Order does not matter."""
    enable_recaptcha: Annotated[bool | None, Protects(Guards.AUTHENTICATION, Falls.WHEN_FALSE)] = None
    """If true, a reCAPTCHA is required."""


class WebWidgetConfig(Message):
    """The web widget."""

    MESSAGE = "ChannelProfile.WebWidgetConfig"

    modality: WebWidgetModality | None = None
    """Text, voice, video."""
    theme: WebWidgetTheme | None = None
    """Light or dark."""
    web_widget_title: str | None = None
    """The title at the top."""
    security_settings: WebWidgetSecurity | None = None
    """Who may load and use it."""


class WhatsAppConfig(Message):
    """A WhatsApp number."""

    MESSAGE = "ChannelProfile.WhatsAppConfig"

    waba_id: Annotated[str | None, Required()] = None
    """The id of the WhatsApp Business account."""
    phone_number_id: Annotated[str | None, Required()] = None
    """Meta's id of the number."""
    phone_number: Annotated[str | None, Form(r"\+[1-9][0-9]{1,14}", "an E.164 number such as +14155550100")] = (
        None
    )
    """The number in E.164 format, such as `+14155550100`."""
    display_name: Annotated[Opaque, OutputOnly()] = None
    """The name of the business page."""
    thumbnail_url: Annotated[Opaque, OutputOnly()] = None
    """The picture of the business page."""
    description: Annotated[Opaque, OutputOnly()] = None
    """The text of the business page."""


class InstagramConfig(Message):
    """An Instagram account."""

    MESSAGE = "ChannelProfile.InstagramConfig"

    instagram_account_id: Annotated[str | None, Required()] = None
    """The id of the account."""
    display_name: Annotated[Opaque, OutputOnly()] = None
    """The name of the business page."""
    thumbnail_url: Annotated[Opaque, OutputOnly()] = None
    """The picture of the business page."""
    description: Annotated[Opaque, OutputOnly()] = None
    """The text of the business page."""


class ChannelProfile(Message):
    """How an app behaves on one channel."""

    MESSAGE = "ChannelProfile"

    profile_id: str | None = None
    """A name for this profile."""
    channel_type: ChannelType | None = None
    """The channel."""
    persona_property: PersonaProperty | None = None
    """How much the agent says on this channel."""
    disable_dtmf: bool | None = None
    """If true, the keys of a phone (DTMF) are ignored."""
    disable_barge_in_control: bool | None = None
    """If true, users cannot interrupt the agent. If false, the agent decides when they can."""
    web_widget_config: WebWidgetConfig | None = None
    """The web widget, for WEB_UI."""
    noise_suppression_level: Annotated[str | None, Choices(("low", "moderate", "high", "very_high"))] = None
    """How strongly background noise is filtered: `low`, `moderate`, `high`, or `very_high`."""
    whatsapp_config: WhatsAppConfig | None = None
    """The number, for WHATSAPP."""
    instagram_config: InstagramConfig | None = None
    """The account, for INSTAGRAM."""
