"""
YAML 1.2 into nodes that know where they are.

libyaml splits a text into events; here they become nodes, scalars are resolved by the core schema of YAML 1.2
(`no` and `on` are texts), and everything that has no place in a configuration is a problem with a position.
It must not know what a file means: no kinds, no directives, no files.
"""
