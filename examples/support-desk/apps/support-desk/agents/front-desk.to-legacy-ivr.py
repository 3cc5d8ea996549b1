def should_trigger_transfer_callback(callback_context: CallbackContext) -> bool:
    """Callers who chose a store in the phone menu go back to the menu that knows the extensions."""
    variables = callback_context.variables
    by_phone = variables.get("contact_channel") == "phone"
    wants_store = variables.get("entry_intent") == "store_phone"
    return by_phone and wants_store and not variables.get("ivr_finished")
