"""
The official export layout of CES, read and written: a second layout of the same tree.

Reading turns a folder or ZIP into the same values as the native layout: `sources` opens it, `discovery` finds
its resources, `titles` knows their display names, `native_nodes` puts files, references and `$env_var` in
place, and the walk of `cesplan.config` checks the result. Writing follows the style of the service byte for
byte: `shape`, `json_style`, `yaml_style`, `write`. Nothing here knows what is live.
"""
