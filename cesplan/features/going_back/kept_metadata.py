"""
The metadata of an app after its draft was restored.

A version contains the metadata from when it was created, and restoring it brings back the stamp of that time:
the next plan would assume that the draft was applied then. So metadata that the tree does not own stays as it
was. The restored draft then counts as a live edit: no apply without a prompt reverts it.
"""

from collections.abc import Collection, Mapping
from typing import Any

from cesplan.domain.app_metadata.lease import LEASE
from cesplan.domain.app_metadata.names import PREFIX

Metadata = Mapping[str, Any]


def kept_metadata(
    before: Metadata, now: Metadata, owned: Collection[str], lease: Mapping[str, str]
) -> dict[str, Any]:
    """The metadata to write: the tree's own keys as they are `now`, all others as they were `before`."""
    restored = {key: value for key, value in now.items() if key in owned}
    others = {key: value for key, value in before.items() if key not in owned and key != LEASE}
    return {**others, **restored, **lease}


def stamp_keys(metadata: Metadata) -> dict[str, Any]:
    """The metadata keys that cesplan writes, except the lease."""
    return {key: value for key, value in metadata.items() if key.startswith(PREFIX) and key != LEASE}
