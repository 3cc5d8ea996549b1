"""
Desired state to files, in the style that people would use.

`shaping` decides the content and order of a file, `texts` which texts get separate files, `scalars` and
`emitting` the YAML syntax, and `saving` writes files to disk. Invariant: loading the written files gives the
same desired state. Nothing here knows live state, and no hand-written file is edited; `cesplan.config.editing`
does that.
"""
