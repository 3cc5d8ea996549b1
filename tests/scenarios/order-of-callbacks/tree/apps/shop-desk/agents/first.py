def before_model_callback(callback_context, llm_request):
    callback_context.state['seen'] = True
    return None
