"""
Repairs of a tree: found on a copy of it, and written as one edit of each file.

What may be repaired is decided by the checks; nothing here talks to the service.
"""
