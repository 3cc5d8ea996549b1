from typing import Any, Optional


def after_tool_callback(
    tool: Tool,
    input: dict[str, Any],
    callback_context: CallbackContext,
    tool_response: dict[str, Any],
) -> Optional[dict[str, Any]]:
    """Keep a found order in the session and note that the conversation moved on."""
    variables = callback_context.variables
    if "error" not in tool_response:
        variables["turns_without_progress"] = 0
        if tool.name == "lookup_order":
            variables["open_order"] = tool_response.get("order")
    return None
