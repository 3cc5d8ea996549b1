import re
from typing import Optional

COMMA_AMOUNT = re.compile(r"(\$\d+),(\d{2})\b")


def after_model_callback(
    callback_context: CallbackContext, llm_response: LlmResponse
) -> Optional[LlmResponse]:
    """Turn $12,50 into $12.50."""
    parts = list(llm_response.content.parts)
    if not any(COMMA_AMOUNT.search(part.text or "") for part in parts):
        return None
    return LlmResponse.from_parts(parts=[_with_points(part) for part in parts])


def _with_points(part: Part) -> Part:
    if not part.text:
        return part
    return Part.from_text(text=COMMA_AMOUNT.sub(r"\1.\2", part.text))
