from typing import Optional

FAREWELL = "Thank you for calling on Hearth & Pine. Goodbye!"


def after_model_callback(
    callback_context: CallbackContext, llm_response: LlmResponse
) -> Optional[LlmResponse]:
    """A session never ends in silence: put a goodbye before an end_session that has no text."""
    parts = list(llm_response.content.parts)
    ends = any(part.has_function_call("end_session") for part in parts)
    speaks = any((part.text_or_transcript() or "").strip() for part in parts)
    if not ends or speaks:
        return None
    return LlmResponse.from_parts(parts=[Part.from_text(text=FAREWELL), *parts])
