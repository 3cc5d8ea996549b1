def lookup(query: str):
    """Find."""
    return {}
