"""
The tools that every app has from the start. They are listed only on request and cannot be changed.

It is verified that these three are `systemTool`s with these ids (docs/api-facts.md). Their `description` in the
service is not imitated.
"""

import re

from cesplan.emulator.http.encoding import row_of
from cesplan.emulator.storage.store import Row

SYSTEM_TOOLS = ("customize_response", "end_session", "transfer_to_agent")
_LIST_FILTER = re.compile(r'\s*include_system_tools\s*=\s*("?)(true|false)\1\s*')


def is_system_tool(name: str) -> bool:
    """Say whether a resource name is the name of a system tool."""
    parts = name.split("/")
    return len(parts) == 8 and parts[6] == "tools" and parts[7] in SYSTEM_TOOLS


def asked_for(text: str) -> bool | None:
    """Say whether the filter of a list asks for system tools, None if it is about something else."""
    found = _LIST_FILTER.fullmatch(text)
    return None if found is None else found[2] == "true"


def system_tools(app: Row) -> list[Row]:
    """Return the system tools of an app."""
    return [system_tool(app, tool) for tool in SYSTEM_TOOLS]


def system_tool(app: Row, tool: str) -> Row:
    """Return one system tool of an app, with the create time of the app."""
    body = {"systemTool": {"name": tool}, "displayName": tool}
    return row_of(f"{app.name}/tools/{tool}", body, created=app.create_time, updated=app.create_time)
