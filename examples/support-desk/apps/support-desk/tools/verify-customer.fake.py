from typing import Any, Optional

ADA = {"id": "100234", "first_name": "Ada", "loyalty_tier": "oak", "postal_code": "55401"}
LUZ = {"id": "100777", "first_name": "Luz", "loyalty_tier": "none", "postal_code": "78701"}
CUSTOMERS = {"100234": ADA, "ada@example.com": ADA, "100777": LUZ}


def fake_tool_call(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext
) -> Optional[dict[str, Any]]:
    """Two known customers; everybody else does not match."""
    customer = CUSTOMERS.get(str(input.get("identifier", "")).strip().lower(), {})
    if customer.get("postal_code") != str(input.get("postal_code", "")).strip():
        return {"result": "mismatch"}
    variables = callback_context.variables
    variables["customer_verified"] = True
    variables["customer_id"] = customer["id"]
    variables["customer_name"] = customer["first_name"]
    variables["loyalty_tier"] = customer["loyalty_tier"]
    return {
        "result": "verified",
        "first_name": customer["first_name"],
        "loyalty_tier": customer["loyalty_tier"],
    }
