"""
Pulling: a live app into the files of a tree, so that a plan of the tree is empty.

A file that already matches live is not touched, and one that differs is never overwritten:
`cesplan.workflow.merging` handles those.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cesplan.config.cache.store import no_cache
from cesplan.config.project.file import FILE_NAME
from cesplan.config.project.project import find_root
from cesplan.config.suggestions import refuse_unmatched
from cesplan.config.tree.load import Loaded
from cesplan.config.writing.app_files import project_file
from cesplan.config.writing.outputs import check_output_folder
from cesplan.config.writing.saving import save
from cesplan.domain.address import Address, AppKey, location_address
from cesplan.domain.choice import EVERYTHING, Choice
from cesplan.domain.desired import Desired
from cesplan.domain.diagnostic import Severity
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.features.pull import Pulled
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveResource
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.engine.comparing.match import match_apps
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.identity import identity_notices
from cesplan.engine.pulling.compare import Compared, compare
from cesplan.engine.pulling.keys import app_key
from cesplan.engine.pulling.lookup import find_app, place_in_name
from cesplan.features.merge.new_files import folder_of, location_files, more_silences, new_files, notices_of
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.reading import read_app, read_location, read_version
from cesplan.workflow.secret_values import with_secrets
from cesplan.workflow.validating import TreeTarget

_NO_APP = "CES034"


@dataclass(frozen=True, slots=True, kw_only=True)
class PullTarget:
    """The target of a pull: the root of the tree, its current state, and how it is read."""

    root: Path
    desired: Desired
    loaded: Loaded | None
    tree: TreeTarget

    @property
    def settings(self) -> Settings:
        return self.desired.settings


def pull(
    folder: Path,
    app: str,
    *,
    new_tree: bool = False,
    place: Place | None = None,
    api_version: str = "",
    environment: str = "",
    variables: Mapping[str, str] | None = None,
    version: str = "",
    choice: Choice = EVERYTHING,
    connection: Connection = GOOGLE,
    on_progress: Callable[[str], None] = lambda text: None,
) -> Pulled:
    """
    Write the app into the tree around a folder; without one, or with `new_tree`, into the folder itself.

    `app` is a key of the tree, an id, a display name, or a full name. A new tree needs `place`, unless a full
    name gives it. `version` takes the app from a version's snapshot. `on_progress` receives the progress.
    Raises UsageError, InvalidConfiguration, CesplanError, and errors of the service.
    """
    check_output_folder(folder)
    tree = TreeTarget(folder=folder, environment=environment, variables=variables or {})
    target = _target(tree, app, new_tree, place, api_version, connection)
    settings = connection.at(target.settings)
    secrets = target.desired.secrets
    with connected(connection, settings, read_only=True, secrets=secrets) as client:
        on_progress("Looking for the app")
        listed = client.list_apps(settings.place)
        found = find_app(app, target.desired, listed)
        on_progress("Reading the app")
        live = read_version(found, version, client) if version else read_app(found, client, settings)
        location, notices = read_location(client, settings) if not version else ((), ())
        requests = client.requests
    compared = compare(_key(target, found, listed), live, target.desired, choice, ValueRedactor(secrets))
    name = target.settings.place.location
    refuse_unmatched(choice, compared.known | {location_address(name, item.kind) for item in location})
    renewed = [match for match in compared.matched.matches if match.is_new_id]
    pulled = replace(
        _pulled(target, compared),
        notices=(*notices, *compared.notices, *identity_notices(renewed, target.settings)),
        requests=requests,
        service=settings.where,
    )
    if compared.differing:
        return pulled
    on_progress("Writing")
    return _write(target, compared, _new_location_resources(target, location, choice), pulled)


def _target(
    tree: TreeTarget,
    app: str,
    new_tree: bool,
    place: Place | None,
    api_version: str,
    connection: Connection,
) -> PullTarget:
    root = tree.folder if new_tree else find_root(tree.folder)
    if root is None or not (root / FILE_NAME).is_file():
        if tree.environment:
            raise UsageError(
                summary=f"There is no {FILE_NAME} yet, so there is no environment `{tree.environment}`.",
                detail="Pull without `-e` first, or create the file with `cesplan init`.",
            )
        settings = Settings(place=_new_place(app, place), api_version=api_version or "v1beta")
        return PullTarget(root=tree.folder, desired=Desired(settings=settings), loaded=None, tree=tree)
    tree = replace(tree, folder=root)
    loaded = with_secrets(tree.read(), connection)
    return PullTarget(root=root, desired=usable(loaded), loaded=loaded, tree=tree)


def _new_place(app: str, place: Place | None) -> Place:
    found = place_in_name(app) or place
    if found is None or not found.project or not found.location:
        raise UsageError(
            summary="There is no tree here, and the location of the app is unknown.",
            detail="Name the project: cesplan pull APP --project PROJECT [--location us]\n"
            "or write the app's full name: projects/PROJECT/locations/LOCATION/apps/ID",
        )
    return found


def usable(loaded: Loaded) -> Desired:
    """The desired state. A tree without an app is allowed here; other errors are not."""
    if loaded.desired is not None:
        return loaded.desired
    errors = {item.code for item in loaded.diagnostics if item.severity is Severity.ERROR}
    if loaded.tree is not None and errors == {_NO_APP}:
        return Desired(settings=loaded.tree.settings)
    raise InvalidConfiguration(diagnostics=loaded.diagnostics)


def _key(target: PullTarget, live: LiveResource, listed: Sequence[LiveResource]) -> AppKey:
    """The tree's key of an app, or a new unique one."""
    for key, known in match_apps(target.desired, listed).live.items():
        if known.name == live.name:
            return key
    return app_key(live, [app.key for app in target.desired.apps])


def _new_location_resources(
    target: PullTarget, location: tuple[LiveResource, ...], choice: Choice
) -> tuple[LiveResource, ...]:
    """Resources of the location that the tree does not have yet."""
    has = {item.address.kind for item in target.desired.location_resources}
    name = target.settings.place.location
    return tuple(
        item for item in location if item.kind not in has and choice.includes(location_address(name, item.kind))
    )


def _pulled(target: PullTarget, compared: Compared) -> Pulled:
    return Pulled(
        root=target.root,
        app=compared.app.key,
        equal=compared.equal,
        resources=sum(1 for _ in compared.app.all()),
        differing=compared.differing,
        only_in_tree=compared.only_in_tree,
    )


def _write(
    target: PullTarget, compared: Compared, location: tuple[LiveResource, ...], pulled: Pulled
) -> Pulled:
    """Write new files, then read the tree again: checks that live violates are silenced in them."""
    place, root = target.settings.place, target.root
    folder = folder_of(compared.app.key, target.loaded)
    environment = target.tree.environment
    files = new_files(compared, folder, root, environment)
    located, notices = location_files(location, place, compared)
    first = {FILE_NAME: project_file(target.settings)} if target.loaded is None else {}
    root.mkdir(parents=True, exist_ok=True)
    written = save(root, {**first, **located, **files})
    again = target.tree.read(no_cache)
    new = [item for item in compared.app.all() if item.address in compared.new]
    silences: dict[Address, dict[str, str]] = {}
    while found := more_silences(silences, again.diagnostics, new):
        silences = found
        save(root, new_files(compared, folder, root, environment, silences, mine=frozenset(files)))
        again = target.tree.read(no_cache)
    return replace(
        pulled,
        written=written,
        notices=(*pulled.notices, *notices, *notices_of(compared.new, files), *_silenced(silences)),
        diagnostics=again.diagnostics,
    )


def _silenced(silences: Mapping[Address, Mapping[str, str]]) -> tuple[str, ...]:
    return tuple(
        f"{address}: live violates {', '.join(sorted(codes))}, which its file silences under `$silence`"
        for address, codes in sorted(silences.items())
    )
