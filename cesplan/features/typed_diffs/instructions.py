"""Instructions: the changed sections, and the added and removed mentions of tools, agents, and variables."""

import re
from collections.abc import Iterator

from cesplan.config.checks.mentions import Mentioned, mentions_in
from cesplan.domain.text.typed_diff import TypedDetail, TypedDiff, detail
from cesplan.domain.text.words import count

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_TAG = re.compile(r"<(/?)([A-Za-z_][A-Za-z0-9_.-]{0,60})(?:[ \t][^<>]*)?>")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_CHARACTERS_OF_A_TOKEN = 4
"""A rule of thumb for English with current tokenizers; reports say “about”."""
_DEEPEST = 20
_OUTSIDE = "text outside any section"
_SIGNS = {Mentioned.TOOL: "{{@TOOL: {}}}", Mentioned.AGENT: "{{@AGENT: {}}}", Mentioned.VARIABLE: "{{{}}}"}


def instruction_diff(before: str, after: str) -> TypedDiff:
    """The changes in a prompt, by section and by mention; every word counts, white space does not."""
    size = f"about {_tokens(before):,} → {_tokens(after):,} tokens"
    if before.split() == after.split():
        return TypedDiff(verdict=f"only white space changed; {size}")
    sections = (_sections(before), _sections(after))
    has_sections = sections[0].keys() | sections[1].keys() != {_OUTSIDE}
    touched = tuple(_touched(*sections)) if has_sections else ()
    mentioned = tuple(_mentioned(before, after))
    names = [item.text.rpartition(" ")[0] for item in touched]
    where = f"{len(touched)} sections" if len(touched) > 2 else " and ".join(names)
    news = [item.text for item in mentioned]
    more = [f"and {count(len(news) - 2, 'more mention')}"] if len(news) > 2 else []
    summary = ", ".join([*news[:2], *more])
    verdict = "; ".join(filter(None, [f"in {where}" if where else "", summary, size]))
    return TypedDiff(verdict=verdict, details=(*mentioned, *touched))


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_OF_A_TOKEN)


def _mentioned(before: str, after: str) -> Iterator[TypedDetail]:
    old, new = ({(item.what, item.name) for item in mentions_in(text)} for text in (before, after))
    for what, name in sorted(old - new):
        yield detail(f"no longer mentions {_SIGNS[what].format(name)}", "INS001")
    for what, name in sorted(new - old):
        yield detail(f"now mentions {_SIGNS[what].format(name)}", "INS002")


def _touched(old: dict[str, list[str]], new: dict[str, list[str]]) -> Iterator[TypedDetail]:
    for name in (*old, *(name for name in new if name not in old)):
        if name not in new:
            yield detail(f"{name} removed", "INS003")
        elif name not in old:
            yield detail(f"{name} added", "INS003")
        elif old[name] != new[name]:
            yield detail(f"{name} changed", "INS003")


def _sections(text: str) -> dict[str, list[str]]:
    """The words of each section, by its heading and innermost tag; text with neither is outside sections."""
    found: dict[str, list[str]] = {}
    tags: list[str] = []
    heading = ""
    fence = ""
    closed = {name for closing, name in _TAG.findall(text) if closing}
    for row in text.split("\n"):
        mark = _FENCE.match(row)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        elif not fence:
            if title := _HEADING.match(row):
                heading = " ".join(title[2].split())[:60]
            for closing, name in _TAG.findall(row) if "<" in row else ():
                if not closing and len(tags) < _DEEPEST and name in closed:
                    tags.append(name)
                    heading = ""
        label = _label(tags, heading)
        found.setdefault(label, []).extend(row.split())
        if not fence and "</" in row:
            for closing, name in _TAG.findall(row):
                if closing and name in tags:
                    del tags[len(tags) - 1 - tags[::-1].index(name) :]
                    heading = ""
    return {name: words for name, words in found.items() if words}


def _label(tags: list[str], heading: str) -> str:
    tag = f"<{tags[-1]}>" if tags else ""
    title = f"“{heading}”" if heading else ""
    return " ".join(filter(None, [tag, title])) or _OUTSIDE
