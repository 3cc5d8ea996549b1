"""
Scrubbing: secrets that stand in live values, found by the values that the tree's variables have today.

The service returns what it was sent, so a header that is renamed or dropped comes back with its token in
clear. What equals or contains a known secret becomes a secret itself before anything can show it.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from cesplan.domain.desired import Desired
from cesplan.domain.value import Secret

_SHORTEST_PART = 6
"""Inside a longer text a shorter secret than this would match by accident; whole texts match at any length."""


class Scrubber:
    """Knows the secrets of one run."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._known = {item.text: item for item in secrets if item.text}

    def scrub(self, value: Any) -> Any:
        """A copy of a value in which every text that holds a known secret is one."""
        if not self._known:
            return value
        match value:
            case str():
                return self._text(value)
            case dict():
                return {key: self.scrub(item) for key, item in value.items()}
            case list():
                return [self.scrub(item) for item in value]
        return value

    def _text(self, text: str) -> Any:
        if text in self._known:
            return Secret(self._known[text].variables, text)
        inside = [item for known, item in self._known.items() if len(known) >= _SHORTEST_PART and known in text]
        names = sorted({name for item in inside for name in item.variables})
        return Secret(tuple(names), text) if names else text


def scrubber_of(desired: Desired) -> Scrubber:
    """A scrubber for every secret that the tree uses anywhere."""
    files = (*(item for app in desired.apps for item in app.all()), *desired.location_resources)
    return Scrubber(secret for file in files for secret in _secrets(file.body))


def _secrets(value: Any) -> Iterator[Secret]:
    match value:
        case Secret():
            yield value
        case dict():
            for item in value.values():
                yield from _secrets(item)
        case list() | tuple():
            for item in value:
                yield from _secrets(item)
