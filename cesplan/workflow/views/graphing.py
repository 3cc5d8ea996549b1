"""The graph of the apps of a tree: as the files have it, or as it is live."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cesplan.config.tree.load import Loaded
from cesplan.domain.address import Address
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp
from cesplan.domain.settings import Settings
from cesplan.domain.text.words import did_you_mean
from cesplan.engine.comparing.copies import address_of
from cesplan.engine.comparing.match import match_resources
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.features.impact.graph import GraphResource, around, graph_of, in_conversations, of_app
from cesplan.features.impact.values import Graph
from cesplan.model.kinds import kind_of
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.reading import read_live
from cesplan.workflow.validating import desired_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Graphed:
    """A graph, where it is from, and what a reader should know about it."""

    graph: Graph
    settings: Settings
    notices: tuple[str, ...] = ()


def graph_of_tree(loaded: Loaded) -> Graphed:
    """All apps of a tree, with everything in them. Raises InvalidConfiguration for a tree with errors."""
    desired = desired_of(loaded)
    graphs = map(graph_of_files, desired.apps)
    return Graphed(graph=_joined(graphs), settings=desired.settings)


def graph_of_files(app: DesiredApp) -> Graph:
    """One app as its files have it."""
    return graph_of(app.key, _of_tree(app))


def graph_of_live(loaded: Loaded, *, connection: Connection = GOOGLE) -> Graphed:
    """
    The same apps as they are live, under the keys that the tree has for their resources.

    Raises InvalidConfiguration for a tree with errors, and what the service answers.
    """
    found = desired_of(loaded)
    desired = replace(found, settings=connection.at(found.settings))
    secrets = desired.secrets
    with connected(connection, desired.settings, read_only=True, secrets=secrets) as client:
        live = read_live(desired, client)
    missing = (app.key for app in desired.apps if app.key not in live.apps)
    return Graphed(
        graph=_joined(
            graph_of(app.key, _of_live(app, live.apps[app.key], desired, ValueRedactor(secrets)))
            for app in desired.apps
            if app.key in live.apps
        ),
        settings=desired.settings,
        notices=tuple(
            f"{key} is ambiguous: more than one live app matches"
            if key in live.unclear
            else f"{key} is not live"
            for key in missing
        ),
    )


def part_of(graphed: Graphed, address: Address | None, *, everything: bool) -> Graphed:
    """
    What is asked for: the part around a resource, else the app or all apps: their conversations, or everything.

    Raises UsageError for an address that the graph does not have.
    """
    graph = graphed.graph
    known = [item.address for item in graph.nodes]
    if address is not None and address not in known:
        hint = did_you_mean(str(address), map(str, known))
        raise UsageError(summary=f"`{address}` is not in the graph.{hint}")
    if address is not None and not address.is_app:
        return replace(graphed, graph=around(graph, address))
    if address is not None:
        graph = of_app(graph, address)
    return replace(graphed, graph=graph if everything else in_conversations(graph))


def _of_tree(app: DesiredApp) -> Iterator[GraphResource]:
    for item in app.all():
        name = kind_of(item.address.kind).display_name_in(item.body)
        yield GraphResource(address=item.address, display_name=name, body=item.body)


def _of_live(
    app: DesiredApp, live: LiveApp, desired: Desired, redactor: ValueRedactor
) -> Iterator[GraphResource]:
    naming = match_resources(app, live, desired.settings.place).naming
    for item in (live.app, *(one for kind in sorted(live.children) for one in live.children[kind])):
        kind = kind_of(item.kind)
        yield GraphResource(
            address=address_of(item, app.key, naming),
            display_name=redactor.name(kind.display_name_in(item.body)),
            body=normalize(kind.spec, item.body, naming).body,
        )


def _joined(graphs: Iterable[Graph]) -> Graph:
    found = [*graphs]
    return Graph(
        nodes=tuple(item for graph in found for item in graph.nodes),
        edges=tuple(item for graph in found for item in graph.edges),
        cycles=tuple(item for graph in found for item in graph.cycles),
        unreached=tuple(item for graph in found for item in graph.unreached),
        uncovered=tuple(item for graph in found for item in graph.uncovered),
    )
