"""Reading a document with arbitrary content: values of an unexpected type are refused, with their places."""

from typing import Any

from cesplan.emulator.errors import Refused, invalid

Json = dict[str, Any]


def mapping(value: Any, where: str) -> Json:
    """Return an object, an empty one for null. Raise Refused for anything else."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise wrong(where, "an object is expected")
    return value


def sequence(value: Any, where: str) -> list[Any]:
    """Return a list, an empty one for null. Raise Refused for anything else."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise wrong(where, "a list is expected")
    return value


def wrong(where: str, why: str) -> Refused:
    """Return the error for a place in a document."""
    return invalid("openApiSchema", f"{where}: {why}")
