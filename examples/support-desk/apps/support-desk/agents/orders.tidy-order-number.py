import re
from typing import Any, Optional


def before_tool_callback(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext
) -> Optional[dict[str, Any]]:
    """People write hp 1002-3344; the back end knows HP10023344."""
    number = input.get("order_number")
    if isinstance(number, str):
        input["order_number"] = re.sub(r"[^A-Z0-9]", "", number.upper())
    return None
