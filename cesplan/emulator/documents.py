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
        except RecursionError as error:
            # Read as YAML it would be as deep, and take a thousand times longer to say so.
            raise invalid("document", "this is nested too deeply") from error
        except ValueError:
            pass
    from ruamel.yaml.error import YAMLError

    try:
        return _plain(_reader().load(text))
    except (YAMLError, ValueError, RecursionError) as error:
        place = str(error).strip().splitlines()
        raise invalid("document", f"this is neither YAML nor JSON: {place[0] if place else error}") from error


def _reader() -> Any:
    """Return a reader of YAML 1.2 whose scalars are those of JSON: a date is a text."""
    from ruamel.yaml import YAML
    from ruamel.yaml.constructor import SafeConstructor

    class Constructor(SafeConstructor):
        pass

    Constructor.add_constructor("tag:yaml.org,2002:timestamp", SafeConstructor.construct_yaml_str)
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = Constructor
    return yaml


def _plain(value: Any) -> Any:
    """Return a value as JSON could hold it: keys are texts. Raise ValueError for other types."""
    match value:
        case dict():
            return {_key(key): _plain(item) for key, item in value.items()}
        case list():
            return [_plain(item) for item in value]
        case None | bool() | int() | float() | str():
            return value
        case _:
            raise ValueError(f"a {type(value).__name__} is no value of JSON")


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(_plain(key))


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
