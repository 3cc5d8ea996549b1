"""The files of an app: each resource in its YAML file, with long texts next to it."""

from collections.abc import Container, Iterable, Mapping

from cesplan.config.resource.references import Keys
from cesplan.config.writing.emitting import document
from cesplan.config.writing.shaping import Shaping
from cesplan.config.writing.texts import Texts
from cesplan.domain.address import APPS, Address
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import last_id
from cesplan.domain.settings import Settings
from cesplan.domain.value import as_objects
from cesplan.model.kinds import KINDS, kind_of


def app_files(
    app: DesiredApp,
    folder: str,
    *,
    silenced: Mapping[Address, Mapping[str, str]] | None = None,
) -> dict[str, str]:
    """
    All files of an app, by path relative to the root of the tree. `folder` is the folder of the app.

    `silenced` are the codes that each file turns off, with reasons.
    """
    keys = app_keys(app)
    files: dict[str, str] = {}
    for resource in app.all():
        files.update(
            resource_files(
                resource,
                folder,
                keys,
                reserved=files,
                silenced=(silenced or {}).get(resource.address),
            )
        )
    return files


def app_keys(app: DesiredApp, more: Iterable[DesiredResource] = ()) -> Keys:
    """The keys that a reference in this app may use. `more` are resources in other files."""
    found: dict[str, dict[str, str]] = {}
    for resource in (*app.resources, *more):
        found.setdefault(resource.address.kind, {})[resource.address.key] = resource.file
    return Keys({**found, **_own_keys(app.app)})


def resource_files(
    resource: DesiredResource,
    folder: str,
    keys: Keys,
    *,
    environment: str = "",
    reserved: Container[str] = (),
    silenced: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """
    The YAML file of a resource and the files of its texts. `reserved` paths are not used for texts.

    With an environment, the id is written for that environment only.
    """
    path = resource_path(resource, folder)
    parent = path.rpartition("/")[0]
    prefix = f"{parent}/" if parent else ""
    texts = Texts.of(resource.address, _Below(prefix, reserved))
    shaping = Shaping(keys=keys, texts=texts, environment=environment, silenced=silenced or {})
    text = document(shaping.resource(resource))
    return {path: text, **{f"{prefix}{name}": content for name, content in texts.files.items()}}


@dataclass(frozen=True, slots=True)
class _Below:
    """The names of paths below a folder."""

    prefix: str
    paths: Container[str]

    def __contains__(self, name: object) -> bool:
        return f"{self.prefix}{name}" in self.paths


def resource_path(resource: DesiredResource, folder: str) -> str:
    """The path of the file of a resource, relative to the root of the tree."""
    address = resource.address
    if address.is_app:
        return f"{folder}/app.yaml"
    if kind_of(address.kind).is_singleton:
        return f"{address.kind}.yaml"
    return f"{folder}/{address.kind}/{address.key}.yaml"


def project_file(settings: Settings) -> str:
    """A cesplan.yaml for a new tree."""
    return document(
        {
            "cesplan": 1,
            "project": settings.place.project,
            "location": settings.place.location,
            "apiVersion": settings.api_version,
            "apps": ["apps/*"],
        }
    )


def _own_keys(app: DesiredResource) -> dict[str, dict[str, str]]:
    """The names that the app's body declares, by collection."""
    found: dict[str, dict[str, str]] = {}
    for field, own in KINDS[APPS].spec.own_names:
        names = (item.get(own.name) for item in as_objects(app.body.get(field.name)))
        found[own.own_collection] = {last_id(str(name)): app.file for name in names if name}
    return found
