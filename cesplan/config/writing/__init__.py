"""
Desired state to files, in the style in which people would write them.

`shaping` decides what a file says and in which order, `texts` what goes into files of its own, `scalars` and
`emitting` how YAML is spelled, `saving` puts files on disk. Law: loading what is written gives what went in.
Nothing here knows what is live, and no hand-written file is edited: that is `cesplan.config.editing`.
"""
