"""What `cesplan.yaml` decides for one environment, as the stages need it."""

from dataclasses import dataclass
from enum import StrEnum

from cesplan.domain.resource_name import Place


class MaskDepth(StrEnum):
    """How deep the paths of an updateMask may go; what the live service accepts is not established."""

    NESTED = "nested"
    TOP = "top"


class Ownership(StrEnum):
    """What an absent field means: its default (full), or somebody else's business (declared)."""

    FULL = "full"
    DECLARED = "declared"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """
    One environment of a project.

    `protect` holds address patterns, as in Choice; `tree` is what stamps call the tree, empty for its default.
    """

    place: Place
    environment: str = ""
    api_version: str = "v1beta"
    endpoint: str = ""
    prune: bool = True
    adopt: bool = False
    stamp: bool = True
    mask_depth: MaskDepth = MaskDepth.NESTED
    verify_before_write: bool = True
    protect: tuple[str, ...] = ()
    tree: str = ""
