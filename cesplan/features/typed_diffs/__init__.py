"""
What a difference between two long texts means: Python by its syntax tree, OpenAPI by its operations, JSON and
YAML by their values, instructions by their sections and mentions.

Nothing here reads files, calls the service, runs the texts, or fails: the verdict on an unreadable text is the
reason. The work is bounded by sizes and never by a clock, so equal plans have equal verdicts.
"""
