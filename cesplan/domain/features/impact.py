"""
What a change reaches: agents, conversations, deployments and evaluations, found in the graph of references.
"""

from enum import StrEnum

from cesplan.domain.address import Address
from cesplan.domain.frozen import dataclass

MOST_LISTED = 100
"""
Resources in one list of an impact, so that the impact of a thousand changes stays small. Numbers are exact.
"""
LONGEST_WAY = 20
"""Resources of one way that are kept; of a longer one the last."""


class Served(StrEnum):
    """When a deployment serves a change."""

    AT_ONCE = "at_once"
    """It serves the draft of the app."""
    IN_THIS_PLAN = "in_this_plan"
    """It serves a version that this plan makes."""
    NO = "no"
    """It serves versions that exist already: a version is a copy, and no change reaches it."""


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
    What one operation reaches: of a create and an update as everything will be after the plan, of a delete as
    it is before.
    """

    is_root: bool = False
    """True for the agent with which conversations begin."""
    is_reached: bool = False
    """True if references lead to it from the root agent or from the app."""
    way: tuple[Address, ...] = ()
    """
    The shortest way from the root agent to it, both included, at most LONGEST_WAY; empty if the app names it by
    itself or nothing leads to it.
    """
    agents: tuple[Address, ...] = ()
    """The agents from which references lead to it, the nearest first, at most MOST_LISTED."""
    agent_count: int = 0
    """How many there are."""
    app_agents: int = 0
    """How many agents the app has."""
    deployments: tuple[Serving, ...] = ()
    """The deployments of the app, at most MOST_LISTED; empty for what takes no part in conversations."""
    evaluations: tuple[Address, ...] | None = ()
    """
    The evaluations that run through it, the nearest first, at most MOST_LISTED; None if this cannot be known:
    the API version has no evaluations, or it is a kind that evaluations cannot name.
    """
    evaluation_count: int = 0
    """How many there are."""
    app_evaluations: int = 0
    """How many evaluations the app has."""

    @property
    def is_uncovered(self) -> bool:
        """True if the app has evaluations and none of them runs through this."""
        return self.evaluations is not None and not self.evaluations and self.app_evaluations > 0
