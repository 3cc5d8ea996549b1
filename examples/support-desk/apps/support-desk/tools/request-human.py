REASONS = (
    "customer_asked",
    "no_progress",
    "order_not_found",
    "refund_above_limit",
    "suspected_fraud",
    "verification_failed",
)


def request_human(reason: str) -> dict:
    """
    Ask for a person to take over. The care team gets the conversation at the next turn.

    Args:
        reason: One of customer_asked, no_progress, order_not_found, refund_above_limit,
            suspected_fraud, verification_failed.

    Returns:
        The reason as it was recorded.
    """
    context.state["handoff_reason"] = reason if reason in REASONS else "customer_asked"
    return {"recorded": context.state["handoff_reason"]}
