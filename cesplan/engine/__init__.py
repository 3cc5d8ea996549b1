"""
The heart: normalizing, matching, diffing, ordering, planning, guarding, applying.

Each stage is a function from values to values; only applying has effects, through a port of a few methods.
The engine must not read files, know HTTP or print, and it must not know a kind by name: what is special
about a kind is data in `cesplan.model`.
"""
