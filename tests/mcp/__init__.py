"""`cesplan mcp`, judged by the client of the SDK."""
