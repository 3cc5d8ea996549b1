"""The operations of an OpenAPI 3 document, each of which is a tool of its toolset."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cesplan.emulator.documents import dump_yaml, load_document
from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.openapi.references import References
from cesplan.emulator.openapi.shapes import Json, mapping, wrong

_VERBS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
# The members of a path item that apply to all its operations.
_OF_PATH = ("parameters", "servers", "summary", "description")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation: its id, its path item with the shared members, and the whole document."""

    operation_id: str
    path: str
    verb: str
    description: str
    body: Json
    item: Json
    document: Json

    @property
    def tool_id(self) -> str:
        """Return the id of the operation as a tool of its toolset."""
        return one_underscore(self.operation_id)

    def alone(self, source: str) -> str:
        """Return a document with only this operation, in the format of the source."""
        item = {key: value for key, value in self.item.items() if key == self.verb or key in _OF_PATH}
        document = self.document | {"paths": {self.path: item}}
        return json.dumps(document, indent=2) if source.lstrip()[:1] == "{" else dump_yaml(document)


def one_underscore(operation_id: str) -> str:
    """Return a text with each run of underscores as one, like the service's toolIds (docs/api-facts.md)."""
    return re.sub("_+", "_", operation_id)


def operations_in(text: str) -> list[Operation]:
    """Return the operations of a document, in order. Raise Refused for an invalid document."""
    try:
        document = load_document(text)
    except Refused as refused:
        raise invalid("openApiSchema", refused.message) from refused
    if not isinstance(document, dict) or not isinstance(document.get("paths"), dict):
        raise invalid("openApiSchema", "an object with 'paths' is expected")
    if not str(document.get("openapi", "")).startswith("3"):
        raise wrong("openapi", "a document of OpenAPI 3 is expected")
    found = list(_operations(document))
    counts = Counter(one.tool_id for one in found)
    for one in found:
        if counts[one.tool_id] > 1:
            raise wrong(f"{one.path}.{one.verb}", f"another operation is called '{one.tool_id}'")
    return found


def _operations(document: Json) -> Iterator[Operation]:
    references = References(document)
    for path, raw in document["paths"].items():
        item = references.target(raw, path)
        for verb in _VERBS:
            if verb not in item:
                continue
            body = mapping(item[verb], f"{path}.{verb}")
            name = verb + path.replace("/", "_").replace("{", "").replace("}", "")
            yield Operation(
                operation_id=str(body.get("operationId") or name),
                path=path,
                verb=verb,
                description=str(body.get("description") or body.get("summary") or ""),
                body=body,
                item=item,
                document=document,
            )
