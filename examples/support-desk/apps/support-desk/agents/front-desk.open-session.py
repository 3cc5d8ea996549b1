import uuid
from typing import Optional


def before_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    """Give the session a trace identifier, once, so that back-end logs can be joined to it."""
    variables = callback_context.variables
    if not variables.get("trace_id"):
        variables["trace_id"] = uuid.uuid4().hex
    if not variables.get("contact_channel"):
        variables["contact_channel"] = "web"
    return None
