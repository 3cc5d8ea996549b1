import re
from typing import Optional

QUESTION = re.compile(r"\bare you (?:a |an )?(?:ro)?bot\b|\bare you (?:a )?(?:real|human)\b", re.IGNORECASE)
ANSWER = (
    "I am an automated assistant of Hearth & Pine. I can help right away, "
    "or bring you to a colleague. Which do you prefer?"
)


def before_model_callback(
    callback_context: CallbackContext, llm_request: LlmRequest
) -> Optional[LlmResponse]:
    """Answer the one question that must always get the same answer."""
    if not llm_request.contents:
        return None
    last = llm_request.contents[-1]
    said = " ".join(part.text_or_transcript() or "" for part in last.parts)
    if last.role == "user" and QUESTION.search(said):
        return LlmResponse.from_parts(parts=[Part.from_text(text=ANSWER)])
    return None
