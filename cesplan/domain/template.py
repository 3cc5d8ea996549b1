"""
Templates: texts with `${name}` where the value of a variable goes, and `$$` for every other `$`.

They say how a secret text is made without saying the secret. In trees only `${` is special; here every `$` is
doubled, so that templates may be put together in any order.
"""

import re
from collections.abc import Iterator, Mapping

_PART = re.compile(r"\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def literal(text: str) -> str:
    """The template of a text in which no variable stands."""
    return text.replace("$", "$$")


def variable(name: str) -> str:
    """The template of a variable alone."""
    return "${" + name + "}"


def fill(template: str, values: Mapping[str, str]) -> str:
    """The text that a template makes. Raises KeyError for a variable without a value."""
    return _PART.sub(lambda found: values[found[1]] if found[1] else "$", template)


def names(template: str) -> frozenset[str]:
    """The variables of a template."""
    return frozenset(_names(template))


def _names(template: str) -> Iterator[str]:
    return (found[1] for found in _PART.finditer(template) if found[1])
