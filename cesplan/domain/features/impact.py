"""
What a change reaches: agents, conversations, deployments, and evaluations, found in the graph of references.
"""

from enum import StrEnum

from cesplan.domain.address import Address
from cesplan.domain.frozen import dataclass

MOST_LISTED = 100
"""
The most resources in one list of an impact, so that the impact of a thousand changes stays small. Counts are
exact.
"""
LONGEST_WAY = 20
"""The most resources kept of one path; of a longer path the last ones."""


class Served(StrEnum):
    """When a deployment serves a change."""

    AT_ONCE = "at_once"
    """It serves the draft of the app."""
    IN_THIS_PLAN = "in_this_plan"
    """It serves a version that this plan makes."""
    NO = "no"
    """It serves existing versions: a version is a copy, so no change reaches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """A deployment of the app after the plan."""

    deployment: Address
    """The deployment."""
    versions: tuple[str, ...]
    """The keys of the versions that it serves; `-` is the draft."""
    served: Served
    """When it serves the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """
    What one operation reaches: for a create or update in the state after the plan, for a delete in the state
    before.
    """

    is_root: bool = False
    """True for the agent that begins conversations."""
    is_reached: bool = False
    """True if the root agent or the app refers to it, directly or through other resources."""
    way: tuple[Address, ...] = ()
    """
    The shortest path from the root agent to it, both included, at most LONGEST_WAY resources. Empty if the app
    refers to it directly or nothing does.
    """
    agents: tuple[Address, ...] = ()
    """The agents that refer to it, directly or not, the nearest first, at most MOST_LISTED."""
    agent_count: int = 0
    """How many there are."""
    app_agents: int = 0
    """The number of agents in the app."""
    deployments: tuple[Serving, ...] = ()
    """The deployments of the app, at most MOST_LISTED; empty for what takes no part in conversations."""
    evaluations: tuple[Address, ...] | None = ()
    """
    The evaluations that run through it, the nearest first, at most MOST_LISTED. None if unknown: the API
    version has no evaluations, or evaluations cannot refer to its kind.
    """
    evaluation_count: int = 0
    """How many there are."""
    app_evaluations: int = 0
    """The number of evaluations in the app."""

    @property
    def is_uncovered(self) -> bool:
        """True if the app has evaluations, but none runs through it."""
        return self.evaluations is not None and not self.evaluations and self.app_evaluations > 0
