"""
Editor support in a tree: the schemas in `.cesplan`, and settings that assign them to files. The settings are
those of VS Code's YAML extension, whose language server other editors also use. They name the schemas by paths
in the tree, so they are the same on every machine; the schemas belong to the installed version of cesplan, and
git ignores them.
"""

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cesplan.config.discovery import APP_FILE, ENVIRONMENTS, RELEASES
from cesplan.config.project.file import FILE_NAME
from cesplan.config.project.project import app_globs, find_root
from cesplan.config.writing.outputs import OWN_FOLDER, make_room, own_place
from cesplan.config.writing.saving import save
from cesplan.domain.errors import CesplanError, UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import SETTINGS
from cesplan.features.policy.cases import CASES_FILE, CASES_SCHEMA_FILE
from cesplan.features.policy.editor_schema import policy_cases_schema
from cesplan.features.releases.files.editor_schema import (
    OVERLAY_SCHEMA_FILE,
    SCHEMA_FILE,
    release_overlay_schema,
    release_schema,
)
from cesplan.model.editor_schemas.files import DIALECT, schema_text
from cesplan.model.editor_schemas.files import schemas as model_schemas
from cesplan.model.editor_schemas.values import JsonSchema
from cesplan.model.kinds import KINDS, Kind, Parent

SETTINGS_FILE = ".vscode/settings.json"
SCHEMAS = "schemas"
"""The folder of the schemas, below cesplan's own."""
_MEMBER = "yaml.schemas"
_YAML = ".y*ml"
"""`.yaml` and `.yml`."""
_PATCHES = f"*.patch{_YAML}"
_TEXTS = f"!*.openapi{_YAML}"
"""Documents that resources include."""


def file_schemas() -> dict[str, JsonSchema]:
    """The schemas of the files of a tree: `agents.schema.json`, …, `environments/agents.schema.json`, …."""
    cases = {CASES_SCHEMA_FILE: {"$schema": DIALECT, **policy_cases_schema()}}
    cases[SCHEMA_FILE] = {"$schema": DIALECT, **release_schema()}
    cases[OVERLAY_SCHEMA_FILE] = {"$schema": DIALECT, **release_overlay_schema()}
    return dict(sorted({**model_schemas(), **cases}.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class ForEditors:
    """
    The folder of the written schemas; `settings` is true if the settings were written, too. `missing` is what
    existing settings lack; empty if they name the schemas.
    """

    folder: Path
    settings: bool = False
    missing: str = ""

    @property
    def written(self) -> tuple[str, ...]:
        """The files of the tree that were written, apart from cesplan's own."""
        return (SETTINGS_FILE,) if self.settings else ()


def write_for_editors(folder: Path) -> ForEditors:
    """
    Write the schemas of the tree around a folder, and the settings unless they exist. Raises UsageError without
    a tree, InvalidConfiguration for a link instead of a folder, CesplanError for files that cannot be written.
    """
    root = find_root(folder)
    if root is None:
        raise UsageError(
            summary=f"There is no cesplan.yaml in {folder.absolute()} or its parent folders.",
            detail="To write the schemas elsewhere, name a folder:\n\n    cesplan schema --out DIR",
        )
    schemas = _write_schemas(root)
    text = settings_text(app_globs(root) or SETTINGS["apps"].default)
    found = _settings(root)
    if found is None:
        save(root, {SETTINGS_FILE: text})
    is_named = found is None or f"{OWN_FOLDER}/{SCHEMAS}/" in found
    return ForEditors(folder=schemas, settings=found is None, missing="" if is_named else text)


def _write_schemas(root: Path) -> Path:
    folder = own_place(root, SCHEMAS)
    try:
        make_room(folder)
    except OSError as error:
        raise CesplanError(summary=f"{folder} cannot be written: {error.strerror}") from error
    save(folder, _texts())
    return folder


@cache
def _texts() -> Mapping[str, str]:
    return {name: schema_text(schema) for name, schema in file_schemas().items()}


def settings_text(globs: Sequence[str]) -> str:
    """The text of the settings file; `globs` are those of the app folders."""
    rows = [f"    {json.dumps(name)}: {json.dumps(files)}" for name, files in associations(globs).items()]
    return "{\n" + f"  {json.dumps(_MEMBER)}: {{\n" + ",\n".join(rows) + "\n  }\n}\n"


def _settings(root: Path) -> str | None:
    """The settings of a folder as text, because they may contain comments; None if there are none."""
    path = root / SETTINGS_FILE
    if not os.path.lexists(path):
        return None
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def associations(globs: Sequence[str]) -> Mapping[str, Any]:
    """
    The files of each schema: patterns by the path of the schema. A pattern of the extension matches at any
    depth, so that of the tree excludes the environments.
    """
    found: dict[str, list[str]] = {
        "cesplan.schema.json": [FILE_NAME],
        CASES_SCHEMA_FILE: [CASES_FILE],
        "patch.schema.json": [f"{ENVIRONMENTS}/**/{_PATCHES}"],
    }
    patterns = {name: _patterns(kind, globs) for name, kind in KINDS.items()}
    patterns[RELEASES] = [f"{glob}/{RELEASES}/*{_YAML}" for glob in globs]
    for name, paths in patterns.items():
        found[f"{name}.schema.json"] = [*paths, f"!{ENVIRONMENTS}/**", _TEXTS]
        overlays = (f"{ENVIRONMENTS}/*/{path}" for path in paths)
        found[f"{ENVIRONMENTS}/{name}.schema.json"] = [*overlays, f"!{_PATCHES}", _TEXTS]
    return {
        f"./{OWN_FOLDER}/{SCHEMAS}/{name}": files if len(files) > 1 else files[0]
        for name, files in sorted(found.items())
    }


def _patterns(kind: Kind, globs: Sequence[str]) -> list[str]:
    """The paths of the files of a kind."""
    if kind.is_singleton:
        return [f"{kind.name}{_YAML}"]
    inside = f"{kind.name}/*" if kind.parent is Parent.APP else APP_FILE
    return [f"{glob}/{inside}{_YAML}" for glob in globs]
