STUCK_AFTER = 4


def should_trigger_transfer_callback(callback_context: CallbackContext) -> bool:
    """Billing gives a customer back after some turns without progress, or when a person must act."""
    variables = callback_context.variables
    stuck = int(variables.get("turns_without_progress", 0)) >= STUCK_AFTER
    return stuck or bool(variables.get("handoff_reason"))
