"""The operations of an OpenAPI 3 document, each of which is a tool of its toolset."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cesplan.emulator.documents import dump_yaml, load_document
from cesplan.emulator.errors import Refused, invalid

_VERBS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
# What belongs to the path as a whole, whichever operation is taken out of it.
_OF_PATH = ("parameters", "servers", "summary", "description")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation; `tool_id` is its operationId, `document` the whole it stands in."""

    tool_id: str
    path: str
    verb: str
    description: str
    body: Json
    document: Json

    def alone(self, source: str) -> str:
        """Return a document with this operation only, in the format of the source."""
        item = {key: self.document["paths"][self.path][key] for key in self._kept()}
        document = self.document | {"paths": {self.path: item}}
        return json.dumps(document, indent=2) if source.lstrip()[:1] == "{" else dump_yaml(document)

    def _kept(self) -> list[str]:
        return [key for key in self.document["paths"][self.path] if key == self.verb or key in _OF_PATH]


def operations_in(text: str) -> list[Operation]:
    """Return the operations of a document, in its order. Raise Refused for what is no document."""
    try:
        document = load_document(text)
    except Refused as refused:
        raise invalid("openApiSchema", refused.message) from refused
    if not isinstance(document, dict) or not isinstance(document.get("paths"), dict):
        raise invalid("openApiSchema", "an object with 'paths' is expected")
    return list(_operations(document))


def _operations(document: Json) -> Iterator[Operation]:
    for path, item in document["paths"].items():
        for verb in _VERBS:
            body = item.get(verb) if isinstance(item, dict) else None
            if isinstance(body, dict):
                made = verb + path.replace("/", "_").replace("{", "").replace("}", "")
                yield Operation(
                    tool_id=str(body.get("operationId") or made),
                    path=path,
                    verb=verb,
                    description=str(body.get("description") or body.get("summary") or ""),
                    body=body,
                    document=document,
                )
