"""
Values that the service derives from another field of the same message if they are absent.

Each function takes the message and returns all values that the service may derive according to the API's
documentation; none if the source cannot be parsed. The input is untrusted, and nothing is executed.
"""

import ast
import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from cesplan.domain.value import as_text

Derive = Callable[[Mapping[str, Any]], frozenset[str]]

_VERBS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})
"""The members of a path item that are operations (OpenAPI 3.0.4, Path Item Object)."""
_RECENT = 64
"""The number of sources whose results are cached: one tool asks several times."""
_LONGEST_FOR_SLOW_PARSER = 200_000
"""In characters. It takes about 10 µs for each, and a live document may have any length."""


_DEEPEST = 100
"""The most brackets inside each other for the slow parser: it looks at all open ones again for each token."""


def first_function(message: Mapping[str, Any]) -> frozenset[str]:
    """The first function of `pythonCode`, which is called if `PythonFunction.name` is absent."""
    return _first_function(_text(message, "pythonCode"))


def operation_id(message: Mapping[str, Any]) -> frozenset[str]:
    """`operation.operationId` of the document, from which the API derives `OpenApiTool.name`."""
    return _operations(_text(message, "openApiSchema")).ids


def operation_description(message: Mapping[str, Any]) -> frozenset[str]:
    """`operation.description` or `operation.summary`, from which the API derives `OpenApiTool.description`."""
    return _operations(_text(message, "openApiSchema")).descriptions


DERIVATIONS: Mapping[str, Derive] = {
    function.__name__: function for function in (first_function, operation_id, operation_description)
}
"""The functions by the names that marks use for them."""


class _Operations(NamedTuple):
    ids: frozenset[str] = frozenset()
    descriptions: frozenset[str] = frozenset()


def _text(message: Mapping[str, Any], name: str) -> str:
    value = message.get(name)
    return as_text(value)


@lru_cache(maxsize=_RECENT)
def _first_function(code: str) -> frozenset[str]:
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    functions = (item.name for item in body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset([*functions][:1])


@lru_cache(maxsize=_RECENT)
def _operations(document: str) -> _Operations:
    found = [*_operations_of(_read(document))]
    described = (item.get("description") or item.get("summary") for item in found)
    return _Operations(
        ids=frozenset(name for item in found if isinstance(name := item.get("operationId"), str)),
        descriptions=frozenset(text for text in described if isinstance(text, str)),
    )


def _operations_of(document: Any) -> Iterator[dict[str, Any]]:
    paths = document.get("paths") if isinstance(document, dict) else None
    for item in paths.values() if isinstance(paths, dict) else ():
        for verb, operation in item.items() if isinstance(item, dict) else ():
            if verb in _VERBS and isinstance(operation, dict):
                yield operation


def _read(document: str) -> Any:
    """Parse a document in JSON or YAML; None if it is invalid."""
    try:
        return json.loads(document)
    except (ValueError, RecursionError):
        pass
    from ruamel.yaml import YAML  # most plans need no derived names
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.scanner import Scanner

    class BoundedScanner(Scanner):
        def fetch_flow_collection_start(self, TokenClass: Any, to_push: str) -> None:  # noqa: N803  # ruamel's
            if self.flow_level >= _DEEPEST:
                raise YAMLError(f"nested more than {_DEEPEST} levels deep")
            super().fetch_flow_collection_start(TokenClass, to_push)

    # libyaml is fast, but it rejects the colon in `[https://…]`, which YAML 1.2 allows and the slow parser
    # accepts.
    for pure in (False, True) if len(document) <= _LONGEST_FOR_SLOW_PARSER else (False,):
        try:
            parser = YAML(typ="safe", pure=pure)
            if pure:
                parser.Scanner = BoundedScanner
            return parser.load(document)
        except (YAMLError, ValueError, TypeError, LookupError, RecursionError):
            continue
    return None
