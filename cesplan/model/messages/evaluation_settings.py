"""Defaults for an app's evaluations, and the personas that play its users."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import LongText, OwnName, Required
from cesplan.model.messages.enums import EvaluationToolCallBehaviour, GoldenRunMethod, ScenarioExecutionMode
from cesplan.model.messages.evaluation_metrics import EvaluationMetricsConfig
from cesplan.model.scalars import Double


class ScenarioConversationInitiator(StrEnum):
    """Who speaks first in a scenario; unspecified is USER."""

    SCENARIO_CONVERSATION_INITIATOR_UNSPECIFIED = "SCENARIO_CONVERSATION_INITIATOR_UNSPECIFIED"
    USER = "USER"
    AGENT = "AGENT"


class BackgroundEnvironment(StrEnum):
    """Background noise of a simulated user."""

    __numbers__ = (0, 3, 4, 5, 6)

    BACKGROUND_ENVIRONMENT_UNSPECIFIED = "BACKGROUND_ENVIRONMENT_UNSPECIFIED"
    CALL_CENTER = "CALL_CENTER"
    TRAFFIC = "TRAFFIC"
    KIDS_NOISE = "KIDS_NOISE"
    CAFE = "CAFE"


class EvaluationRunCachingMode(StrEnum):
    """Whether results may be reused; unspecified is FORCE_RUN."""

    EVALUATION_RUN_CACHING_MODE_UNSPECIFIED = "EVALUATION_RUN_CACHING_MODE_UNSPECIFIED"
    FORCE_RUN = "FORCE_RUN"
    """Every run is played in full."""
    SKIP_IF_UNCHANGED = "SKIP_IF_UNCHANGED"
    """Results are copied if nothing that they depend on has changed."""


class PersonaSpeechConfig(Message):
    """How a persona sounds."""

    MESSAGE = "EvaluationPersona.SpeechConfig"

    speaking_rate: Double | None = None
    """Speed; 1.0 is normal, 0.8 slow, 1.5 fast."""
    environment: BackgroundEnvironment | None = None
    """Background noise."""
    voice_id: str | None = None
    """Its voice, such as `en-GB-Standard-A`."""


class EvaluationPersona(Message):
    """A simulated user."""

    MESSAGE = "EvaluationPersona"

    name: Annotated[str | None, Required(), OwnName("evaluationPersonas")] = None
    """Its key; scheduled runs refer to it as `persona`."""
    description: str | None = None
    """Its purpose."""
    display_name: Annotated[str | None, Required()] = None
    """The display name; unique in the app."""
    personality: Annotated[str | None, Required(), LongText("markdown")] = None
    """A description of its behavior."""
    speech_config: PersonaSpeechConfig | None = None
    """How it sounds."""


class EvaluationRunCachingSettings(Message):
    """Reuse of earlier results."""

    MESSAGE = "EvaluationRunCachingSettings"

    run_caching_mode: EvaluationRunCachingMode | None = None
    """Whether results may be reused."""


class EvaluationSettings(Message):
    """Defaults of an app's evaluations."""

    MESSAGE = "EvaluationSettings"

    scenario_conversation_initiator: ScenarioConversationInitiator | None = None
    """Who speaks first in a scenario."""
    golden_run_method: GoldenRunMethod | None = None
    """How golden conversations are replayed by default."""
    golden_evaluation_tool_call_behaviour: EvaluationToolCallBehaviour | None = None
    """Real tools or fakes in golden conversations."""
    scenario_evaluation_tool_call_behaviour: EvaluationToolCallBehaviour | None = None
    """Real tools or fakes in scenarios."""
    metrics_config: EvaluationMetricsConfig | None = None
    """Which metrics are computed."""
    scenario_execution_mode: ScenarioExecutionMode | None = None
    """Quality or speed."""
    evaluation_run_caching_settings: EvaluationRunCachingSettings | None = None
    """Reuse of earlier results."""
