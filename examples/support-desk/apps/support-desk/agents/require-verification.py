from typing import Any, Optional

# Ends of names: the service may put the name of a toolset before that of its operation.
PRIVATE = (
    "lookup_order",
    "quote_refund",
    "start_return",
    "create_crm_case",
    "loyalty_points",
    "listCharges",
    "getInvoice",
    "refundCharge",
)


def before_tool_callback(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext
) -> Optional[dict[str, Any]]:
    """Refuse tools that show or change personal data until the customer is verified."""
    if not tool.name.endswith(PRIVATE) or callback_context.variables.get("customer_verified"):
        return None
    return {"error": "not_verified", "hint": "Verify the customer first, then call this tool again."}
