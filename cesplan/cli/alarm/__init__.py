"""
The alarm on the command line: the options of `drift` and `drift merge` that notify others, and their results.

`cesplan.features.drift.alarm` decides what is sent, to whom, and when.
"""
