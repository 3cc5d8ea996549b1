"""
Versions in a plan: version files that only repeat the newest version, and versions with unverified contents.

Both questions need snapshots, which are large, so they are read only if necessary. Nothing here creates
operations.
"""
