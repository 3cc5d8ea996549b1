"""
environment.json: the values behind `$env_var`, by type, display name, and field.

Exports have nested objects; a field path as one key (`openApiToolset.url`) is read too. The service writes one
file; the usual names of files for other environments are recognized: `environment.prod.json`,
`prod.environment.json`, `environments/prod.json`.
"""

import errno
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cesplan.config.files import LARGEST_FILE, read_regular
from cesplan.config.report import Report, SourceFile, file_spot
from cesplan.config.suggestions import nearest, one_of
from cesplan.config.yaml.nodes import Mapping, Node, Sequence
from cesplan.domain.address import KindName
from cesplan.domain.field_path import FieldPath, Index, Segment
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.words import in_sentence
from cesplan.features.export_layout.layout import ENVIRONMENT, environment_key, snake
from cesplan.features.export_layout.sources import ExportFiles, OpenedFile, composed, read
from cesplan.model.kinds import kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentValues:
    """The values of one resource; `keys` is their place in `file`, for messages."""

    keys: tuple[str, ...]
    node: Node | None = None
    file: str = ENVIRONMENT

    def find(self, path: tuple[Segment, ...]) -> Node | None:
        """The value at a field path, or None."""
        return _find(self.node, path) if self.node is not None else None

    def place(self, path: tuple[Segment, ...]) -> str:
        """Where the value of a field belongs, for messages."""
        return " → ".join((*self.keys, *str(FieldPath(path)).split(".")))


def values_of(opened: OpenedFile | None, kind: KindName, title: str, folder: str) -> EnvironmentValues:
    """The part of environment.json about a resource."""
    is_app = kind_of(kind).container is not None
    keys = (environment_key(kind),) if is_app else (kind, title)
    section = opened.root.get(keys[0]) if opened else None
    if not is_app:
        section = _entry(section, title) or _entry(section, folder)
    elif section is None and opened:
        section = _entry(opened.root.get(kind), title)
    return EnvironmentValues(keys=keys, node=section, file=opened.file.path if opened else ENVIRONMENT)


def _entry(section: Node | None, name: str) -> Node | None:
    return section.get(name) if isinstance(section, Mapping) else None


def _find(node: Node, path: tuple[Segment, ...]) -> Node | None:
    if not path:
        return node
    match node, path[0]:
        case Sequence(), Index(position) if position < len(node.items):
            return _find(node.items[position], path[1:])
        case Mapping(), str():
            for size in range(len(path), 0, -1):
                name = str(FieldPath(path[:size]))
                inner = node.get(name) or node.get(snake(name))
                found = _find(inner, path[size:]) if inner is not None else None
                if found is not None:
                    return found
    return None


_NAME = r"(?P<name>[A-Za-z0-9][\w-]*)"
_FILES = (
    re.compile(rf"environment[._-]{_NAME}\.(?:json|yaml)"),
    re.compile(rf"{_NAME}[._-]environment\.(?:json|yaml)"),
    re.compile(rf"environments/(?:environment[._-])?{_NAME}\.(?:json|yaml)"),
    re.compile(rf"environments/{_NAME}/environment\.(?:json|yaml)"),
)


def file_of(environment: str) -> str:
    """The file that cesplan writes for an environment; environment.json for the unnamed one."""
    return f"environment.{environment}.json" if environment else ENVIRONMENT


def environment_files(names: Iterable[str]) -> dict[str, str]:
    """The files of named environments, by environment name."""
    found: dict[str, str] = {}
    for path in sorted(names):
        match = next((match for form in _FILES if (match := form.fullmatch(path))), None)
        if match:
            found.setdefault(match["name"], path)
    return found


def chosen_environment(source: ExportFiles, environment: str, file: str) -> OpenedFile | None:
    """
    The environment file to use: `file` (in the export, or else on this machine), that of `environment`, or
    environment.json. None if it does not exist. Problems are reported.
    """
    if file and file not in source.names:
        return _read_from_elsewhere(source, Path(file))
    others = environment_files(source.names)
    if environment and not file and environment not in others:
        source.files.report.add(
            "CES007",
            f"the export has no environment `{environment}`",
            detail=f"It has {one_of(sorted(others))}." if others else f"It has no `{file_of('NAME')}`.",
            suggestion=nearest(environment, others),
        )
        return None
    path = file or (others[environment] if environment else ENVIRONMENT)
    return read(source, path) if path in source.names else None


def other_environments(source: ExportFiles) -> dict[str, OpenedFile]:
    """
    The readable environment files, by environment name.

    The caller chooses which one to use. A file that only looks like one is not an error; a notice reports it.
    """
    found: dict[str, OpenedFile] = {}
    for name, path in environment_files(source.names).items():
        opened = read(_quietly(source), path)
        if opened is not None:
            found[name] = opened
        else:
            source.files.report.add(
                "CES035", f"`{path}` is ignored: it is not an environment file", file_spot(path)
            )
    return found


def _quietly(source: ExportFiles) -> ExportFiles:
    """The same files, with their findings discarded."""
    return replace(source, files=replace(source.files, report=Report()))


def _read_from_elsewhere(source: ExportFiles, path: Path) -> OpenedFile | None:
    try:
        data = read_regular(path, LARGEST_FILE)
        if len(data) > LARGEST_FILE:
            raise OSError(errno.EFBIG, f"it is larger than {LARGEST_FILE >> 20} MiB", str(path))
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        what = f"`{path}` cannot be read: {in_sentence(reason)}"
        source.files.report.add("CES001", what, file_spot(str(path)))
        return None
    return composed(SourceFile(str(path), text), source.files.report)
