"""
YAML and JSON documents that people write: files of faults, scripts, OpenAPI schemas, exports.

JSON is YAML, so one reader serves both. ruamel.yaml is imported when the first document is read:
it takes longer than the rest of the emulator's start.
"""

import io
import json
from typing import Any

from cesplan.emulator.errors import invalid


def load_document(text: str) -> Any:
    """Return the value of a YAML 1.2 or JSON document. Raise Refused where it is none."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except ValueError:
            pass
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError) as error:
        place = str(error).strip().splitlines()
        raise invalid("document", f"this is neither YAML nor JSON: {place[0] if place else error}") from error


def dump_yaml(value: Any) -> str:
    """Return YAML as the service writes it: 80 columns, `|` for several lines (FACTS §6)."""
    from ruamel.yaml import YAML
    from ruamel.yaml.scalarstring import LiteralScalarString

    def marked(item: Any) -> Any:
        match item:
            case dict():
                return {key: marked(inner) for key, inner in item.items()}
            case list():
                return [marked(inner) for inner in item]
            case str() if "\n" in item:
                return LiteralScalarString(item)
            case _:
                return item

    yaml = YAML()
    yaml.width = 80
    out = io.StringIO()
    yaml.dump(marked(value), out)
    return out.getvalue()
