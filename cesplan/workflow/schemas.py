"""The JSON Schemas of all files of a tree: those of the models and those of features."""

from pathlib import Path

from cesplan.config.writing.outputs import check_output_folder
from cesplan.config.writing.saving import save
from cesplan.features.policy.cases import CASES_SCHEMA_FILE
from cesplan.features.policy.editor_schema import policy_cases_schema
from cesplan.model.editor_schemas.files import DIALECT, schema_text
from cesplan.model.editor_schemas.files import schemas as model_schemas
from cesplan.model.editor_schemas.values import JsonSchema


def schemas() -> dict[str, JsonSchema]:
    """Every schema by the path of its file: `agents.schema.json`, …, `environments/agents.schema.json`, …"""
    cases = {CASES_SCHEMA_FILE: {"$schema": DIALECT, **policy_cases_schema()}}
    return dict(sorted({**model_schemas(), **cases}.items()))


def write_schemas(folder: Path) -> tuple[Path, ...]:
    """
    Write all schemas into a folder, which is made where it is missing. Returns the paths.

    Raises UsageError for a link that leads elsewhere, and CesplanError for what cannot be written.
    """
    check_output_folder(folder)
    texts = {name: schema_text(schema) for name, schema in schemas().items()}
    save(folder, texts)
    return tuple(folder / name for name in texts)
