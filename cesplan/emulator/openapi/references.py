"""The $refs inside a document."""

from typing import Any
from urllib.parse import unquote

from cesplan.emulator.openapi.shapes import Json, mapping, wrong


class References:
    """Follows the $refs of one document."""

    def __init__(self, document: Json) -> None:
        self._document = document

    def target(self, value: Any, where: str) -> Json:
        """Return the object that a value is or refers to. Raise Refused if there is none."""
        return self.followed(value, where)[0]

    def followed(self, value: Any, where: str) -> tuple[Json, frozenset[str]]:
        """Return the object that a value is or refers to, and the $refs that were followed."""
        passed: list[str] = []
        found = mapping(value, where)
        while "$ref" in found:
            ref = str(found["$ref"])
            if ref in passed:
                raise wrong(where, f"'{ref}' refers back to itself")
            passed.append(ref)
            found = mapping(self._at(ref, where), ref)
        return found, frozenset(passed)

    def _at(self, ref: str, where: str) -> Any:
        """Return the value at a JSON pointer (RFC 6901) into the document."""
        if not ref.startswith("#/"):
            raise wrong(where, f"'{ref}' points outside the document, which the emulator does not follow")
        found: Any = self._document
        for part in ref[2:].split("/"):
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or key not in found:
                raise wrong(where, f"'{ref}' points to nothing")
            found = found[key]
        return found
