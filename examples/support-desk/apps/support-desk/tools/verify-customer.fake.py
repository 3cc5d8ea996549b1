from typing import Any, Optional

POSTAL_CODES = {"100234": "55401", "ada@example.com": "55401"}


def fake_tool_call(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext
) -> Optional[dict[str, Any]]:
    """One customer is known, by number and by address; everybody else does not match."""
    identifier = str(input.get("identifier", "")).strip().lower()
    if POSTAL_CODES.get(identifier) != str(input.get("postal_code", "")).strip():
        return {"result": "mismatch"}
    callback_context.variables["customer_verified"] = True
    callback_context.variables["customer_id"] = "100234"
    callback_context.variables["customer_name"] = "Ada"
    callback_context.variables["loyalty_tier"] = "oak"
    return {"result": "verified", "first_name": "Ada", "loyalty_tier": "oak"}
