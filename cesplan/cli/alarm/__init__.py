"""
The alarm on the command line: the options of `drift` and `drift merge` that notify others, and their results.

What is sent, to whom and when is decided in `cesplan.features.drift.alarm`.
"""
