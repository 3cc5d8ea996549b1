"""Converting: an app from one layout to the other, offline."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from cesplan.config.files import Files
from cesplan.config.project.file import FILE_NAME
from cesplan.config.project.project import environments_of, find_root
from cesplan.config.report import Report
from cesplan.config.tree.load import Loaded, load
from cesplan.config.writing.outputs import check_output_file, check_output_folder
from cesplan.config.writing.saving import save
from cesplan.domain.address import Address
from cesplan.domain.desired import DesiredApp
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.file_notices import marks_of_direction, unusable_names
from cesplan.features.export_layout.detection import APP_FILES, holds_export, is_export
from cesplan.features.export_layout.environment import environment_files, file_of
from cesplan.features.export_layout.layout import ENVIRONMENT, FOLDERS
from cesplan.features.export_layout.load import Destination, ReadExport, read_export
from cesplan.features.export_layout.to_native import CARRIED, native_tree
from cesplan.features.export_layout.write import Style, WrittenExport, differing_texts, write_export, zipped
from cesplan.features.merge.new_files import more_silences
from cesplan.workflow.validating import desired_of

_AS_EXPORTED = "the export is like this"
"""The reason under `$silence` for what is only a warning in an export."""

_NOWHERE = Destination(project="project", location="us")
"""Reading an export requires a place; the written files do not repeat it."""


class TreeLayout(StrEnum):
    NATIVE = "native"
    EXPORT = "export"


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """
    What a conversion wrote, relative to the target.

    `left_out` cannot be held by the new layout; `left_over` are remaining files of an older conversion.
    `notices` are about the files. `diagnostics` are those of the new tree. `service` is the service that was
    read, if it is not the default one.
    """

    layout: TreeLayout
    written: tuple[str, ...]
    files: int
    left_out: tuple[str, ...] = ()
    left_over: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    service: str = ""


def convert(
    source: Path,
    target: Path,
    *,
    layout: TreeLayout | None = None,
    destination: Destination | None = None,
    app: str = "",
    environment: str = "",
    variables: Mapping[str, str] | None = None,
    style: Style = Style.JSON,
) -> Converted:
    """
    Write the app in `source` to `target`, in the other layout unless one is named.

    An export becomes a new tree at `target`, which needs the `destination`; a tree becomes a folder, or a ZIP
    file if the target has that suffix, and `app` names one of several. Raises UsageError before anything is
    written, InvalidConfiguration for a source with errors.
    """
    check_target(target)
    from_export = is_export(source) or (holds_export(source) and find_root(source) is None)
    target_layout = layout or (TreeLayout.NATIVE if from_export else TreeLayout.EXPORT)
    match target_layout, from_export:
        case TreeLayout.NATIVE, True:
            return _to_native(read_export(source, destination or Destination()), target)
        case TreeLayout.EXPORT, True:
            to = destination or _NOWHERE
            read = read_export(source, to if to.project else replace(to, project="project", location="us"))
            carried = {**read.carried, **read.environments}
            written = write_export(desired_of(read.loaded).apps[0], style=style, carried=carried)
            return put_export(written, target, notes=_lost_notes(read))
        case TreeLayout.EXPORT, False:
            loaded = load(source, environment=environment, variables=variables or {})
            others = environments_of(loaded.root) if loaded.root and not environment else ()
            elsewhere = {name: load(source, environment=name, variables=variables or {}) for name in others}
            return _to_export(loaded, elsewhere, app, target, style)
    raise UsageError(summary=f"{source} is already in the native layout.")


def _to_native(read: ReadExport, target: Path) -> Converted:
    desired = desired_of(read.loaded)
    if (target / FILE_NAME).exists() or (target / f"apps/{desired.apps[0].key}").exists():
        raise UsageError(
            summary=f"Nothing was written: {target} already contains a tree.",
            detail="Convert into a new folder, then move the files that you want to keep.",
        )
    tree = native_tree(read, desired)
    target.mkdir(parents=True, exist_ok=True)
    written = save(target, tree.files)
    again = load(target)
    silences: dict[Address, dict[str, str]] = {}
    while found := more_silences(silences, again.diagnostics, desired.apps[0].all(), reason=_AS_EXPORTED):
        silences = found
        tree = native_tree(read, desired, silences)
        written = tuple(dict.fromkeys((*written, *save(target, tree.files))))
        again = load(target)
    return Converted(
        layout=TreeLayout.NATIVE,
        written=written,
        files=len(tree.files),
        variables=tuple(sorted(tree.variables)),
        notices=_notices(tree.files),
        diagnostics=again.diagnostics,
    )


def _to_export(
    loaded: Loaded, elsewhere: Mapping[str, Loaded], key: str, target: Path, style: Style
) -> Converted:
    """Write an app of a tree; differences in `elsewhere`, by environment, go to environment files."""
    app = _chosen(desired_of(loaded).apps, key)
    others = {name: found for name, item in elsewhere.items() if (found := _app_in(item, app.key))}
    varied = differing_texts(app, others.values())
    carried = dict(_carried(loaded, app))
    written = write_export(app, style=style, carried=carried, varied=varied)
    notes = [str(item.address) for item in desired_of(loaded).location_resources]
    notes += [f"the environment {name}: it has errors" for name in sorted(elsewhere.keys() - others.keys())]
    files = dict(written.files)
    for name, other in sorted(others.items()):
        export = write_export(other, style=style, carried=carried, varied=varied)
        if ENVIRONMENT in export.files:
            files[file_of(name)] = export.files[ENVIRONMENT]
        different = {path for path in {**files, **export.files} if _is_other(path, written.files, export.files)}
        notes += [f"the environment {name}: {path} differs there" for path in sorted(different)]
    return put_export(replace(written, files=files), target, notes=notes)


def _app_in(loaded: Loaded, key: str) -> DesiredApp | None:
    apps = loaded.desired.apps if loaded.desired else ()
    return next((app for app in apps if app.key == key), None)


def _is_other(path: str, here: Mapping[str, bytes], there: Mapping[str, bytes]) -> bool:
    is_environment = path == ENVIRONMENT or path in environment_files([path]).values()
    return not is_environment and here.get(path) != there.get(path)


def _chosen(apps: tuple[DesiredApp, ...], key: str) -> DesiredApp:
    found = [app for app in apps if not key or app.key == key]
    if len(found) == 1:
        return found[0]
    names = ", ".join(sorted(app.key for app in apps))
    if key:
        raise UsageError(summary=f"The tree has no app `{key}`.", detail=f"It has {names}.")
    raise UsageError(
        summary="An export contains one app, but the tree has several.", detail=f"Name one: {names}."
    )


def _carried(loaded: Loaded, app: DesiredApp) -> Iterator[tuple[str, bytes]]:
    """
    The files that an earlier conversion kept next to app.yaml. Raises UsageError for a link out of the tree, a
    pipe, or a device, and if there are too many.
    """
    tree = loaded.root or Path()
    files = Files(tree, Report())
    root = tree / Path(app.app.file).parent / CARRIED
    for parent, _, names in os.walk(root) if files.inside(root.relative_to(tree).as_posix()) else ():
        for name in sorted(names):
            path = Path(parent, name)
            within = path.relative_to(tree).as_posix()
            if not files.inside(within):
                raise UsageError(summary=f"Nothing was written: {within} leads out of the tree.")
            try:
                yield path.relative_to(root).as_posix(), files.data(within)
            except OSError as error:
                why = error.strerror or error
                raise UsageError(summary=f"Nothing was written: {within} cannot be read: {why}.") from error


def check_target(target: Path) -> None:
    """Raise UsageError for a target that is a link elsewhere."""
    (check_output_file if _is_zip(target) else check_output_folder)(target)


def _is_zip(target: Path) -> bool:
    return target.suffix.lower() == ".zip"


def put_export(written: WrittenExport, target: Path, notes: Sequence[str] = ()) -> Converted:
    """
    Write the files of an export into a folder, or as a ZIP file if the target has that suffix. Raises
    UsageError for a folder with other content.
    """
    is_zip = _is_zip(target)
    if not is_zip and target.exists() and any(target.iterdir()) and not is_export(target):
        raise UsageError(
            summary=f"Nothing was written: {target} is not empty and is not an export.",
            detail="Name a new folder, or a folder that contains app.json.",
        )
    folder, files = (target.parent, {target.name: zipped(written)}) if is_zip else (target, written.files)
    folder.mkdir(parents=True, exist_ok=True)
    return Converted(
        layout=TreeLayout.EXPORT,
        written=save(folder, files),
        files=len(written.files),
        left_out=(*written.left_out, *notes),
        left_over=() if is_zip else tuple(sorted(set(_in_layout(target)) - written.files.keys())),
        notices=_notices(written.files),
    )


def _notices(files: Mapping[str, bytes]) -> tuple[str, ...]:
    texts = {path: data.decode("utf-8", "replace") for path, data in files.items()}
    return (*unusable_names(files), *marks_of_direction(texts))


def _in_layout(folder: Path) -> Iterator[str]:
    """The files of an export that resources are read from."""
    yield from (name for name in (*APP_FILES, ENVIRONMENT) if (folder / name).exists())
    for kind in FOLDERS:
        for path in (folder / kind).glob("*/*"):
            if path.suffix in (".json", ".yaml"):
                yield path.relative_to(folder).as_posix()


def _lost_notes(read: ReadExport) -> list[str]:
    noted = [item.file.path for item in read.resources if item.comments]
    return [f"notes (`_comment…`) of {path}" for path in noted]
