"""
The errors of the YAML parsers, reworded for people who rarely write YAML.

A parser reports what its grammar expected. This module says what is usually wrong.
"""

import re
from dataclasses import replace
from typing import NamedTuple

from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """A summary and a detail. `at_opening` places it where the unclosed quote or bracket begins."""

    summary: str
    detail: str = ""
    at_opening: bool = False


def wording_of(problem: str, context: str, source_line: str) -> Wording:
    """The wording for a parser's `problem`, found in `context` on a source line."""
    for rule in _RULES:
        found = re.search(rule.problem, problem)
        if found and rule.context in context and rule.source_line in source_line:
            summary, detail = map(found.expand, (rule.wording.summary, rule.wording.detail))
            return replace(rule.wording, summary=summary, detail=detail)
    return Wording(f"not YAML: {problem}", f"The parser stopped {context}." if context else "")


class _Rule(NamedTuple):
    r"""A pattern in the problem, texts in its context and line, and the wording, in which `\1` is a group."""

    problem: str
    wording: Wording
    context: str = ""
    source_line: str = ""


_BRACKET = Wording("unclosed bracket", "The file ends before its `]` or `}`.", at_opening=True)
_EXPECTED = "^expected ',' or '(.)', but got '.*'"

_RULES = (
    _Rule(
        r"\\t|tab",
        Wording(
            "a tab where YAML requires spaces",
            "YAML allows only spaces for indentation. Replace the tab with spaces.",
        ),
    ),
    _Rule(
        "end of stream",
        Wording("unclosed quote", "Add the same quote at the end of the text.", at_opening=True),
        context="quoted scalar",
    ),
    _Rule("^expected ',' or '.', but got '<stream end>'", _BRACKET),
    _Rule(
        _EXPECTED,
        Wording("`${…}` needs quotes here", 'Braces have a special meaning inside brackets. Write "${name}".'),
        source_line="${",
    ),
    _Rule(
        _EXPECTED, Wording(r"missing `,` or `\1`", r"A bracket that was opened earlier needs a closing `\1`.")
    ),
    _Rule("stream end", _BRACKET, context="flow"),
    _Rule(
        "mapping values are not allowed",
        Wording(
            "`: ` is not allowed here",
            "Quote a text that contains a colon followed by a space, or check the indentation of the line.",
        ),
    ),
    _Rule(
        "^found character '(.+)' that cannot start any token",
        Wording(r"a value cannot begin with `\1`", "Quote the value."),
    ),
    _Rule(
        "<block end>",
        Wording(
            "the indentation does not match the lines above",
            "All fields of a mapping, and all elements of a list, must begin in the same column.",
        ),
    ),
    _Rule(
        "could not find expected ':'",
        Wording("the line is not a `field: value` pair", "A `:` may be missing in this line or above."),
    ),
)
