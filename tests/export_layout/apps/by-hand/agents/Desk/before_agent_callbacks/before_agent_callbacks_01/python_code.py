def before_agent_callback(callback_context):
    return None
