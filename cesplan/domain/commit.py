"""Ids of commits."""

import re

COMMIT_ID = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
"""The full id of a commit, SHA-1 or SHA-256."""


def is_commit_id(text: str) -> bool:
    """
    Whether a text is the full id of a commit, SHA-1 or SHA-256.

    Anything shorter is a name that git looks up: a branch, `HEAD`, an expression, an option.
    """
    return COMMIT_ID.fullmatch(text) is not None
