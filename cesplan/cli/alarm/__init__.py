"""
The alarm on the command line: the options of `drift` and `drift merge` that tell others, and what they come to.

What is told, to whom and when is decided in `cesplan.features.drift.alarm`.
"""
