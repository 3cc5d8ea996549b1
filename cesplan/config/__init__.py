"""
Files to desired state, and back.

This package reads `cesplan.yaml` and the resource files, follows the `$` directives, expands variables,
resolves all references, and reports all errors of a tree at once, each with its place. It must not know the
server: it sends no requests, and nothing here depends on live state.
"""
