from typing import Any, Optional


def after_tool_callback(
    tool: Tool,
    input: dict[str, Any],
    callback_context: CallbackContext,
    tool_response: dict[str, Any],
) -> Optional[dict[str, Any]]:
    """A quote opens a return, a label closes it."""
    variables = callback_context.variables
    if "error" in tool_response:
        return None
    if tool.name == "quote_refund":
        variables["return_in_progress"] = True
    elif tool.name == "start_return":
        variables["return_in_progress"] = False
        variables["turns_without_progress"] = 0
    return None
