"""A reviewed plan, compared with the current live state: it is still valid, or it is stale."""
