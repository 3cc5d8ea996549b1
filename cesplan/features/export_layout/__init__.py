"""
The official export layout of CES, read and written: a second layout of the same tree.

Reading turns a folder or ZIP into the same values as the native layout: `sources` opens it, `discovery` finds
its resources, `titles` has their display names, `native_nodes` resolves files, references, and `$env_var`, and
the walk of `cesplan.config` checks the result. Writing follows the style of the service byte for byte:
`shape`, `json_style`, `yaml_style`, `write`. This package never calls the service.
"""
