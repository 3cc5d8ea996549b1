"""Names of folders and files, the values in separate files, and the values of the environment."""

import re
from collections.abc import Iterable

# The kinds of an archive, in the order in which an import writes them.
FOLDERS = (
    *("tools", "toolsets", "guardrails", "agents", "examples"),
    *("evaluationExpectations", "evaluations", "evaluationDatasets"),
)
# Deleted by an import with OVERWRITE (reference), which does not mention the evaluation kinds.
OVERWRITTEN = ("examples", "agents", "guardrails", "toolsets", "tools")
ENVIRONMENT = "environment.json"
PLACEHOLDER = "$env_var"

# Fields whose value is the path of a file, by message ('' is any) and field, with the file's name.
_FILES = {
    ("App", "globalInstruction"): "global_instruction.txt",
    ("Agent", "instruction"): "instruction.txt",
    ("", "pythonCode"): "python_code.py",
    ("", "openApiSchema"): "open_api_schema.yaml",
}
# Fields whose value belongs to the environment.
_ENVIRONMENT = {
    ("ApiKeyConfig", "keyName"),
    ("ApiKeyConfig", "apiKeySecretVersion"),
    ("AudioRecordingConfig", "gcsBucket"),
    ("DataStoreTool.BoostSpecs", "dataStores"),
    ("ConnectorTool", "connection"),
    ("ConnectorToolset", "connection"),
    ("DataStore", "name"),
    ("DataStoreTool.EngineSource", "engine"),
    ("FileSearchTool", "fileCorpus"),
    ("OAuthConfig", "clientSecretVersion"),
    ("OAuthConfig", "tokenEndpoint"),
    ("ServiceAccountAuthConfig", "serviceAccount"),
    ("BigQueryExportSettings", "project"),
    ("BigQueryExportSettings", "dataset"),
}


def file_name(message: str, field: str) -> str:
    """Return the name of the file with a field's value, '' if the value is inline."""
    return _FILES.get((message, field)) or _FILES.get(("", field), "")


def is_environment(message: str, field: str) -> bool:
    """Say whether a field's value is in environment.json."""
    return (message, field) in _ENVIRONMENT


def stem(display_name: str) -> str:
    """
    Return the name of a folder and file: every character except letters, digits, `_`, and `-` becomes `_`.
    """
    return re.sub(r"[^A-Za-z0-9_-]", "_", display_name) or "_"


def stems(display_names: Iterable[str]) -> list[str]:
    """Return a stem for each name. If two would be the same, the later one gets a number."""
    numbers: dict[str, int] = {}
    used: set[str] = set()
    found: list[str] = []
    for name in display_names:
        candidate = first = stem(name)
        while candidate in used:
            numbers[first] = numbers.get(first, 1) + 1
            candidate = f"{first}_{numbers[first]}"
        used.add(candidate)
        found.append(candidate)
    return found


def snake(name: str) -> str:
    """Return a JSON name in snake_case, as in folder names."""
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
