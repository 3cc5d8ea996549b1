"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, OutputOnly, Required
from cesplan.model.scalars import Opaque


class ChannelType(StrEnum):
    """TODO"""

    __numbers__ = (0, 2, 3, 4, 5, 6, 11, 7, 8, 9, 10)

    UNKNOWN = "UNKNOWN"
    WEB_UI = "WEB_UI"
    API = "API"
    TWILIO = "TWILIO"
    GOOGLE_TELEPHONY_PLATFORM = "GOOGLE_TELEPHONY_PLATFORM"
    CONTACT_CENTER_AS_A_SERVICE = "CONTACT_CENTER_AS_A_SERVICE"
    CONTACT_CENTER_AS_A_SERVICE_CHAT = "CONTACT_CENTER_AS_A_SERVICE_CHAT"
    FIVE9 = "FIVE9"
    CONTACT_CENTER_INTEGRATION = "CONTACT_CENTER_INTEGRATION"
    WHATSAPP = "WHATSAPP"
    INSTAGRAM = "INSTAGRAM"


class Persona(StrEnum):
    """TODO"""

    UNKNOWN = "UNKNOWN"
    CONCISE = "CONCISE"
    CHATTY = "CHATTY"


class WebWidgetConfigModality(StrEnum):
    """TODO"""

    MODALITY_UNSPECIFIED = "MODALITY_UNSPECIFIED"
    CHAT_AND_VOICE = "CHAT_AND_VOICE"
    VOICE_ONLY = "VOICE_ONLY"
    CHAT_ONLY = "CHAT_ONLY"
    CHAT_VOICE_AND_VIDEO = "CHAT_VOICE_AND_VIDEO"


class WebWidgetConfigTheme(StrEnum):
    """TODO"""

    THEME_UNSPECIFIED = "THEME_UNSPECIFIED"
    LIGHT = "LIGHT"
    DARK = "DARK"


class PersonaProperty(Message):
    """TODO"""

    MESSAGE = "ChannelProfile.PersonaProperty"

    persona: Persona | None = None


class WebWidgetConfigSecuritySettings(Message):
    """TODO"""

    MESSAGE = "ChannelProfile.WebWidgetConfig.SecuritySettings"

    enable_public_access: bool | None = None
    enable_origin_check: bool | None = None
    allowed_origins: Annotated[list[str] | None, AsSet()] = None
    enable_recaptcha: bool | None = None


class WebWidgetConfig(Message):
    """TODO"""

    MESSAGE = "ChannelProfile.WebWidgetConfig"

    modality: WebWidgetConfigModality | None = None
    theme: WebWidgetConfigTheme | None = None
    web_widget_title: str | None = None
    security_settings: WebWidgetConfigSecuritySettings | None = None


class WhatsAppConfig(Message):
    """TODO"""

    MESSAGE = "ChannelProfile.WhatsAppConfig"

    waba_id: Annotated[str | None, Required()] = None
    phone_number_id: Annotated[str | None, Required()] = None
    phone_number: str | None = None
    display_name: Annotated[Opaque, OutputOnly()] = None
    thumbnail_url: Annotated[Opaque, OutputOnly()] = None
    description: Annotated[Opaque, OutputOnly()] = None


class InstagramConfig(Message):
    """TODO"""

    MESSAGE = "ChannelProfile.InstagramConfig"

    instagram_account_id: Annotated[str | None, Required()] = None
    display_name: Annotated[Opaque, OutputOnly()] = None
    thumbnail_url: Annotated[Opaque, OutputOnly()] = None
    description: Annotated[Opaque, OutputOnly()] = None


class ChannelProfile(Message):
    """TODO"""

    MESSAGE = "ChannelProfile"

    profile_id: str | None = None
    channel_type: ChannelType | None = None
    persona_property: PersonaProperty | None = None
    disable_dtmf: bool | None = None
    disable_barge_in_control: bool | None = None
    web_widget_config: WebWidgetConfig | None = None
    noise_suppression_level: str | None = None
    whatsapp_config: WhatsAppConfig | None = None
    instagram_config: InstagramConfig | None = None
