"""
Files to desired state, and back.

Reads `cesplan.yaml` and the resource files, follows the `$` directives, expands variables, resolves every
reference, and reports all errors of a tree at once, each with its place. It must not know the server: no
request is made here, and nothing here depends on what is live.
"""
