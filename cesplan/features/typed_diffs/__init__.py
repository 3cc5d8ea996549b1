"""
The meaning of a difference between two long texts: Python by its syntax tree, OpenAPI by its operations, JSON
and YAML by their values, instructions by their sections and mentions.

Nothing here reads files, calls the service, runs the texts, or fails: an unreadable text gets its reason as the
verdict. The work is bounded by sizes and never by a clock, so equal plans have equal verdicts.
"""
