"""
Templates: texts with `${name}` where the value of a variable goes, and `$$` for every other `$`.

They say how a secret text is made without saying the secret. In trees only `${` is special; here every `$` is
doubled, so that templates may be put together in any order.
"""

import re
from collections.abc import Iterator, Mapping

_PART = re.compile(r"\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_BY_VARIABLE = re.compile(r"(?<!\$)((?:\$\$)*)(\$\{[A-Za-z_][A-Za-z0-9_]*\})")


def literal(text: str) -> str:
    """The template of a text without variables."""
    return text.replace("$", "$$")


def variable(name: str) -> str:
    """The template of a variable alone."""
    return "${" + name + "}"


def fill(template: str, values: Mapping[str, str]) -> str:
    """The text that a template makes. Raises KeyError for a variable without a value."""
    return _PART.sub(lambda found: values[found[1]] if found[1] else "$", template)


def in_tree(template: str) -> str:
    """
    The template as a file of a tree says it, where only `${` is special.

    Raises ValueError if a `$` is right before a variable: files cannot express that.
    """
    text = ""
    for part in _BY_VARIABLE.split(template):
        is_variable = part.startswith("${")
        if is_variable and text.endswith("$"):
            raise ValueError("a dollar sign stands before a variable")
        text += part if is_variable else part.replace("$$", "$").replace("${", "$${")
    return text


def names(template: str) -> frozenset[str]:
    """The variables of a template."""
    return frozenset(_names(template))


def values_in(template: str, text: str) -> dict[str, str]:
    """
    The values of the variables with which a template made a text; empty if the text was not made so.

    If two variables touch, the boundary is unknown: the values are one possibility.
    """
    pattern, seen, end = "", set[str](), 0
    for found in _PART.finditer(template):
        pattern += re.escape(template[end : found.start()])
        end = found.end()
        name = found[1]
        pattern += re.escape("$") if not name else f"(?P={name})" if name in seen else f"(?P<{name}>.*)"
        seen |= {name} if name else set()
    made = re.fullmatch(pattern + re.escape(template[end:]), text, re.DOTALL)
    return made.groupdict() if made else {}


def _names(template: str) -> Iterator[str]:
    return (found[1] for found in _PART.finditer(template) if found[1])
