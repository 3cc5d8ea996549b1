"""Mentions in braces in an instruction: tools, agents, and variables."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

_MENTION = re.compile(r"\{@(TOOL|AGENT)[ \t]*:([^{}\n]*)\}", re.IGNORECASE)
_VARIABLE = re.compile(r"(?<![{$\\])\{([A-Za-z_][A-Za-z0-9_]*)\}(?!\})")
_CODE = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)|`[^`\n]+`", re.MULTILINE | re.DOTALL)
"""Fenced blocks and inline code (CommonMark): braces in them are examples."""


class Mentioned(StrEnum):
    TOOL = "tool"
    AGENT = "agent"
    VARIABLE = "variable"


class Mention(NamedTuple):
    """One mention: the name as written, and its offset in the text (in characters, from 0)."""

    what: Mentioned
    name: str
    offset: int


def mentions_in(text: str) -> Iterator[Mention]:
    """All mentions in a text, tools and agents first. `{{name}}` and code are skipped."""
    for found in _MENTION.finditer(text):
        name = found[2].strip()
        offset = found.start(2) + found[2].index(name)
        yield Mention(what=Mentioned(found[1].lower()), name=name, offset=offset)
    if "{" not in text:
        return
    code = [found.span() for found in _CODE.finditer(text)]
    starts = [start for start, _ in code]
    for found in _VARIABLE.finditer(text):
        before = bisect_right(starts, found.start()) - 1
        if before < 0 or found.start() >= code[before][1]:
            yield Mention(what=Mentioned.VARIABLE, name=found[1], offset=found.start(1))
