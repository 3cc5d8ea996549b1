"""Which keys of an app's metadata belong to cesplan, and how a tree can be called in them."""

import re
from collections.abc import Mapping
from typing import Any

PREFIX = "cesplan-"

TREE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:@+%-]{0,255}")
"""What can name a tree: `tree:` in cesplan.yaml."""


def own_keys(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What of an app's metadata belongs to cesplan."""
    return {key: value for key, value in metadata.items() if key.startswith(PREFIX)}


def others_keys(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What of an app's metadata belongs to others, or to the tree."""
    return {key: value for key, value in metadata.items() if not key.startswith(PREFIX)}
