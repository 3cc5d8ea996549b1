"""
Characters and words that do something where they are only to be read.

Names and texts come from the service, from consoles and from trees of strangers, and end up in files, logs and
terminals. This module lists the active ones; each writer has its own way to neutralize them.
"""

import re

BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks that reorder the text around them (Unicode UAX #9), as part of a class of a pattern."""

HIDDEN = f"\x7f-\x9f\u2028\u2029\ufeff\ufff9-\ufffb\U000e0000-\U000e007f{BIDI}"
"""
The same with control characters (C1; U+009B begins an escape sequence of a terminal), separators of lines, and
what is invisible: marks of byte order and annotation, and tags, in which whole sentences can hide.
"""

WORD_COMMAND = r"(?i:##(?=\[|vso\[|teamcity\[))"
COMMAND = rf"(?P<first>(?m:^)[^\S\n]*):(?=:)|{WORD_COMMAND}"
"""
Patterns for the beginning of a command to a service that runs pipelines, in the log that it reads.

GitHub reads `::set-env …::` at the beginning of a line, white space aside, and `##[…]` anywhere in one; Azure
reads `##vso[…]` anywhere, TeamCity `##teamcity[…]`. GitLab's sections need an escape character.
"""

_BIDI = re.compile(f"[{BIDI}]")
_COMMAND = re.compile(COMMAND)


def commandless(text: str) -> str:
    """A text for a log: a backslash takes the meaning from what would be a command."""
    if "::" not in text and "##" not in text:
        return text
    return _COMMAND.sub(_parted, text)


def has_bidi(text: str) -> bool:
    """Whether a text holds marks that could show it in another order than a machine reads it."""
    return not text.isascii() and _BIDI.search(text) is not None


def _parted(found: re.Match[str]) -> str:
    if (first := found["first"]) is not None:
        return rf"{first}\:"
    return r"#\#"
