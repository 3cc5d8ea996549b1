from datetime import date

RETURN_DAYS = {"none": 60, "birch": 60, "oak": 365, "pine": 365}
PICKUP_FEE = 29.0
NOT_RETURNABLE = ("MAT-", "FAB-")


def quote_refund(sku: str, quantity: int, reason: str) -> dict:
    """
    Say what the customer gets back for an item of the order at hand.

    Args:
        sku: The article number, as the order shows it.
        quantity: How many pieces come back.
        reason: One of unwanted, damaged, missing, wrong_item.

    Returns:
        `refund`, `deducted`, `days_to_refund` and `needs_colleague`; or `error`, one of no_order,
        not_in_order, not_returnable, too_late.
    """
    order = context.state.get("open_order")
    if not order:
        return {"error": "no_order"}
    item = next((entry for entry in order.get("items", []) if entry["sku"] == sku), {})
    if not item or quantity > item["quantity"]:
        return {"error": "not_in_order"}
    our_fault = reason != "unwanted"
    if not our_fault and sku.startswith(NOT_RETURNABLE):
        return {"error": "not_returnable"}
    if not our_fault and _age_in_days(order) > RETURN_DAYS[context.state.get("loyalty_tier", "none")]:
        return {"error": "too_late"}
    return _quote(item["price"] * quantity, our_fault)


def _age_in_days(order: dict) -> int:
    return (date.today() - date.fromisoformat(order["placed_on"])).days


def _quote(value: float, our_fault: bool) -> dict:
    deducted = 0.0 if our_fault or value < 200 else PICKUP_FEE
    refund = round(value - deducted, 2)
    return {
        "refund": refund,
        "deducted": deducted,
        "days_to_refund": 5,
        "needs_colleague": refund > float(context.state.get("refund_limit", 0)),
    }
