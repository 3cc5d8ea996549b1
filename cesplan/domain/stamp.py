"""The keys of the stamp in an app's metadata (DESIGN §9): all begin alike, and belong to us."""

PREFIX = "cesplan-"

OF_COMMIT = frozenset({f"{PREFIX}commit", f"{PREFIX}dirty"})
"""
Which commit was applied.

What is planned before a merge and what is planned after it are the same where all but this is the same.
"""
