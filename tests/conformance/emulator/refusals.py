"""How the methods that the emulator lacks are called through Google's client."""

from collections.abc import Callable
from typing import Any

from tests.conformance.emulator.conftest import Google

REFUSED: dict[str, Callable[[Google], Any]] = {
    "GenerateChatToken": lambda g: g.widgets.generate_chat_token(
        request={"name": f"{g.app}/sessions/s1", "deployment": f"{g.app}/deployments/d1"}
    ),
    "GenerateAppResource": lambda g: g.agents.generate_app_resource(request={"parent": g.app}),
    "GenerateEvaluation": lambda g: g.evaluations.generate_evaluation(
        request={"conversation": f"{g.app}/conversations/c1"}
    ),
    "RunEvaluationResultMetrics": lambda g: g.evaluations.run_evaluation_result_metrics(
        request={"evaluation_result_id": f"{g.app}/evaluations/e1/results/r1"}
    ),
    "TestPersonaVoice": lambda g: g.evaluations.test_persona_voice(
        request={"app": g.app, "persona_id": "p", "text": "hi"}
    ),
    "UploadEvaluationAudio": lambda g: g.evaluations.upload_evaluation_audio(
        request={"name": f"{g.app}/evaluations/e1", "audio_content": b"\0"}
    ),
}
