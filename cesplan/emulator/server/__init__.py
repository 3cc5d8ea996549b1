"""The ASGI application and its server, the control routes, `/mcp`, and who may call them."""
