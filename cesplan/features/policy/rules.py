"""
Reading the policy: rules in cesplan.yaml, and the cases that a project writes for them. Conditions are compiled
here, so that an error in one is shown at its line and column before any request.
"""

import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

from cesplan.config.manifest import Spot
from cesplan.config.report import FileReport, Report, SourceFile
from cesplan.config.suggestions import guess, one_of
from cesplan.config.yaml.nodes import At, Mapping, Node, Sequence, kind_of
from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.policy import Rule, RuleSeverity
from cesplan.features.policy.language import (
    LONGEST_MESSAGE,
    MESSAGE_NAMES,
    MOST_CONDITIONS,
    MOST_RULES,
    ExpressionError,
    compile_expression,
)

CODE = "CES111"
_ASSERT, _DENY = "assert", "deny"
_CONDITIONS = ("when", _ASSERT, _DENY)
_KEYS = ("name", *_CONDITIONS, "message", "severity")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def read_policy(node: Node, source: SourceFile, report: Report) -> tuple[Rule, ...]:
    """The rules of a list; a rule with a mistake is reported and left out."""
    file_report = FileReport(source=source, report=report, code=CODE)
    reader = _Reader(file_report)
    if not isinstance(node, Sequence):
        file_report.problem(node, f"`policy` must be a list of rules, but this is {kind_of(node)}")
        return ()
    if len(node.items) > MOST_RULES:
        file_report.problem(
            node.items[MOST_RULES], f"a policy can have at most {MOST_RULES} rules, but has {len(node.items):,}"
        )
        return ()
    rules = [rule for item in node.items if (rule := reader.rule(item)) is not None]
    return tuple(rules)


class _Reader:
    def __init__(self, report: FileReport) -> None:
        self._report = report
        self._names: set[str] = set()
        self._left = MOST_CONDITIONS
        self._lacks_cel = False

    def rule(self, node: Node) -> Rule | None:
        if not isinstance(node, Mapping):
            self._report.problem(node, f"a rule must be a mapping, but this is {kind_of(node)}")
            return None
        texts = self._report.texts(node, _KEYS, "a rule", _CONDITIONS)
        name = self._name(node, texts)
        is_right = [
            name is not None,
            *(self._is_condition(node, key, texts) for key in _CONDITIONS),
        ]
        is_right += [
            self._has_one_condition(node),
            self._is_message(node, texts),
            len(texts) == len(node.entries),
        ]
        severity = self._severity(node, texts)
        if severity is None or not all(is_right):
            return None
        return Rule(
            name=str(name),
            condition=texts.get(_DENY) or texts[_ASSERT],
            forbids=_DENY in texts,
            when=texts.get("when", ""),
            message=texts.get("message", ""),
            severity=severity,
        )

    def _name(self, node: Mapping, texts: dict[str, str]) -> str | None:
        name, value = texts.get("name"), node.get("name")
        if value is None:
            self._report.problem(
                node, "a rule needs a `name`", "Reports and --allow-policy refer to the rule by its name."
            )
        if name is None or value is None:
            return None
        if not _NAME.fullmatch(name):
            self._report.problem(
                value, f"`{name}` is not a valid name for a rule", "Use letters, digits, `-`, `_`, and `.`."
            )
            return None
        if name in self._names:
            self._report.problem(value, f"duplicate rule `{name}`")
            return None
        self._names.add(name)
        return name

    def _has_one_condition(self, node: Mapping) -> bool:
        given = [key for key in (_ASSERT, _DENY) if key in node.entries]
        if len(given) != 1:
            why = "has both `assert` and `deny`" if given else "needs `assert` or `deny`"
            self._report.problem(node, f"a rule {why}", "`assert` must be true; `deny` must not be true.")
        return len(given) == 1

    def _is_condition(self, node: Mapping, key: str, texts: dict[str, str]) -> bool:
        text, value = texts.get(key), node.get(key)
        if text is None or value is None:
            return True
        was_left = self._left >= 0
        self._left -= len(text)
        if self._left < 0:
            if was_left:
                problem = f"all conditions of a policy together are longer than {MOST_CONDITIONS:,} characters"
                self._report.problem(value, problem)
            return False
        try:
            compile_expression(text)
        except ExpressionError as error:
            spot = place_in(self._report.source, value, text, error)
            problem = f"`{key}` is not a valid condition: {error.text}"
            self._report.report.add(CODE, problem, spot, detail=_names(error))
            return False
        except InvalidConfiguration as error:  # without CEL no condition can be read: reported once
            if not self._lacks_cel:
                self._report.problem(value, error.summary, error.detail)
            self._lacks_cel = True
            return False
        return True

    def _is_message(self, node: Mapping, texts: dict[str, str]) -> bool:
        value = node.get("message")
        if value is None or "message" not in texts:
            return True
        if len(texts["message"]) > LONGEST_MESSAGE:
            self._report.problem(value, f"the message is longer than {LONGEST_MESSAGE:,} characters")
            return False
        wrong = [name for name in _fields(texts["message"]) if name not in MESSAGE_NAMES]
        for name in wrong:
            problem = f"Braces may contain {', '.join(MESSAGE_NAMES)}. To write a literal brace, double it."
            near = guess(name, MESSAGE_NAMES)
            self._report.problem(value, f"the message cannot contain `{{{name}}}`", problem, correction=near)
        return not wrong

    def _severity(self, node: Mapping, texts: dict[str, str]) -> RuleSeverity | None:
        text, value = texts.get("severity", RuleSeverity.DENY), node.get("severity")
        if text in tuple(RuleSeverity):
            return RuleSeverity(text)
        if value is not None:
            choices = tuple(RuleSeverity)
            self._report.problem(
                value,
                f"`severity` cannot be `{text}`",
                f"It must be {one_of(choices)}.",
                correction=guess(text, choices),
            )
        return None


def place_in(source: SourceFile, node: Node, text: str, error: ExpressionError) -> Spot:
    """Where in a file an expression is wrong; the whole value if its lines differ from those in the file."""
    lines = text.split("\n")
    line = lines[error.line - 1] if error.line <= len(lines) else ""
    for number in range(node.start.line, min(node.end.line + 1, len(source.lines))):
        first = node.start.column if number == node.start.line else 0
        column = source.lines[number].find(line, first) if line.strip() else -1
        if column >= 0:
            start = column + error.column - 1
            word = re.match(r"\w+|\S", source.lines[number][start:])
            return source.spot(At(number, start), At(number, start + len(word[0] if word else " ")))
    return source.spot_of(node)


def _names(error: ExpressionError) -> str:
    return (
        "Run `cesplan validate --explain CES111` for the available names." if "undeclared" in error.text else ""
    )


def _fields(text: str) -> Iterator[Any]:
    try:
        for _, name, form, conversion in Formatter().parse(text):
            if name is not None:
                # A format has a width, and a width of 900 million characters would exhaust memory.
                yield name if not form and not conversion else f"{name}{'!' if conversion else ':'}…"
    except ValueError:
        yield "{"
