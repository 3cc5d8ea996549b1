"""Resource names: which resource on the server an operation writes."""

from cesplan.domain.frozen import dataclass
from cesplan.domain.naming import Naming
from cesplan.domain.plan import Operation, Plan
from cesplan.domain.resource_name import Place
from cesplan.model.kinds import Kind, Parent, kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """
    One resource on the server.

    `name` and `parent` are full resource names (AIP-122). `naming` translates the references in its body.
    """

    kind: Kind
    name: str
    parent: str
    resource_id: str
    naming: Naming


def target_of(plan: Plan, operation: Operation) -> Target:
    """
    The resource that an operation of this plan writes.

    Raises KeyError for an app without ids in the plan.
    """
    return target_in(_naming(plan, operation), kind_of(operation.address.kind), operation.resource_id)


def target_in(naming: Naming, kind: Kind, resource_id: str) -> Target:
    """A resource of a naming's app: the app itself, a resource in it, or one of its location."""
    parent = naming.place.name if kind.parent is Parent.LOCATION else naming.app_name
    tail = kind.name if kind.is_singleton else f"{kind.name}/{resource_id}"
    return Target(
        kind=kind,
        name=f"{parent}/{tail}",
        parent=parent,
        resource_id=resource_id,
        naming=naming,
    )


def _naming(plan: Plan, operation: Operation) -> Naming:
    """The ids of the app. A location's resource has no references into an app, so its place is enough."""
    app = operation.address.app
    if app.startswith("@"):
        return Naming(place=Place(project=plan.settings.place.project, location=app[1:]), app_id="")
    return plan.namings[app]
