"""
Templates: texts with `${name}` for the value of a variable, and `$$` for every other `$`.

They describe how a secret text is made without containing the secret. In trees only `${` is special; here every
`$` is doubled, so that templates can be concatenated in any order.
"""

import re
from collections.abc import Iterator, Mapping

_PART = re.compile(r"\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_BY_VARIABLE = re.compile(r"(?<!\$)((?:\$\$)*)(\$\{[A-Za-z_][A-Za-z0-9_]*\})")


def literal(text: str) -> str:
    """The template for a text without variables."""
    return text.replace("$", "$$")


def variable(name: str) -> str:
    """The template for a single variable."""
    return "${" + name + "}"


def fill(template: str, values: Mapping[str, str]) -> str:
    """The text of a template. Raises KeyError for a variable without a value."""
    return _PART.sub(lambda found: values[found[1]] if found[1] else "$", template)


def in_tree(template: str) -> str:
    """
    The template as written in a file of a tree, where only `${` is special.

    Raises ValueError if a `$` is right before a variable: files cannot express that.
    """
    text = ""
    for part in _BY_VARIABLE.split(template):
        is_variable = part.startswith("${")
        if is_variable and text.endswith("$"):
            raise ValueError("a dollar sign is right before a variable")
        text += part if is_variable else part.replace("$$", "$").replace("${", "$${")
    return text


def names(template: str) -> frozenset[str]:
    """The names of the variables in a template."""
    return frozenset(_names(template))


def values_in(template: str, text: str) -> dict[str, str]:
    """
    The values of the variables that turn a template into a text; empty if there are none.

    If two variables are adjacent, their boundary is unknown, and the values are one possibility.
    """
    parts, end = [], 0
    for found in _PART.finditer(template):
        if found[1]:
            parts.append((template[end : found.start()].replace("$$", "$"), found[1]))
            end = found.end()
    tail = template[end:].replace("$$", "$")
    return _from_the_right(parts, text.removesuffix(tail)) if text.endswith(tail) else {}


def _from_the_right(parts: list[tuple[str, str]], text: str) -> dict[str, str]:
    """The values of the variables from the last to the first, found by the text before each."""
    values: dict[str, str] = {}
    end = len(text)
    for number, (literal, name) in reversed([*enumerate(parts)]):
        if name in values:
            begin = end - len(values[name]) - len(literal)
            if begin < 0 or text[begin:end] != literal + values[name]:
                return {}
        else:
            begin = text.rfind(literal, 0, end) if number else (0 if text.startswith(literal) else -1)
            if begin < 0 or begin + len(literal) > end:
                return {}
            values[name] = text[begin + len(literal) : end]
        end = begin
    return values if end == 0 else {}


def _names(template: str) -> Iterator[str]:
    return (found[1] for found in _PART.finditer(template) if found[1])
