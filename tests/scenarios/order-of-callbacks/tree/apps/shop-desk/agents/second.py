def before_model_callback(callback_context, llm_request):
    return None
