"""
Comparing two states: the canonical form, the matching of files with live resources, and the fields that differ.

The rest of the engine builds on this package. Nothing here knows what will be sent.
"""
