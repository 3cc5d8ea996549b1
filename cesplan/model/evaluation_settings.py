"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.enums import EvaluationToolCallBehaviour, GoldenRunMethod, ScenarioExecutionMode
from cesplan.model.evaluation_metrics import EvaluationMetricsConfig
from cesplan.model.marks import OwnName, Required
from cesplan.model.scalars import Double


class ScenarioConversationInitiator(StrEnum):
    """TODO"""

    SCENARIO_CONVERSATION_INITIATOR_UNSPECIFIED = "SCENARIO_CONVERSATION_INITIATOR_UNSPECIFIED"
    USER = "USER"
    AGENT = "AGENT"


class BackgroundEnvironment(StrEnum):
    """TODO"""

    __numbers__ = (0, 3, 4, 5, 6)

    BACKGROUND_ENVIRONMENT_UNSPECIFIED = "BACKGROUND_ENVIRONMENT_UNSPECIFIED"
    CALL_CENTER = "CALL_CENTER"
    TRAFFIC = "TRAFFIC"
    KIDS_NOISE = "KIDS_NOISE"
    CAFE = "CAFE"


class EvaluationRunCachingMode(StrEnum):
    """TODO"""

    EVALUATION_RUN_CACHING_MODE_UNSPECIFIED = "EVALUATION_RUN_CACHING_MODE_UNSPECIFIED"
    FORCE_RUN = "FORCE_RUN"
    SKIP_IF_UNCHANGED = "SKIP_IF_UNCHANGED"


class SpeechConfig(Message):
    """TODO"""

    MESSAGE = "EvaluationPersona.SpeechConfig"

    speaking_rate: Double | None = None
    environment: BackgroundEnvironment | None = None
    voice_id: str | None = None


class EvaluationPersona(Message):
    """TODO"""

    MESSAGE = "EvaluationPersona"

    name: Annotated[str | None, Required(), OwnName("evaluationPersonas")] = None
    description: str | None = None
    display_name: Annotated[str | None, Required()] = None
    personality: Annotated[str | None, Required()] = None
    speech_config: SpeechConfig | None = None


class EvaluationRunCachingSettings(Message):
    """TODO"""

    MESSAGE = "EvaluationRunCachingSettings"

    run_caching_mode: EvaluationRunCachingMode | None = None


class EvaluationSettings(Message):
    """TODO"""

    MESSAGE = "EvaluationSettings"

    scenario_conversation_initiator: ScenarioConversationInitiator | None = None
    golden_run_method: GoldenRunMethod | None = None
    golden_evaluation_tool_call_behaviour: EvaluationToolCallBehaviour | None = None
    scenario_evaluation_tool_call_behaviour: EvaluationToolCallBehaviour | None = None
    metrics_config: EvaluationMetricsConfig | None = None
    scenario_execution_mode: ScenarioExecutionMode | None = None
    evaluation_run_caching_settings: EvaluationRunCachingSettings | None = None
