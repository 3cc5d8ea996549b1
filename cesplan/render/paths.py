"""Finding a value by a path in its text form, as `DesiredResource.files` and reports write it."""

import re
from typing import Any

_SEGMENT = re.compile(
    r'\["(?P<entry>(?:[^"\\]|\\.)*)"\]|\[(?P<index>\d+)\]|\[(?P<field>[\w.]+)=(?P<value>[^\]]*)\]|\.?(?P<name>[^.\[\]]+)'
)


def find(body: Any, path: str) -> Any:
    """The value at `a.b[0].c`, `a["key"]` or `a[name=x].b`; None where there is none."""
    value = body
    for segment in _SEGMENT.finditer(path):
        value = _step(value, segment)
    return value


def _step(value: Any, segment: "re.Match[str]") -> Any:
    if segment["index"] is not None:
        place = int(segment["index"])
        return value[place] if isinstance(value, list) and place < len(value) else None
    if segment["field"] is not None:
        elements = value if isinstance(value, list) else []
        return next((item for item in elements if find(item, segment["field"]) == segment["value"]), None)
    name = segment["entry"] if segment["entry"] is not None else segment["name"]
    return value.get(name) if isinstance(value, dict) else None
