def lookup_order(order_id: str) -> dict:
    """Find an order.

    Args:
        order_id: What the customer has in the mail.
    """
    return {"status": "shipped", "order": order_id}
