"""
Versions in a plan: which version file only repeats the newest version, and which version has unverified
contents.

Both questions need snapshots, which are large; they are read only where the question arises. Nothing here makes
an operation.
"""
