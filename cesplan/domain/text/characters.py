"""
Characters and words that act when they should only be read.

Names and texts come from the service, from the console, and from trees of strangers, and end up in files, logs,
and terminals. This module lists the dangerous ones. Each writer neutralizes them in its own way.
"""

import re

BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks that reorder the text around them (Unicode UAX #9), for a character class."""

HIDDEN = f"\x7f-\x9f\u2028\u2029\ufeff\ufff9-\ufffb\U000e0000-\U000e007f{BIDI}"
"""
BIDI and also control characters (C1; U+009B begins a terminal escape sequence), line separators, and invisible
characters: byte order marks, annotations, and tags, which can hide whole sentences.
"""

WORD_COMMAND = r"(?i:##(?=\[|vso\[|teamcity\[))"
COMMAND = rf"(?P<first>(?m:^)[^\S\n]*):(?=:)|{WORD_COMMAND}"
"""
Patterns for the start of a workflow command in the log of a CI service.

GitHub reads `::set-env …::` at the beginning of a line, after optional white space, and `##[…]` anywhere. Azure
reads `##vso[…]` anywhere, TeamCity `##teamcity[…]`. GitLab's sections need an escape character.
"""

_BIDI = re.compile(f"[{BIDI}]")
_COMMAND = re.compile(COMMAND)


def commandless(text: str) -> str:
    """A text that is safe in a CI log: a backslash disables whatever would be a command."""
    if "::" not in text and "##" not in text:
        return text
    return _COMMAND.sub(_parted, text)


def has_bidi(text: str) -> bool:
    """Whether a text holds marks that can make it read differently to a person than to a machine."""
    return not text.isascii() and _BIDI.search(text) is not None


def _parted(found: re.Match[str]) -> str:
    if (first := found["first"]) is not None:
        return rf"{first}\:"
    return r"#\#"
