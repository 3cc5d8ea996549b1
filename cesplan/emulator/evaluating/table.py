"""
Golden evaluations in a CSV file (product guide, "evaluation batch upload").

A row with a display_name begins an evaluation; each row below it is one step of a turn.
"""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.storage.store import Store

_REQUIRED = ("display_name", "turn_index", "action_type")
_OPTIONAL = {
    *("text_content", "image_mime_type", "image_content", "tool_name", "tool_args_json"),
    *("tool_response_json", "updated_variables_json", "response_agent", "expectation_note"),
}

Line = dict[str, str]


def evaluations_in(data: bytes, app: str, store: Store) -> list[Body | Refused]:
    """Return the evaluations of a file, or the error for each invalid one."""
    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig", "replace")))
    columns = tuple(rows.fieldnames or ())
    if columns[:3] != _REQUIRED:
        raise invalid("csvContent", f"the first columns must be {', '.join(_REQUIRED)}")
    strange = [name for name in columns[3:] if name not in _OPTIONAL]
    if strange:
        raise invalid("csvContent", f"the emulator does not support the column '{strange[0]}'")
    groups: list[list[Line]] = []
    for row in rows:
        if row["display_name"]:
            groups.append([row])
        elif groups:
            groups[-1].append(row)
        else:
            raise invalid("csvContent", "the first row must have a display_name")
    return [_evaluation(group, app, store) for group in groups]


def _evaluation(group: list[Line], app: str, store: Store) -> Body | Refused:
    name = group[0]["display_name"]
    turns: list[list[Body]] = []
    try:
        for row in group[1:]:
            index = int(row["turn_index"] or 0)
            if not len(turns) <= index <= len(turns) + 1 or index == 0:
                raise ValueError("turn_index must begin at 1 and go up by at most 1")
            if index > len(turns):
                turns.append([])
            turns[-1].append(_step(row, app, store))
    except ValueError as error:
        return invalid("csvContent", f"'{name}': {error}")
    return {"displayName": name, "golden": {"turns": [{"steps": steps} for steps in turns]}}


def _step(row: Line, app: str, store: Store) -> Body:
    action = _ACTIONS.get(row["action_type"])
    if action is None:
        raise ValueError(f"the emulator does not support the action_type '{row['action_type']}'")
    step = action(row, _tool(row, app, store))
    if row.get("expectation_note") and "expectation" in step:
        step["expectation"]["note"] = row["expectation_note"]
    return step


def _tool(row: Line, app: str, store: Store) -> Body:
    tool_name = row.get("tool_name") or ""
    for found in store.children(app, "tools") if tool_name else ():
        if found.display_name == tool_name:
            return {"tool": found.name}
    return {"tool": tool_name} if tool_name else {}


def _said(row: Line, column: str) -> str:
    if not row.get(column):
        raise ValueError(f"{row['action_type']} needs {column}")
    return row[column]


def _json(row: Line, column: str) -> Any:
    text = row.get(column) or "{}"
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{column} is not JSON") from error


def _image(row: Line, tool: Body) -> Body:
    return {"image": {"mimeType": _said(row, "image_mime_type"), "data": _said(row, "image_content")}}


def _answered(row: Line, tool: Body) -> Body:
    return {"toolResponses": {"toolResponses": [tool | {"response": _json(row, "tool_response_json")}]}}


def _agent_text(row: Line, tool: Body) -> Body:
    return {"role": _said(row, "response_agent"), "chunks": [{"text": _said(row, "text_content")}]}


_ACTIONS: dict[str, Callable[[Line, Body], Body]] = {
    "INPUT_TEXT": lambda row, tool: {"userInput": {"text": _said(row, "text_content")}},
    "INPUT_IMAGE": lambda row, tool: {"userInput": _image(row, tool)},
    "INPUT_TOOL_RESPONSE": lambda row, tool: {"userInput": _answered(row, tool)},
    "INPUT_UPDATED_VARIABLES": lambda row, tool: {
        "userInput": {"variables": _json(row, "updated_variables_json")}
    },
    "EXPECTATION_TEXT": lambda row, tool: {"expectation": {"agentResponse": _agent_text(row, tool)}},
    "EXPECTATION_TOOL_CALL": lambda row, tool: {
        "expectation": {"toolCall": tool | {"args": _json(row, "tool_args_json")}}
    },
}
