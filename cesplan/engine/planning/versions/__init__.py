"""
Versions in a plan: which version file only repeats the newest version, and which version nobody vouches for.

Both questions need snapshots, which are large; they are read only where the question arises. Nothing here makes
an operation.
"""
