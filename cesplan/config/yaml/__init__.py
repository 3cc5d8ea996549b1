"""
YAML 1.2 to nodes that know their positions.

libyaml parses a text into events. Here they become nodes, scalars are resolved by the core schema of YAML 1.2
(`no` and `on` are strings), and everything that is not allowed in a configuration is reported with its
position. This package must not know the meaning of a file: no kinds, no directives, no files.
"""
