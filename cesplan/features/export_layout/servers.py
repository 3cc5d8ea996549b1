"""
The server of an OpenAPI document: an export keeps its URL in environment.json.

The document stays as it is written, but for that one value.
"""

import re

from cesplan.features.export_layout.layout import ENV_VAR

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
