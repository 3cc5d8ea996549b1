"""What `cesplan.yaml` decides for one environment, as the stages need it."""

from dataclasses import dataclass
from enum import StrEnum

from cesplan.domain.endpoint import canonical_endpoint, endpoint_of
from cesplan.domain.resource_name import Place

API_VERSIONS = ("v1", "v1beta")


class MaskDepth(StrEnum):
    """How deep the paths of an updateMask may go; what the live service accepts is not established."""

    NESTED = "nested"
    TOP = "top"


class Ownership(StrEnum):
    """What an absent field means: its default (full), or someone else's business (declared)."""

    FULL = "full"
    DECLARED = "declared"


class LiveEdits(StrEnum):
    """What an apply does about live edits that it would revert: `liveEdits:` of cesplan.yaml."""

    REFUSE = "refuse"
    REVERT = "revert"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """
    One environment of a project.

    `protect` holds address patterns, as in Choice; `tree` is what stamps call the tree, empty for its default;
    `lease` says whether applies exclude each other.
    `endpoint` is empty for the default, `regional`, or a URL in its canonical spelling; `emulated` says that an
    emulator answers in its place.
    """

    place: Place
    environment: str = ""
    api_version: str = "v1beta"
    endpoint: str = ""
    emulated: bool = False
    prune: bool = True
    adopt: bool = False
    stamp: bool = True
    mask_depth: MaskDepth = MaskDepth.NESTED
    verify_before_write: bool = True
    protect: tuple[str, ...] = ()
    tree: str = ""
    lease: bool = False
    live_edits: LiveEdits = LiveEdits.REFUSE
    """Whether an unattended apply may revert live edits."""

    @property
    def problem(self) -> str:
        """Why no request may be made with these settings, in a few words; empty if they are usable."""
        if self.api_version not in API_VERSIONS:
            return f"`{self.api_version}` is not a version of the API"
        try:
            canonical_endpoint(self.endpoint)
        except ValueError as error:
            return f"`{self.endpoint}` is not a usable endpoint: {error}"
        return self.place.problem

    @property
    def where(self) -> str:
        """For headings: which service answers, where that is not the default one; else empty."""
        if self.emulated:
            return "EMULATOR"
        if self.endpoint:
            try:
                return str(endpoint_of(self.endpoint, self.place.location))
            except ValueError:
                return self.endpoint
        return ""
