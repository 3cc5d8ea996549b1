"""
Merging: live edits into the files of a tree, without losing an edit on either side. Only changed lines are
edited. A field that both sides changed is a conflict and is not edited, unless one side was chosen to win.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from cesplan.config.cache.store import users_cache
from cesplan.config.suggestions import refuse_unmatched
from cesplan.config.tree.load import load
from cesplan.config.writing.outputs import check_output_folder
from cesplan.domain.address import Address, AppKey
from cesplan.domain.choice import EVERYTHING, Choice
from cesplan.domain.desired import Desired
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.features.merge import AppMerge, MergedResource, MergeOutcome, MergeResult, Side
from cesplan.domain.live import LiveApp
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body, mask_secrets
from cesplan.engine.comparing.match import match_apps
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.pulling.lookup import find_app
from cesplan.features.impact.graph import refers_in
from cesplan.features.impact.plan import impacts_in
from cesplan.features.merge import words
from cesplan.features.merge.app import AppWork, MergeTree, merge_app
from cesplan.features.merge.proof import Prover
from cesplan.features.merge.write import write_merge
from cesplan.features.typed_diffs.verdicts import DiffReader
from cesplan.features.weakening.weakening import weakened_between
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client
from cesplan.render.field_redactor import redactor_over
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.reading import read_app
from cesplan.workflow.secret_values import with_secrets
from cesplan.workflow.validating import read_release_files
from cesplan.workflow.views.graphing import graph_of_files


def merge(
    folder: Path,
    app: str = "",
    *,
    environment: str = "",
    variables: Mapping[str, str] | None = None,
    choice: Choice = EVERYTHING,
    winner: Side = Side.NEITHER,
    only_here: bool = False,
    markers: bool = False,
    check: bool = False,
    connection: Connection = GOOGLE,
    on_progress: Callable[[str], None] = lambda text: None,
) -> MergeOutcome:
    """
    Merge live edits into the tree around a folder; `app` is one of its apps, empty for all. `winner` decides
    conflicts; with `markers`, text files get both sides of open conflicts. With `only_here`, everything goes
    into the files of the environment. With `check`, nothing is written. Raises InvalidConfiguration for a tree
    that has errors, or that would have some in any environment, before a file is written; UsageError for an app
    that the tree does not have, and errors of the service.
    """
    check_output_folder(folder)
    loaded = load(
        folder,
        environment=environment,
        variables=variables or {},
        read_releases=read_release_files,
        cache_of=users_cache,
    )
    loaded = with_secrets(loaded, connection)
    if loaded.desired is None or loaded.root is None:
        raise InvalidConfiguration(diagnostics=loaded.diagnostics)
    secrets = loaded.desired.secrets
    tree = MergeTree(
        loaded=loaded,
        root=loaded.root,
        environment=environment,
        variables=variables or {},
        winner=winner,
        choice=choice,
        only_here=only_here,
        markers=markers,
        prover=Prover(loaded.root, environment, variables or {}, loaded.secrets),
        redactor=ValueRedactor(secrets),
    )
    settings = connection.at(loaded.desired.settings)
    with connected(connection, settings, read_only=True, secrets=secrets) as client:
        works = [
            merge_app(tree, key, live, client, on_progress)
            for key, live in _apps(tree, app, client, settings).items()
        ]
        requests = client.requests
    refuse_unmatched(choice, _known(loaded.desired, works))
    merged = write_merge(tree, works, requests, check=check)
    return replace(
        merged, apps=tuple(_read(app, loaded.desired) for app in merged.apps), service=settings.where
    )


def _read(app: AppMerge, desired: Desired) -> AppMerge:
    """The merge of an app, with what its differences mean, what they would weaken, and their impact."""
    files = next((item for item in desired.apps if item.key == app.key), None)
    if files is None or not app.resources:
        return app
    bodies = {item.address: item.body for item in files.all()}
    impacts = impacts_in(
        app.key,
        refers_in(graph_of_files(files)),
        [item.address for item in app.resources],
        api_version=desired.settings.api_version,
    )
    reading = DiffReader()
    resources = (_with_meaning(item, bodies.get(item.address, {}), reading) for item in app.resources)
    return replace(app, resources=tuple(replace(item, impact=impacts.get(item.address)) for item in resources))


def _with_meaning(item: MergedResource, body: Body, reading: DiffReader) -> MergedResource:
    kind = item.address.kind
    spec = kind_of(kind).spec
    redactor = redactor_over(spec, (body,))
    before, after = (mask_secrets(redactor.body(side)) for side in (body, item.body))
    read = reading.read_all(tuple(map(words.as_change, item.fields)), kind, before, after, redactor)
    fields = tuple(
        found if found.result is MergeResult.KEPT else replace(found, typed=change.typed)
        for found, change in zip(item.fields, read, strict=True)
    )
    return replace(item, fields=fields, weakens=weakened_between(kind, before, after))


def _known(desired: Desired, works: list[AppWork]) -> frozenset[Address]:
    """Everything that a pattern can match: in the tree, or live in a merged app."""
    return frozenset(desired.addresses.union(*(work.compared.known for work in works)))


def _apps(tree: MergeTree, name: str, client: Client, settings: Settings) -> dict[AppKey, LiveApp]:
    """The live apps to merge, by the tree's keys."""
    desired = tree.loaded.desired
    assert desired is not None
    listed = client.list_apps(settings.place)
    known = match_apps(desired, listed).live
    if name:
        found = find_app(name, desired, listed)
        known = {key: live for key, live in known.items() if live.name == found.name}
        if not known:
            raise UsageError(
                summary=f"The tree does not have the app `{name}`.",
                detail=f"To add it to the tree:\n\n    cesplan pull {name}",
            )
    return {key: read_app(live, client, settings) for key, live in sorted(known.items())}
