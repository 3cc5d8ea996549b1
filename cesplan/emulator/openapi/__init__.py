"""
What the emulator knows about tools without any calls: parsed OpenAPI documents, and schemas.

It must not open connections: MCP servers and connectors are not contacted.
"""
