"""
The errors of the YAML parsers, reworded for people who rarely write YAML.

A parser reports what its grammar expected. This module says what is usually wrong.
"""

import re
from collections.abc import Callable

from cesplan.domain.frozen import dataclass

_EXPECTED = re.compile(r"expected ',' or '(.)', but got '(.*)'")
_NO_START = re.compile(r"found character '(.+)' that cannot start any token")


@dataclass(frozen=True, slots=True)
class Wording:
    """A summary and a detail. `at_opening` places it where the unclosed quote or bracket begins."""

    summary: str
    detail: str = ""
    at_opening: bool = False


def wording_of(problem: str, context: str, source_line: str) -> Wording:
    """The wording for a parser's `problem`, found in `context` on a source line."""
    for rule in _RULES:
        found = rule(problem, context, source_line)
        if found is not None:
            return found
    return Wording(f"not YAML: {problem}", f"The parser stopped {context}." if context else "")


def _tab(problem: str, context: str, source_line: str) -> Wording | None:
    if "\\t" not in problem and "tab" not in problem:
        return None
    return Wording(
        "a tab where YAML requires spaces",
        "YAML allows only spaces for indentation. Replace the tab with spaces.",
    )


def _unclosed_quote(problem: str, context: str, source_line: str) -> Wording | None:
    if "quoted scalar" not in context or "end of stream" not in problem:
        return None
    return Wording("unclosed quote", "Add the same quote at the end of the text.", at_opening=True)


def _unclosed_bracket(problem: str, context: str, source_line: str) -> Wording | None:
    found = _EXPECTED.match(problem)
    if not found and not ("stream end" in problem and "flow" in context):
        return None
    if not found or found[2] == "<stream end>":
        return Wording("unclosed bracket", "The file ends before its `]` or `}`.", at_opening=True)
    if "${" in source_line:
        return Wording(
            "`${…}` needs quotes here", 'Braces have a special meaning inside brackets. Write "${name}".'
        )
    return Wording(
        f"missing `,` or `{found[1]}`", f"A bracket that was opened earlier needs a closing `{found[1]}`."
    )


def _colon(problem: str, context: str, source_line: str) -> Wording | None:
    if "mapping values are not allowed" not in problem:
        return None
    return Wording(
        "`: ` is not allowed here",
        "Quote a text that contains a colon followed by a space, or check the indentation of the line.",
    )


def _first_sign(problem: str, context: str, source_line: str) -> Wording | None:
    found = _NO_START.match(problem)
    return Wording(f"a value cannot begin with `{found[1]}`", "Quote the value.") if found else None


def _indentation(problem: str, context: str, source_line: str) -> Wording | None:
    if "<block end>" not in problem:
        return None
    return Wording(
        "the indentation does not match the lines above",
        "All fields of a mapping, and all elements of a list, must begin in the same column.",
    )


def _no_colon(problem: str, context: str, source_line: str) -> Wording | None:
    if "could not find expected ':'" not in problem:
        return None
    return Wording("the line is not a `field: value` pair", "A `:` may be missing in this line or above.")


_RULES: tuple[Callable[[str, str, str], Wording | None], ...] = (
    _tab,
    _unclosed_quote,
    _unclosed_bracket,
    _colon,
    _first_sign,
    _indentation,
    _no_colon,
)
