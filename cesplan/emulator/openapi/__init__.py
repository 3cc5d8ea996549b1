"""
What the emulator can say of tools without calling anyone: OpenAPI documents, parsed, and schemas.

It must not open a connection: servers of MCP and of connectors are not asked.
"""
