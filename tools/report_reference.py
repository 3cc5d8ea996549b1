"""
Write docs/reports.md: the members of every JSON report, as its schema has them.

Run after a change of a shape in `render/machine/formats`: `make docs`. A test holds the page to it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cesplan.workflow.reference.schemas import report_schemas

PAGE = Path(__file__).parents[1] / "docs" / "reports.md"
_HEAD = """\
# JSON for machines

Every output with `--format json` or `--report json=FILE` is one JSON document, and every line with the format
`jsonl` is one event. `schemas/reports/` has a JSON Schema of each; `cesplan schema --out DIR` writes them too.

`format_version` is `<major>.<minor>`. A new minor version only adds members, so a reader ignores members that
it does not know. A new major version changes the meaning of existing members, and cesplan refuses a plan file
that has one. A command that ends in an error writes [an error](#error) in place of its report, and a stale plan
[its own report](#stale). Members that can be missing are marked *optional*.

"""


def page() -> str:
    """The text of docs/reports.md."""
    found = {Path(name).name.partition(".")[0]: schema for name, schema in report_schemas().items()}
    shapes: dict[str, Any] = {}
    for schema in found.values():
        shapes |= schema.get("$defs", {})
    firsts = ((name, schema["description"].partition("\n")[0]) for name, schema in found.items())
    rows = [_HEAD, *(f"- [{name}](#{name}): {first}\n" for name, first in firsts)]
    for name, schema in found.items():
        rows.append(f"\n## {name}\n\n{schema['description']} Schema: `schemas/reports/{name}.schema.json`.\n\n")
        rows += _events(schema, shapes) if name == "events" else _members(schema, shapes)
    rows.append("\n## Objects\n")
    for name, shape in sorted(shapes.items()):
        if "properties" in shape:
            rows += [f"\n### {name}\n\n{shape['description']}\n\n", *_members(shape, shapes)]
    return "".join(rows)


def _events(schema: dict[str, Any], shapes: dict[str, Any]) -> Iterator[str]:
    yield "| `type` | other members |\n|---|---|\n"
    for item in schema["allOf"]:
        kinds = [_kind(one, shapes) for one in item["then"]["anyOf"]]
        yield f"| `{item['if']['properties']['type']['const']}` | {' or '.join(kinds)} |\n"


def _members(schema: dict[str, Any], shapes: dict[str, Any]) -> Iterator[str]:
    yield "| member | type | meaning |\n|---|---|---|\n"
    for name, member in schema["properties"].items():
        optional = "" if name in schema.get("required", ()) else " *Optional.*"
        meaning = " ".join(member["description"].split())  # a row of a table is one line
        yield f"| `{name}` | {_kind(member, shapes)} | {meaning}{optional} |\n"


def _kind(member: dict[str, Any], shapes: dict[str, Any]) -> str:
    """The type of a member, in a few words."""
    match member:
        case {"$ref": ref}:
            name = ref.rpartition("/")[2]
            shape = shapes[name]
            return f"[{name}](#{name.lower()})" if "properties" in shape else _kind(shape, shapes)
        case {"enum": values}:
            return " or ".join(f"`{value}`" if value else "empty" for value in values)
        case {"const": value}:
            return f"`{value}`"
        case {"anyOf": kinds} | {"oneOf": kinds}:
            return " or ".join(_kind(kind, shapes) for kind in kinds)
        case {"type": "array", "prefixItems": [item]}:
            return f"list of one {_kind(item, shapes)}"
        case {"type": "array", "items": item}:
            return f"list of {_kind(item, shapes)}"
        case {"type": "object", "additionalProperties": dict() as value}:
            return f"object of {_kind(value, shapes)}"
        case {"type": kind}:
            return str(kind)
    return "any value"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
