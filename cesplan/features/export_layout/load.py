"""
Loading an export: turn a folder or ZIP into a tree and the desired state, and report all problems in one run.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path

from cesplan.config.codes import CODES
from cesplan.config.manifest import AppTree, Tree
from cesplan.config.repeated import repeated
from cesplan.config.report import Report, file_spot
from cesplan.config.resource.own_names import own_keys
from cesplan.config.resource.references import Keys
from cesplan.config.suggestions import limited_suggestions
from cesplan.config.tree.link import link
from cesplan.config.tree.load import Loaded
from cesplan.config.tree.run_checks import run_checks
from cesplan.domain.address import APPS, Address, AppKey, KindName, app_address
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.diagnostic import Severity
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.domain.text.slug import distinct_slug, id_of
from cesplan.domain.text.words import in_sentence
from cesplan.features.export_layout.discovery import FoundExport, discover
from cesplan.features.export_layout.resource import ExportReading, ReadResource, read_resource
from cesplan.features.export_layout.sources import ExportFiles, open_export
from cesplan.features.export_layout.titles import Titled, Titles, id_in, title_in, titles_of
from cesplan.model.kinds import kind_of, kinds_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """
    The place that an export is applied to. Without `app_id` the app is found by its display name,
    then by its id in the export.

    `environment` or `environment_file` (a path in the export, or else on this machine) choose where its values
    come from; environment.json when both are empty.
    """

    project: str = ""
    location: str = ""
    app_id: str = ""
    api_version: str = "v1beta"
    environment: str = ""
    environment_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadExport:
    """
    An export, and the parts that only conversion needs.

    `resources` have their notes and their values from environment.json; `carried` are the files that belong to
    no resource, `environments` the files of named environments by path, `titles` the display names.
    """

    loaded: Loaded
    resources: tuple[ReadResource, ...] = ()
    carried: Mapping[str, bytes] = field(default_factory=dict)
    environments: Mapping[str, bytes] = field(default_factory=dict)
    titles: Titles = field(default_factory=Titles)


_NAMELESS = "CES018"


class ExportReport(Report):
    """
    The problems of an export. It cannot silence errors for a file as a tree can, so such errors are warnings.

    The name of a resource is still required, because no resource can be created without one.
    """

    has_fixes = False

    def severity_of(self, code: str) -> Severity:
        known = CODES[code]
        if code == _NAMELESS:
            return known.severity
        return Severity.WARNING if known.silenceable and known.severity is Severity.ERROR else known.severity


def load_export(path: Path, destination: Destination) -> Loaded:
    """
    Read an export: a ZIP, or the folder of app.json (or the one above it).

    Problems become diagnostics, as for a native tree; they are not raised.
    """
    return read_export(path, destination).loaded


@limited_suggestions()
def read_export(path: Path, destination: Destination) -> ReadExport:
    """Like `load_export`, with the parts that have no place in the desired state."""
    report = ExportReport()
    _check_destination(destination, report)
    source = open_export(path, report)
    found = discover(source, destination.environment, destination.environment_file) if source else None
    if source is None or found is None:
        return ReadExport(loaded=Loaded(tree=None, desired=None, diagnostics=report.diagnostics, files=0))
    return _Loading(source, found, destination, report).read()


def _check_destination(destination: Destination, report: Report) -> None:
    for name in ("project", "location"):
        if not getattr(destination, name):
            report.add(
                "CES039",
                f"the {name} is missing",
                detail=f"An export does not contain the location of its app. Add --{name}.",
            )


class _Loading:
    def __init__(
        self, source: ExportFiles, found: FoundExport, destination: Destination, report: Report
    ) -> None:
        self._source, self._found, self._report = source, found, report
        self._to = destination
        self._titles = titles_of(found)
        self._title = title_in(kind_of(APPS), found.app) or "app"
        self._key = AppKey(destination.app_id or distinct_slug(self._title, "app", ()))

    def read(self) -> ReadExport:
        reading = ExportReading(
            source=self._source,
            found=self._found,
            titles=self._titles,
            keys=self._keys(),
            api_version=self._to.api_version,
        )
        self._check_ids()
        self._say_what_the_service_makes()
        root = read_resource(app_address(self._key), self._found.app, self._title, reading)
        resources = [
            read_resource(Address(app=self._key, kind=kind, key=item.key), item.opened, item.title, reading)
            for kind, item in self._items()
        ]
        tree = self._tree(root, resources)
        run_checks(tree.apps, self._report)
        carried = self._carried()
        return ReadExport(
            loaded=self._loaded(tree),
            resources=(root, *resources),
            carried=carried,
            environments={item.file.path: item.file.text.encode() for item in self._found.others.values()},
            titles=self._titles,
        )

    def _items(self) -> Iterator[tuple[KindName, Titled]]:
        for kind, items in sorted(self._titles.of.items()):
            for item in sorted(items, key=lambda item: item.key):
                yield kind, item

    def _keys(self) -> Keys:
        files: dict[str, dict[str, str]] = {
            str(kind): {str(item.key): item.opened.file.path for item in items}
            for kind, items in self._titles.of.items()
        }
        app = self._found.app
        return Keys({**files, **own_keys(kind_of(APPS).spec, app.root, app.file.path)})

    def _tree(self, root: ReadResource, resources: Iterable[ReadResource]) -> Tree:
        known = kinds_in(self._to.api_version)
        for kind in sorted(self._found.folders - known):
            self._report.add(
                "CES032",
                f"{kind} are ignored: the API version {self._to.api_version} does not have them",
                file_spot(kind),
            )
        app = AppTree(
            key=self._key,
            app=root.file,
            location=self._to.location,
            resources=tuple(item.file for item in resources if item.file.address.kind in known),
            folders=self._found.folders & known,
            is_whole=not self._found.broken,
        )
        place = Place(project=self._to.project, location=self._to.location)
        settings = Settings(place=place, api_version=self._to.api_version, environment=self._to.environment)
        return Tree(settings=settings, apps=(app,), files=len(self._source.files.read))

    def _carried(self) -> dict[str, bytes]:
        """The files that belong to no resource; reported once, by folder."""
        files = self._source.files
        left = [name for name in self._source.names if name not in files.read | self._found.used]
        carried = {name: data for name in left if (data := self._data(name)) is not None}
        if carried:
            tops = sorted({name.partition("/")[0] for name in carried})
            shown = ", ".join(f"`{top}`" for top in tops[:8]) + (", …" if len(tops) > 8 else "")
            self._report.add("CES035", f"files that do not belong to a resource are ignored, in {shown}")
        return carried

    def _data(self, name: str) -> bytes | None:
        """The content of an unused file; None if it cannot be read, which is reported."""
        files = self._source.files
        why = "it links outside the export"
        try:
            if files.inside(name):
                return files.data(name)
        except (OSError, ValueError) as error:
            why = f"it cannot be read: {in_sentence(getattr(error, 'strerror', None) or str(error))}"
        self._report.add("CES035", f"`{name}` is ignored: {why}", file_spot(name))
        return None

    def _loaded(self, tree: Tree) -> Loaded:
        diagnostics = self._report.diagnostics
        desired = None if self._report.has_errors else self._with_ids(link(tree, self._report.notices))
        return Loaded(tree=tree, desired=desired, diagnostics=diagnostics, files=len(self._source.files.read))

    def _with_ids(self, desired: Desired) -> Desired:
        """Ids that are not binding: the export may come from another place."""
        items = {(kind, item.key): item for kind, item in self._items()}

        def with_id(resource: DesiredResource) -> DesiredResource:
            item = items[resource.address.kind, resource.address.key]
            return replace(resource, resource_id=item.resource_id or None, new_id=item.new_id)

        apps = (
            replace(app, app=self._app_with_id(app.app), resources=tuple(map(with_id, app.resources)))
            for app in desired.apps
        )
        return replace(desired, apps=tuple(apps))

    def _app_with_id(self, app: DesiredResource) -> DesiredResource:
        if self._to.app_id:
            return replace(app, resource_id=self._to.app_id)
        found = id_in(self._found.app)
        return replace(app, resource_id=found or None, new_id=found or id_of(self._key, "app"))

    def _say_what_the_service_makes(self) -> None:
        for kind, items in sorted(self._titles.by_service.items()):
            for item in items:
                spot = file_spot(item.opened.file.path)
                self._report.add("CES035", f"`{item.title}` is ignored: the service creates such {kind}", spot)

    def _check_ids(self) -> None:
        for items in self._titles.of.values():
            for item, first in repeated(items, lambda item: item.resource_id):
                self._report.add(
                    "CES027",
                    f"the id `{item.resource_id}` is already used by `{first.title}`",
                    item.opened.file.spot_of(item.opened.root.get("name") or item.opened.root),
                    detail=f"See {first.opened.file.path}. Two files cannot describe the same resource.",
                )
