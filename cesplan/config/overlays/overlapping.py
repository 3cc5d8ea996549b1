"""Overlapping: two environments with the same live app, so that each apply undoes the other."""

from collections.abc import Iterable

from cesplan.config.discovery import ENVIRONMENTS, SUFFIXES
from cesplan.config.files import Files
from cesplan.config.overlays.environment import LaidApp
from cesplan.config.project.project import Project
from cesplan.config.resource.server_ids import given_id
from cesplan.config.resource.values import EXCLUDE
from cesplan.config.yaml.nodes import Mapping


def check_overlaps(apps: Iterable[LaidApp], project: Project, files: Files) -> None:
    """Warn about other environments of the same project and location in which an app has the same id."""
    here = project.settings.environment
    for app in apps if project.twins else ():
        for other in sorted(project.twins):
            if _id_in(app, here, files) == _id_in(app, other, files):
                place = project.settings.place
                what = f"`{app.found.key}` in {place.short}"
                files.report.add(
                    "CES105",
                    f"`{here}` and `{other}` share one live app: {what}",
                    project.spot,
                    detail="Each apply undoes the other. Give one of them another project or "
                    "location, or give the app an `$id` for each.",
                )


def _id_in(app: LaidApp, environment: str, files: Files) -> str:
    """The id of an app in an environment; empty if the environment leaves it out."""
    found = app.found
    if found.app_file.startswith(f"{ENVIRONMENTS}/"):
        return found.key if environment == found.app_file.split("/")[1] else ""
    base, over = _root(found.app_file, files), _over(found.path, environment, files)
    if over is not None and EXCLUDE in over.entries:
        return ""
    ids = (given_id(root, environment) for root in (over, base) if root is not None)
    return next(filter(None, ids), found.key)


def _over(path: str, environment: str, files: Files) -> Mapping | None:
    paths = (f"{ENVIRONMENTS}/{environment}/{path}/app{suffix}" for suffix in SUFFIXES)
    return next((_root(item, files) for item in paths if (files.root / item).is_file()), None)


def _root(path: str, files: Files) -> Mapping | None:
    found = files.mapping(path)
    return found[1] if found else None
