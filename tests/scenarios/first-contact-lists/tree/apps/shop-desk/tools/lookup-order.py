def lookup_order(order: str) -> dict:
    """Find an order."""
    return {"order": order}
