"""Reading `drift` of cesplan.yaml: the rules that keep accepted differences out of the drift alarm."""

import re
from collections.abc import Callable
from datetime import date
from typing import TypeVar

from cesplan.config.report import FileReport
from cesplan.config.yaml.nodes import Mapping, Node, Sequence, kind_of
from cesplan.domain.features.ignore_rules import LONGEST_PATTERN, FieldPattern, IgnoreRule

MOST_RULES = 500
"""Each rule is checked against each difference."""
LONGEST_REASON = 1000

_IGNORE = "ignore"
_KEYS = ("address", "field", "reason", "until")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_SHAPE = (
    "Write `drift: {ignore: [{address: agents/*, field: modelSettings.*, reason: why, until: 2026-12-31}]}`."
)

_T = TypeVar("_T")


def read_ignore_rules(node: Node, report: FileReport) -> tuple[IgnoreRule, ...]:
    """The rules under `drift`; a rule with a mistake is reported and left out."""
    if not isinstance(node, Mapping):
        report.problem(node, f"`drift` must be a mapping, but this is {kind_of(node)}", _SHAPE)
        return ()
    for name, key, _ in node:
        if name != _IGNORE:
            report.problem(key, f"unknown key `{name}` in `drift`", "Known keys: ignore.")
    rules = node.get(_IGNORE)
    if rules is None:
        return ()
    if not isinstance(rules, Sequence):
        report.problem(rules, f"`ignore` must be a list of rules, but this is {kind_of(rules)}", _SHAPE)
        return ()
    if len(rules.items) > MOST_RULES:
        report.problem(rules.items[MOST_RULES], f"`ignore` can have at most {MOST_RULES} rules")
        return ()
    reader = _Reader(report)
    return tuple(rule for item in rules.items if (rule := reader.rule(item)) is not None)


class _Reader:
    def __init__(self, report: FileReport) -> None:
        self._report = report

    def rule(self, node: Node) -> IgnoreRule | None:
        if not isinstance(node, Mapping):
            self._report.problem(node, f"an ignore rule must be a mapping, but this is {kind_of(node)}", _SHAPE)
            return None
        texts = self._report.texts(node, _KEYS, "an ignore rule")
        if "reason" not in node.entries:
            self._report.problem(
                node, "an ignore rule needs a `reason`", "Reports show it beside each difference."
            )
        if "address" not in node.entries and "field" not in node.entries:
            self._report.problem(
                node, "an ignore rule needs an `address` or a `field`", "Without one it would match everything."
            )
        address = self._value(node, texts, "address", _address)
        field = self._value(node, texts, "field", FieldPattern.parse)
        reason = self._value(node, texts, "reason", _reason)
        until = self._value(node, texts, "until", _date)
        read = {"address": address, "field": field, "reason": reason, "until": until}
        is_whole = len(texts) == len(node.entries) and all(read[name] is not None for name in texts)
        if not is_whole or not reason or not (address or field):
            return None
        return IgnoreRule(address=address or "", field=field, reason=reason, until=until)

    def _value(self, node: Mapping, texts: dict[str, str], name: str, parse: Callable[[str], _T]) -> _T | None:
        text, value = texts.get(name), node.get(name)
        if text is None or value is None:
            return None
        try:
            return parse(text.strip())
        except ValueError as error:
            self._report.problem(value, f"the `{name}` of an ignore rule is not valid", str(error))
            return None


def _address(text: str) -> str:
    if len(text) > LONGEST_PATTERN or len(text.rstrip("/").split("/")) > 3 or not all(text.split("/")):
        raise ValueError(
            "A pattern is <app>, <app>/<kind>/<key>, <kind>/<key> or <kind>; `*` matches any text in one part."
        )
    return text


def _reason(text: str) -> str:
    if len(text) > LONGEST_REASON:
        raise ValueError(f"It is longer than {LONGEST_REASON:,} characters.")
    return " ".join(text.split())


def _date(text: str) -> date:
    if not _DAY.fullmatch(text):
        raise ValueError("Write the last day on which the rule applies, such as 2026-12-31.")
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text} is not a valid date.") from None
