"""
YAML and JSON documents that people write: fault files, scripts, OpenAPI schemas, exports.

JSON is YAML, so one parser handles both. ruamel.yaml is imported with the first document, because importing it
takes longer than the rest of the emulator's startup.

A document may be nested as deeply as a request body. Aliases cannot make it larger than it could be without
them, because a few lines of YAML can represent billions of values.
"""

import json
from pathlib import Path
from typing import Any, Self

from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.schema.bodies import DEEPEST, check_depth

# Far more than in a document written by people.
_MOST_ALIASES = 1000
_MOST_MERGED_KEYS = 10_000
# The most values that aliases may add to a document, which has at most one per character.
_MOST_COPIES = 100_000


def load_document(text: str) -> Any:
    """Return the value of a YAML 1.2 or JSON document. Raise Refused for an invalid one."""
    if text.lstrip()[:1] in ("{", "["):
        found = _json(text)
        if found is not None:
            return found
    from ruamel.yaml.error import YAMLError

    try:
        value = _Plain(len(text) + _MOST_COPIES).value(_reader().load(text))
        check_depth(value)
        return value
    except (YAMLError, ValueError, RecursionError) as error:
        place = str(error).strip().splitlines()
        raise invalid("document", f"this is neither YAML nor JSON: {place[0] if place else error}") from error


class Script:
    """What a person wrote in a file: its classes say how a document is parsed."""

    @classmethod
    def parse(cls, document: object) -> Self:
        """Return the value of a document. Raise Refused for an invalid one."""
        raise NotImplementedError

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a YAML or JSON file. Raise OSError or ValueError, saying what is wrong with it."""
        try:
            return cls.parse(load_document(path.read_text(encoding="utf-8")))
        except Refused as refused:
            raise ValueError(f"{path}: {refused.message}") from refused


def check_keys(row: Any, known: set[str], where: str) -> None:
    """Raise Refused for a part of a script that is not an object, or has an unknown key."""
    if not isinstance(row, dict):
        raise invalid(where, "expected an object")
    for key in sorted(map(str, set(row) - known)):
        raise invalid(f"{where}.{key}", f"unknown; expected one of {', '.join(sorted(known))}")


def _json(text: str) -> Any:
    """Return the value of a JSON object or list, None for other texts. Raise Refused for deep nesting."""
    try:
        value = json.loads(text)
    except RecursionError as error:
        # As YAML it would be just as deep, and take a thousand times longer to detect.
        raise invalid("document", "this is nested too deeply") from error
    except ValueError:
        return None
    try:
        check_depth(value)
    except ValueError as error:
        raise invalid("document", "this is nested too deeply") from error
    return value


def _reader() -> Any:
    """Return a YAML 1.2 parser with the scalars of JSON: a date is a string."""
    from ruamel.yaml import YAML
    from ruamel.yaml.composer import Composer
    from ruamel.yaml.constructor import SafeConstructor

    class BoundedComposer(Composer):
        """Counts aliases."""

        aliases = 0

        def return_alias(self, a: Any) -> Any:
            self.aliases += 1
            if self.aliases > _MOST_ALIASES:
                raise ValueError(f"it has more than {_MOST_ALIASES} aliases")
            return super().return_alias(a)

    class Constructor(SafeConstructor):
        def flatten_mapping(self, node: Any) -> Any:
            super().flatten_mapping(node)
            if len(node.value) > _MOST_MERGED_KEYS and getattr(node, "merge", None):
                raise ValueError(f"merge keys make a mapping of more than {_MOST_MERGED_KEYS} keys")

    Constructor.add_constructor("tag:yaml.org,2002:timestamp", SafeConstructor.construct_yaml_str)
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = Constructor
    yaml.Composer = BoundedComposer
    yaml.max_depth = DEEPEST
    return yaml


class _Plain:
    """Copies YAML values to plain JSON: keys are strings, and no value is shared."""

    def __init__(self, most: int) -> None:
        self._left = most

    def value(self, given: Any) -> Any:
        """Copy a value. Raise ValueError for types that JSON does not have, and for too many values."""
        self._left -= 1
        if self._left < 0:
            raise ValueError("its aliases make it too large")
        match given:
            case dict():
                return {self._key(key): self.value(item) for key, item in given.items()}
            case list():
                return [self.value(item) for item in given]
            case None | bool() | int() | float() | str():
                return given
            case _:
                raise ValueError(f"JSON has no {type(given).__name__}")

    def _key(self, key: Any) -> str:
        return key if isinstance(key, str) else json.dumps(self.value(key))


def dump_yaml(value: Any) -> str:
    """Return YAML in the style of the service."""
    from cesplan.emulator.yaml_text import yaml_text

    return yaml_text(value)
