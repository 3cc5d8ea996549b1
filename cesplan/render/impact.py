"""
The impact of operations as text: the path to them, their evaluations, and the deployments that serve them.
"""

from collections.abc import Iterator, Sequence

from cesplan.domain.address import Address
from cesplan.domain.features.impact import LONGEST_WAY, Impact, Served, Serving
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.domain.text.words import count, listed
from cesplan.model.kinds import AGENTS, RUNNING_KINDS

_MOST_NAMED = 3
_LONGEST_SHOWN = 4
"""The most agents of a path that are named; the middle of a longer path is left out."""


def impact_of(operation: Operation) -> str:
    """
    The impact as one line; empty if the rest of the report already says it. For a new resource, the line says
    only that no conversation reaches it, because everything else about it is new, too.
    """
    impact = operation.impact
    if operation.action is Action.CREATE:
        return "no conversation reaches it" if impact is not None and not impact.is_reached else ""
    parts = [_users(operation)]
    if impact is not None:
        parts += [_reach(operation.address, impact), _coverage(impact)]
    return "; ".join(filter(None, parts))


def reach_of(address: Address, impact: Impact) -> str:
    """The impact of a resource and its evaluations; empty if there is nothing to say."""
    return "; ".join(filter(None, (_reach(address, impact), _coverage(impact))))


def serving_of(plan: Plan) -> tuple[str, ...]:
    """
    The deployments that serve the changes and those that do not, one line for each app and case. A new app has
    no line, because it serves no one yet.
    """
    new = {item.address.app for item in plan.shown if item.address.is_app and item.action is Action.CREATE}
    by_app = {
        item.address.app: item.impact.deployments
        for item in plan.shown
        if item.impact is not None and item.address.app not in new
    }
    return tuple(
        f"{app}: {text}" if len(by_app) > 1 else text
        for app, deployments in by_app.items()
        for text in _served(deployments)
    )


def _served(deployments: Sequence[Serving]) -> Iterator[str]:
    for served in Served:
        found = [item for item in deployments if item.served is served]
        names = _some([str(item.deployment.key) for item in found], "other")
        verb = "serves" if len(found) == 1 else "serve"
        versions = sorted({name for item in found for name in item.versions})
        match served:
            case _ if not found:
                continue
            case Served.AT_ONCE:
                yield f"{names} {verb} the draft, so the changes take effect at once"
            case Served.IN_THIS_PLAN:
                yield f"{names} {verb} a version of this plan, which holds the changes"
            case Served.NO:
                what = f"version {_some(versions, 'other')}" if versions else "no version"
                yield f"{names} {verb} {what}, without the changes"


def _users(operation: Operation) -> str:
    """`used by agents/orders and agents/billing`, naming only the first of many; always given for a delete."""
    used_by = operation.used_by
    if operation.action is not Action.DELETE:
        impact = operation.impact
        if impact is None or operation.address.kind == AGENTS or not impact.way:
            return ""  # its reach says more
        used_by = tuple(item for item in used_by if item.kind in RUNNING_KINDS)
    names = [item.in_words for item in used_by]
    return f"used by {_some(names, 'other') or 'nothing'}"


def way_of(impact: Impact) -> str:
    """`front-desk → orders → returns-desk`; empty if no agent leads to the resource."""
    names = [_name(item) for item in impact.way]
    if len(names) > _LONGEST_SHOWN:
        begin = names[:1] if len(names) < LONGEST_WAY else []  # only the end of a longer path is known
        names = [*begin, "…", *names[-2:]]
    return " → ".join(names)


def _reach(address: Address, impact: Impact) -> str:
    if not impact.is_reached:
        return "no conversation reaches it"
    if address.is_app or impact.app_agents < 2:
        return ""
    if not impact.way:
        return f"applies to all {impact.agent_count:,} agents"
    if impact.is_root:
        return "conversations begin here"
    return f"reached by {way_of(impact)}" if address.kind == AGENTS else ""


def _coverage(impact: Impact) -> str:
    if impact.is_uncovered:
        return "no evaluation runs through it"
    if not impact.evaluation_count:
        return ""
    if impact.evaluation_count == impact.app_evaluations:
        number = impact.app_evaluations
        return (
            f"all {number:,} evaluations run through it"
            if number > 1
            else "the only evaluation runs through it"
        )
    runs = "runs" if impact.evaluation_count == 1 else "run"
    return f"{count(impact.evaluation_count, 'evaluation')} of {impact.app_evaluations:,} {runs} through it"


def _some(names: Sequence[str], noun: str) -> str:
    rest = len(names) - _MOST_NAMED
    return listed([*names] if rest <= 1 else [*names[:_MOST_NAMED], count(rest, noun)])


def _name(address: Address) -> str:
    return str(address.key) if address.kind == AGENTS else address.within_app
