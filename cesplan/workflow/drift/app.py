"""One app: read, planned, and classified. What was read is dropped with it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cesplan.config.tree.load import Loaded
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.errors import Refused
from cesplan.domain.features.drift import AppDrift
from cesplan.domain.live import LiveResource
from cesplan.domain.options import PlanOptions
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.context import context_of
from cesplan.features.drift.classify import app_drift, location_drift
from cesplan.features.history.live_edits import Sources
from cesplan.remote.client import Client
from cesplan.workflow.planning import read_and_plan

_NO_OPTIONS = PlanOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One environment of a tree with the client that reads it."""

    tree: str
    """The folder, as it was given."""
    loaded: Loaded
    desired: Desired
    client: Client

    def described(self, found: AppDrift) -> AppDrift:
        """What was found, with where it was found."""
        settings = self.desired.settings
        return replace(
            found,
            tree=self.tree,
            environment=settings.environment,
            project=settings.place.project,
            location=settings.place.location,
            where=settings.where,
        )


def check_app(tree: Checked, app: DesiredApp, listed: Sequence[LiveResource]) -> AppDrift:
    """
    One app of a tree; `listed` are the live apps that it can mean.

    Raises Refused for an app that could mean several, and what the service answers.
    """
    desired = replace(tree.desired, apps=(app,), location_resources=(), notices=())
    live, made = read_and_plan(desired, tree.client, _NO_OPTIONS, listed)
    if app.key in live.unclear:
        raise Refused(summary=made.refusals[0])
    context = context_of(app, desired, live, _NO_OPTIONS, ValueRedactor(made.secrets))
    sources = Sources(
        root=tree.loaded.root or Path(),
        environment=desired.settings.environment,
        variables=tree.loaded.variables,
        client=tree.client,
    )
    return tree.described(app_drift(context, made, sources))


def check_location(tree: Checked) -> AppDrift:
    """The resources that a location has once."""
    place = tree.desired.settings.place
    desired = replace(tree.desired, apps=(), notices=())
    _, made = read_and_plan(desired, tree.client, _NO_OPTIONS, ())
    return tree.described(location_drift(made, place.location, place.name))
