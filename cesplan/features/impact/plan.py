"""The reach of each operation of a plan, and of the resources of one state."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from cesplan.domain.address import Address, AppKey
from cesplan.domain.features.impact import MOST_LISTED, Impact, Served, Serving
from cesplan.domain.plan import Action, Operation, Plan, Reason
from cesplan.engine.comparing.snapshot import makes_version
from cesplan.features.impact.reaching import AppGraph, Refers, apps_of, takes_part
from cesplan.model.kinds import DEPLOYMENTS, EVALUATIONS, VERSIONS, kinds_in
from cesplan.model.system_tools import DRAFT


def with_impact(plan: Plan) -> Plan:
    """The plan with what each of its operations reaches; a plan without changes costs nothing."""
    if not any(map(_is_in_conversations, plan.shown)):
        return plan
    before, after = apps_of(plan.refers_before), apps_of(plan.refers_after)
    apps = {
        app: _App(
            app,
            before.get(app, {}),
            after.get(app, {}),
            _versions(app, plan),
            api_version=plan.settings.api_version,
        )
        for app in {item.address.app for item in plan.shown}
    }
    return replace(
        plan,
        operations=tuple(
            replace(
                item,
                impact=apps[item.address.app].impact(item.address, is_before=item.action is Action.DELETE),
            )
            if _is_in_conversations(item)
            else item
            for item in plan.operations
        ),
    )


def impacts_in(
    app: AppKey, refers: Refers, addresses: Iterable[Address], *, api_version: str
) -> dict[Address, Impact]:
    """What resources of an app reach, in the state with these references."""
    state = _App(app, refers, refers, frozenset(), api_version=api_version)
    return {
        item: state.impact(item, is_before=False) for item in addresses if takes_part(item) and item in refers
    }


def _versions(app: AppKey, plan: Plan) -> frozenset[Address]:
    """The versions that a plan creates."""
    return frozenset(item.address for item in plan.shown if makes_version(item) and item.address.app == app)


def _is_in_conversations(operation: Operation) -> bool:
    """True for resources that conversations run through, except stamps."""
    return takes_part(operation.address) and operation.reason is not Reason.STAMP


class _App:
    """One app in both states."""

    def __init__(
        self, app: AppKey, before: Refers, after: Refers, made: frozenset[Address], *, api_version: str
    ) -> None:
        self._before, self._after = AppGraph(app, before), AppGraph(app, after)
        self._refers = after
        self._made = made
        self._knows_evaluations = EVALUATIONS in kinds_in(api_version)

    def impact(self, address: Address, *, is_before: bool) -> Impact:
        graph = self._before if is_before else self._after
        agents, agent_count = graph.agents_to(address)
        evaluations, evaluation_count = graph.evaluations_of(address) if self._knows_evaluations else (None, 0)
        return Impact(
            is_root=address == graph.root,
            is_reached=graph.is_reached(address),
            way=graph.way_to(address),
            agents=agents,
            agent_count=agent_count,
            app_agents=graph.agent_count,
            deployments=self._serving,
            evaluations=evaluations,
            evaluation_count=evaluation_count,
            app_evaluations=graph.evaluation_count if self._knows_evaluations else 0,
        )

    @cached_property
    def _serving(self) -> tuple[Serving, ...]:
        """The deployments of the app after the plan: the same for all of its operations."""
        return tuple(_servings(self._refers, self._made))[:MOST_LISTED]


def _servings(refers: Refers, made: frozenset[Address]) -> Iterator[Serving]:
    for address in sorted(item for item in refers if item.kind == DEPLOYMENTS):
        versions = sorted(item for item in refers[address] if item.kind == VERSIONS)
        if any(item.key == DRAFT for item in versions):
            served = Served.AT_ONCE
        else:
            served = Served.IN_THIS_PLAN if made.intersection(versions) else Served.NO
        yield Serving(deployment=address, versions=tuple(str(item.key) for item in versions), served=served)
