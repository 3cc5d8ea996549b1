def before_agent_callback(callback_context: CallbackContext) -> dict:
    """Without a limit nothing may be refunded: a session that lost it goes to a colleague."""
    limit = callback_context.variables.get("refund_limit")
    if isinstance(limit, (int, float)) and limit >= 0:
        return {"decision": "OK", "reason": "The limit is set."}
    return {"decision": "TRIGGER", "reason": "The session has no refund limit."}
