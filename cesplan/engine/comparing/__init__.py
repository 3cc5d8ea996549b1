"""
Two states of a resource: one canonical form, which file means which live resource, and the fields that differ.

Everything else in the engine builds on it. Nothing here knows what will be sent.
"""
