"""Judging: every rule is asked about every operation; what breaks one becomes a verdict."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cesplan.domain.address import parse_address
from cesplan.domain.features.policy import Rule, Verdict
from cesplan.features.policy.language import MESSAGE_NAMES, Expression, Undecided, compile_expression

Subject: TypeAlias = Mapping[str, Any]
"""What rules know of one operation, by the names of `features.policy.language.SUBJECT`."""

_NO_KEY = "Key not found"
"""How the CEL library begins what it says of a field that a message does not have."""
_MAY_BE_ABSENT = "use `after.?field.orValue(…)` for a field that may be unset"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compiled:
    rule: Rule
    when: Expression | None
    condition: Expression


def judge(rules: Sequence[Rule], subjects: Iterable[Subject]) -> tuple[Verdict, ...]:
    """
    The verdicts, by operation and then by rule.

    A rule that cannot be decided for an operation counts as broken, and its verdict says why: what nobody can
    tell must not pass. Raises ExpressionError for a condition that is none; the tree is read before.
    """
    compiled = [_compiled(rule) for rule in rules]
    return tuple(found for subject in subjects for item in compiled for found in _verdicts(item, subject))


def _compiled(rule: Rule) -> _Compiled:
    return _Compiled(
        rule=rule,
        when=compile_expression(rule.when) if rule.when else None,
        condition=compile_expression(rule.condition),
    )


def _verdicts(item: _Compiled, subject: Subject) -> Iterator[Verdict]:
    try:
        is_meant = item.when is None or item.when.holds(subject)
        is_broken = is_meant and item.condition.holds(subject) is item.rule.forbids
        said = _message(item.rule, subject)
    except Undecided as error:
        is_broken = True
        why = _why(error, subject, item.rule)
        said = f"{subject['address']}: this rule cannot be evaluated: {why}"
    if is_broken:
        yield Verdict(
            rule=item.rule.name,
            severity=item.rule.severity,
            address=parse_address(str(subject["address"])),
            message=said,
        )


def _why(error: Undecided, subject: Subject, rule: Rule) -> str:
    """The words of CEL, and what is behind them: what the operation has none of, or a field that is not set."""
    asked = re.findall(r"\w+", f"{rule.when} {rule.condition}")
    absent = [name for name in ("before", "after") if subject.get(name) is None and name in asked]
    if absent:
        return f"{error}; `{absent[0]}` is null for a {subject['action']}"
    return f"{error}; {_MAY_BE_ABSENT}" if _NO_KEY in str(error) else str(error)


def _message(rule: Rule, subject: Subject) -> str:
    if not rule.message:
        return f"{subject['address']} violates this rule"
    return rule.message.format(**{name: subject.get(name, "") for name in MESSAGE_NAMES})
