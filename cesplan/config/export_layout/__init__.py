"""
The official export layout of CES (FACTS §6), read and written: a second layout of the same tree.

Reading turns a folder or ZIP into the same values as the native layout: `sources` opens it, `discovering`
finds its resources, `titles` knows their display names, `rewriting` puts files, references and `$env_var` in
place, and the walk of `cesplan.config` judges the result. Writing is in the style of the service itself, byte
for byte: `shaping`, `json_style`, `yaml_style`, `writing`. Nothing here knows what is live.
"""
