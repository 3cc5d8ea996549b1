REFUNDING = "refundCharge"  # the service may put the name of the toolset before it


def after_model_callback(callback_context: CallbackContext, llm_response: LlmResponse) -> dict:
    """Compare every refund that the model wants to make with the limit of the session."""
    limit = float(callback_context.variables.get("refund_limit", 0))
    for part in llm_response.content.parts:
        call = part.function_call
        if call and call.name.endswith(REFUNDING) and float(call.args.get("amount", 0)) > limit:
            callback_context.variables["handoff_reason"] = "refund_above_limit"
            return {"decision": "TRIGGER", "reason": f"A refund of more than {limit} dollars."}
    return {"decision": "OK", "reason": "No refund above the limit."}
