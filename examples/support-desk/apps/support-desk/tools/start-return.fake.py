from typing import Any, Optional


def fake_tool_call(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext
) -> Optional[dict[str, Any]]:
    """Every return succeeds and gets a number that can be told from the order."""
    number = "RT" + str(input.get("order_number", ""))[2:]
    return {"return_number": number, "label_url": f"https://labels.hearthandpine.example/{number}.pdf"}
