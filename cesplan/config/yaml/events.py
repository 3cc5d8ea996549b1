"""
A text to YAML events: with libyaml if possible, else with ruamel.yaml's pure Python parser.

libyaml is about twenty times faster, but it implements YAML 1.1: inside `[…]` and `{…}` it fails at the `:` of
`https://example.com` and at a question mark, and it treats U+2028 as a line break. So if it refuses a text, it
gets the text again with those characters masked. If it still refuses, the slow parser decides by the rules of
1.2.
"""

import re
from collections.abc import Iterator
from typing import Any

from _ruamel_yaml import CParser  # type: ignore[import-not-found]  # a C module without stubs
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import ScalarEvent

from cesplan.config.yaml.nodes import At
from cesplan.config.yaml.problems import YamlProblem
from cesplan.config.yaml.wording import wording_of

LONGEST_EXACT = 512 * 1024
"""The most characters for the slow parser, which takes some seconds for that many."""

_MOST_DIRECTIVES = 100
"""The most lines that begin with `%`: libyaml compares each `%TAG` with all earlier ones."""

_BREAKS_OF_YAML_1_1 = ("\u2028", "\u2029")
_NOT_PRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
"""
All characters not listed in YAML 1.2, chapter 5.1, and U+0085, which 1.1 and 1.2 parsers treat differently.

The set of refused characters, because compiling the allowed ones takes 3 ms.
"""
_USUAL = bytes((*b"\t\n\r", *range(0x20, 0x7F)))
"""The ASCII characters that YAML allows. To delete them is ten times faster than to search for others."""
_INSIDE_PLAIN = re.compile(r"(?<=[^\s,\[\]{}\"':]):(?=[^\s,\[\]{}])|(?<=[^\s,\[\]{}])\?")
"""A colon or question mark that belongs to a plain scalar by YAML 1.2, chapter 7.3.3, even in `[…]`."""
_LONG_ANCHOR = re.compile(r"(?:^|[\s\[{,])[&*][\w-]+[:?%@`]")
"""An anchor or alias whose name continues after a character where libyaml ends it (YAML 1.2, chapter 6.9.2)."""
_MASKS = {":": "\ue000", "?": "\ue001"}
_UNMASK = {ord(mask): sign for sign, mask in _MASKS.items()}
_LINE_BREAK = re.compile("\r\n|\r|\n")
_SURROGATE = re.compile("[\ud800-\udfff]")


class SyntaxProblem(Exception):
    """The text is not valid YAML."""

    def __init__(self, problem: YamlProblem) -> None:
        super().__init__(problem.summary)
        self.problem = problem


def check_characters(text: str) -> None:
    """Raise SyntaxProblem for a character that YAML does not allow, and for too many directives."""
    if text.startswith(("%", "\ufeff%")):
        _check_directives(text)
    if text.isascii() and not text.encode().translate(None, _USUAL):
        return
    if found := _NOT_PRINTABLE.search(text):
        raise SyntaxProblem(_unprintable(text, found.start()))


def fast_readings(text: str) -> Iterator[Iterator[Any]]:
    """
    Event streams from libyaml, each to try after the previous one failed.

    A stream raises MarkedYAMLError where libyaml refuses the text. There is none if libyaml would deviate from
    YAML 1.2.
    """
    if any(sign in text for sign in _BREAKS_OF_YAML_1_1):
        return
    if ("&" in text or "*" in text) and _LONG_ANCHOR.search(text):
        return
    yield iter(CParser(text).get_event, None)
    masked = _mask(text)
    if masked != text:
        yield _unmasked(iter(CParser(masked).get_event, None))


def _mask(text: str) -> str:
    if any(mask in text for mask in _MASKS.values()):
        return text
    return _INSIDE_PLAIN.sub(lambda found: _MASKS[found[0]], text)


def _unmasked(events: Iterator[Any]) -> Iterator[Any]:
    for event in events:
        if type(event) is ScalarEvent:
            event.value = event.value.translate(_UNMASK)
        yield event


def exact_events(text: str) -> Iterator[Any]:
    """The events by YAML 1.2, from the slow parser. The iterator raises SyntaxProblem."""
    if len(text) > LONGEST_EXACT:
        raise SyntaxProblem(_of_libyaml(text))
    try:
        _, parser = YAML(typ="safe", pure=True).get_constructor_parser(text)
        while (event := parser.get_event()) is not None:
            _refuse_surrogates(event)
            yield event
    except MarkedYAMLError as error:
        raise SyntaxProblem(_problem(error, text)) from error
    except (SyntaxProblem, GeneratorExit):
        raise
    except Exception as error:
        # The slow parser has bugs, such as an IndexError on an odd directive.
        raise SyntaxProblem(_of_libyaml(text)) from error


def _refuse_surrogates(event: Any) -> None:
    value = getattr(event, "value", None)
    if isinstance(value, str) and (found := _SURROGATE.search(value)):
        raise SyntaxProblem(
            YamlProblem(
                code="CES002",
                start=event.start_mark,
                end=event.end_mark,
                summary=f"`\\u{ord(found[0]):04x}` is an unpaired surrogate",
                detail='Write the character itself, or its escape with eight digits: "\\U0001F600".',
            )
        )


def _of_libyaml(text: str) -> YamlProblem:
    try:
        for _ in iter(CParser(text).get_event, None):
            pass
    except MarkedYAMLError as error:
        return _problem(error, text)
    if len(text) > LONGEST_EXACT:
        return YamlProblem(
            code="CES002",
            start=At(0, 0),
            summary=f"more than {LONGEST_EXACT // 1024} KiB of YAML that needs the slow parser",
            detail="It contains U+2028, U+2029 or special characters in an anchor. Move long texts to "
            "their own files and include them with `$file`.",
        )
    return YamlProblem(code="CES002", start=At(0, 0), summary="not valid YAML")


def _problem(error: MarkedYAMLError, text: str) -> YamlProblem:
    lines = _LINE_BREAK.split(text)
    at = error.problem_mark or error.context_mark
    place = At(at.line, at.column) if at else At(0, 0)
    line = lines[place.line] if place.line < len(lines) else ""
    problem = str(error.problem or error.context or "it cannot be read")
    wording = wording_of(problem, str(error.context or ""), line)
    if wording.at_opening and error.context_mark:
        place = At(error.context_mark.line, error.context_mark.column)
    return YamlProblem(
        code="CES002",
        start=place,
        summary=wording.summary,
        detail=wording.detail,
        at_opening=wording.at_opening and "flow" in str(error.context),
    )


def _check_directives(text: str) -> None:
    if text.count("\n%") >= _MOST_DIRECTIVES:
        raise SyntaxProblem(YamlProblem(code="CES002", start=At(0, 0), summary="too many YAML directives"))


def _unprintable(text: str, position: int) -> YamlProblem:
    before = text[:position]
    return YamlProblem(
        code="CES002",
        start=At(before.count("\n"), position - before.rfind("\n") - 1),
        summary=f"the character U+{ord(text[position]):04X} is not allowed in YAML",
        detail="Write it as an escape in double quotes, or move the text to its own file and include "
        "it with `$file`.",
    )
