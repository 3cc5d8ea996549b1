"""
A text into YAML events, by libyaml where it can, by ruamel.yaml's own parser where it cannot.

libyaml is some twenty times faster but reads YAML 1.1: it stops at `[https://example.com]` and takes U+2028
for a line break. Whatever it refuses is read again by the slow parser with the rules of 1.2, whose word is
final; so both give the same events for the same text.
"""

import re
from collections.abc import Iterator
from typing import Any

from _ruamel_yaml import CParser  # type: ignore[import-not-found]  # a C module without stubs
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError

from cesplan.config.yaml.nodes import At
from cesplan.config.yaml.problems import Problem

_BREAKS_OF_YAML_1_1 = re.compile("[\u2028\u2029]")
_NOT_PRINTABLE = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""YAML 1.2, chapter 5.1; and U+0085, which readers of 1.1 and 1.2 take for different things."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class SyntaxProblem(Exception):
    """The text is no YAML; carries the problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.summary)
        self.problem = problem


def check_characters(text: str) -> None:
    """Raise SyntaxProblem for a character that YAML does not allow."""
    if found := _NOT_PRINTABLE.search(text):
        raise SyntaxProblem(_unprintable(text, found.start()))


def fast_events(text: str) -> Iterator[Any] | None:
    """
    The events that libyaml gives, one by one; None where YAML 1.1 would read something else.

    The iterator raises MarkedYAMLError at what libyaml refuses: YAML 1.2 may allow it.
    """
    if _BREAKS_OF_YAML_1_1.search(text):
        return None
    return iter(CParser(text).get_event, None)


def exact_events(text: str) -> Iterator[Any]:
    """The events of YAML 1.2, slowly. The iterator raises SyntaxProblem."""
    try:
        _, parser = YAML(typ="safe", pure=True).get_constructor_parser(text)
        while (event := parser.get_event()) is not None:
            _refuse_surrogates(event)
            yield event
    except MarkedYAMLError as error:
        raise SyntaxProblem(_problem(error)) from error
    except (SyntaxProblem, GeneratorExit):
        raise
    except Exception as error:
        # The slow parser has slips of its own, such as an IndexError on an odd directive.
        raise SyntaxProblem(_of_libyaml(text)) from error


def _refuse_surrogates(event: Any) -> None:
    value = getattr(event, "value", None)
    if isinstance(value, str) and (found := _SURROGATE.search(value)):
        raise SyntaxProblem(
            Problem(
                code="CES002",
                start=event.start_mark,
                end=event.end_mark,
                summary=f"`\\u{ord(found[0]):04x}` is half a character",
                detail='Write the character itself, or its escape with eight digits: "\\U0001F600".',
            )
        )


def _of_libyaml(text: str) -> Problem:
    try:
        list(iter(CParser(text).get_event, None))
    except MarkedYAMLError as error:
        return _problem(error)
    return Problem(code="CES002", start=At(0, 0), summary="not YAML: it cannot be read")


def _problem(error: MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    place = At(mark.line, mark.column) if mark else At(0, 0)
    problem = str(error.problem or error.context or "it cannot be read")
    if "\\t" in problem or "tab" in problem:
        return Problem(
            code="CES002",
            start=place,
            summary="a tab where YAML wants spaces",
            detail="YAML is indented and separated with spaces only: replace the tab with spaces.",
        )
    detail = f"It happened {error.context}" if error.context and error.problem else ""
    if detail and error.context_mark:
        detail += f" that begins in line {error.context_mark.line + 1}"
    return Problem(code="CES002", start=place, summary=f"not YAML: {problem}", detail=detail and f"{detail}.")


def _unprintable(text: str, position: int) -> Problem:
    before = text[:position]
    return Problem(
        code="CES002",
        start=At(before.count("\n"), position - before.rfind("\n") - 1),
        summary=f"the character U+{ord(text[position]):04X} cannot stand in YAML",
        detail="Write it as an escape in double quotes, or take the text in from a file with $file.",
    )
