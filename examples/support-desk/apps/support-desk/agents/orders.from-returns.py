def should_trigger_transfer_callback(callback_context: CallbackContext) -> bool:
    """A return is settled and an order is still on its way: the customer comes back to it."""
    variables = callback_context.variables
    order = variables.get("open_order") or {}
    return not variables.get("return_in_progress") and order.get("status") == "shipped"
