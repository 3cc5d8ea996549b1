from typing import Optional

GIVE_UP_AFTER = 6


def after_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    """Count turns since a tool last did something, and ask for a person when there are too many."""
    variables = callback_context.variables
    turns = int(variables.get("turns_without_progress", 0)) + 1
    variables["turns_without_progress"] = turns
    if turns >= GIVE_UP_AFTER and not variables.get("handoff_reason"):
        variables["handoff_reason"] = "no_progress"
    return None
