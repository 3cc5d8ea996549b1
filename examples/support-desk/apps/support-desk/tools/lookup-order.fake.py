from typing import Any, Optional

ORDERS = {
    "HP10023344": {
        "order_number": "HP10023344",
        "status": "shipped",
        "total": 149.0,
        "placed_on": "2026-11-02",
        "tracking_number": "FP884201193",
        "items": [{"sku": "LMP-0042", "title": "Tarn floor lamp", "quantity": 1, "price": 149.0}],
    },
    "HP10029871": {
        "order_number": "HP10029871",
        "status": "delivered",
        "total": 412.5,
        "placed_on": "2026-10-12",
        "items": [
            {"sku": "TBL-0107", "title": "Fell oak table", "quantity": 1, "price": 380.0},
            {"sku": "OIL-0003", "title": "Table oil", "quantity": 1, "price": 32.5},
        ],
    },
}


def fake_tool_call(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext
) -> Optional[dict[str, Any]]:
    """Two orders: a lamp on its way and a table that has arrived."""
    order = ORDERS.get(str(input.get("order_number", "")))
    return {"order": order} if order else {"error": "not_found"}
