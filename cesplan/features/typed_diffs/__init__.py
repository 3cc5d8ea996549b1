"""
What a difference between two long texts means: Python by its syntax tree, OpenAPI by its operations, JSON and
YAML by their values, instructions by their sections and mentions.

Nothing here looks at files or at the service, runs what it reads, or fails: a text that cannot be read gets the
reason as its verdict. The effort is bounded by sizes and never by a clock, so equal plans have equal verdicts.
"""
