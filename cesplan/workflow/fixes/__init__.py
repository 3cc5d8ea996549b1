"""
Repairs of a tree: found on a copy of it, and written as one edit of each file.

The checks decide what can be repaired; nothing here talks to the service.
"""
