def after_tool_callback(tool, tool_input, callback_context, tool_response):
    return None
