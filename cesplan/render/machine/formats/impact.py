"""What a change reaches, for machines."""

from typing import Self

from cesplan.domain.features.impact import Impact, Served, Serving
from cesplan.render.machine.formats.base import AddressText, Format


class ServingJson(Format):
    """A deployment of the app, after the plan."""

    deployment: AddressText
    """The deployment."""
    versions: tuple[str, ...]
    """The keys of the versions that it serves; `-` is the draft."""
    served: Served
    """
    When it serves the change: `at_once` (it serves the draft), `in_this_plan` (it serves a version that this
    plan makes), or `no` (it serves versions that exist already).
    """

    @classmethod
    def of(cls, item: Serving) -> Self:
        return cls(deployment=item.deployment, versions=item.versions, served=item.served)

    def value(self) -> Serving:
        return Serving(deployment=self.deployment, versions=self.versions, served=self.served)


class ImpactJson(Format):
    """What a change reaches: of a delete as it is before the plan, else as it will be after the plan."""

    is_root: bool
    """Whether this is the agent with which conversations begin."""
    is_reached: bool
    """Whether references lead to it from the root agent or from the app."""
    way: tuple[AddressText, ...]
    """The shortest way from the root agent, at most its last 20 resources; empty if the app itself names it."""
    agents: tuple[AddressText, ...]
    """The agents from which references lead to it, the nearest first, at most 100."""
    agent_count: int
    """How many there are."""
    app_agents: int
    """How many agents the app has."""
    deployments: tuple[ServingJson, ...]
    """The deployments of the app, at most 100."""
    evaluations: tuple[AddressText, ...] | None
    """
    The evaluations that run through it, the nearest first, at most 100; null where the API version has none.
    Of a tool those that expect it to be called, of an agent those that expect a transfer to it, of the root
    agent all.
    """
    evaluation_count: int
    """How many there are."""
    app_evaluations: int
    """How many evaluations the app has."""

    @classmethod
    def of(cls, impact: Impact | None) -> Self | None:
        if impact is None:
            return None
        return cls(
            is_root=impact.is_root,
            is_reached=impact.is_reached,
            way=impact.way,
            agents=impact.agents,
            agent_count=impact.agent_count,
            app_agents=impact.app_agents,
            deployments=tuple(map(ServingJson.of, impact.deployments)),
            evaluations=impact.evaluations,
            evaluation_count=impact.evaluation_count,
            app_evaluations=impact.app_evaluations,
        )

    def value(self) -> Impact:
        return Impact(
            is_root=self.is_root,
            is_reached=self.is_reached,
            way=self.way,
            agents=self.agents,
            agent_count=self.agent_count,
            app_agents=self.app_agents,
            deployments=tuple(item.value() for item in self.deployments),
            evaluations=self.evaluations,
            evaluation_count=self.evaluation_count,
            app_evaluations=self.app_evaluations,
        )
