"""Which keys of an app's metadata belong to cesplan, and the valid names of a tree in them."""

import re
from collections.abc import Mapping
from typing import Any

PREFIX = "cesplan-"

TREE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:@+%-]{0,255}")
"""A valid name of a tree: `tree:` in cesplan.yaml."""


def own_keys(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of an app's metadata that belong to cesplan."""
    return {key: value for key, value in metadata.items() if key.startswith(PREFIX)}


def others_keys(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of an app's metadata that belong to the tree or to others."""
    return {key: value for key, value in metadata.items() if not key.startswith(PREFIX)}
