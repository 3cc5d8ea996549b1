"""
Names of the layout: its folders and files (docs/api-facts.md).
"""

import re

from cesplan.domain.address import KindName
from cesplan.model.kinds import KINDS, Parent, kind_of

ENVIRONMENT = "environment.json"
ENV_VAR = "$env_var"
"""The placeholder of a field whose value is in environment.json."""

COMMENT = "_comment"
"""The prefix of keys that are notes in hand-written apps."""

FOLDERS = tuple(sorted(name for name, kind in KINDS.items() if kind.in_export and kind.parent is Parent.APP))
"""The kinds in an export, each with a folder."""

ENVIRONMENT_FIELDS = frozenset(
    {
        ("ApiKeyConfig", "apiKeySecretVersion"),
        ("ApiKeyConfig", "keyName"),
        ("AudioRecordingConfig", "gcsBucket"),
        ("BigQueryExportSettings", "dataset"),
        ("BigQueryExportSettings", "project"),
        ("ConnectorTool", "connection"),
        ("ConnectorToolset", "connection"),
        ("DataStore", "name"),
        ("DataStoreTool.BoostSpecs", "dataStores"),
        ("DataStoreTool.EngineSource", "engine"),
        ("FileSearchTool", "fileCorpus"),
        ("OAuthConfig", "clientSecretVersion"),
        ("OAuthConfig", "tokenEndpoint"),
        ("ServiceAccountAuthConfig", "serviceAccount"),
    }
)
"""Message and field of the values that an export moves into environment.json. The server URL of an OpenAPI
document moves too."""

LEAKED = frozenset({"displayName", "invalid"})
"""Output-only fields that exports contain anyway (docs/api-facts.md)."""

LEAKED_FIELDS = frozenset({("PythonFunction", "description")})
"""More such fields, by message: the description that the service derives from the docstring."""

LEAKED_TITLES = {"AgentTransfer": "targetAgent"}
"""
Messages whose output-only `displayName` is in exports anyway: the title of the resource in the given field.
"""

_EXTENSIONS = {"python": "py", "yaml": "yaml", "markdown": "txt", "text": "txt"}
_IN_FILES = frozenset({("App", "globalInstruction"), ("Agent", "instruction")})
_CODE = ("pythonCode", "openApiSchema")
_NOT_IN_STEMS = re.compile(r"[^A-Za-z0-9_-]")


def stem(display_name: str) -> str:
    """The name of a resource's folder and file."""
    return _NOT_IN_STEMS.sub("_", display_name)


def snake(name: str) -> str:
    """`openApiSchema` → `open_api_schema`."""
    return re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", name)


def is_in_file(message: str, field: str) -> bool:
    """Whether the value of a field is the path of a file."""
    return (message, field) in _IN_FILES or field in _CODE


def extension(language: str) -> str:
    """The file extension of a language."""
    return _EXTENSIONS.get(language, "txt")


def environment_key(kind: KindName) -> str:
    """The type in environment.json: the folder, and `app` for the app itself."""
    return "app" if kind_of(kind).container else kind


_SECTION = re.compile(r"^servers:[ \t]*\n((?:[ \t]*(?:-|#)[^\n]*\n|[ \t]+[^\n]*\n|[ \t]*\n)+)", re.MULTILINE)
_URL = re.compile(r"^([ \t]*(?:-[ \t]+)?url:[ \t]+)(['\"]?)([^\s'\"#]+)\2[ \t]*$", re.MULTILINE)


def with_variable(document: str) -> tuple[str, str]:
    """A document with `$env_var` for the URL of its server, and that URL; empty unless there is one server."""
    section = _SECTION.search(document if document.endswith("\n") else f"{document}\n")
    found = list(_URL.finditer(section[1])) if section else []
    if section is None or len(found) != 1 or found[0][3] == ENV_VAR:
        return document, ""
    start, end = (section.start(1) + place for place in found[0].span())
    return f"{document[:start]}{found[0][1]}{ENV_VAR}{document[end:]}", found[0][3]
