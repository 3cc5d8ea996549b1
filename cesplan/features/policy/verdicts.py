"""
Judging: every rule is asked about every operation; what breaks one becomes a verdict.

The total cost has a limit, computed and not measured, so that the same plan always gives the same result.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any, TypeAlias

from cesplan.domain.address import parse_address
from cesplan.domain.features.policy import Rule, RuleVerdict
from cesplan.domain.frozen import dataclass
from cesplan.features.policy.cost import MOST_WORK, Size, Sizes, cost, cost_of_bound
from cesplan.features.policy.language import (
    LONGEST_MESSAGE,
    MESSAGE_NAMES,
    Expression,
    Undecided,
    compile_expression,
    sizes_of,
)

Subject: TypeAlias = Mapping[str, Any]
"""What rules know of one operation, by the names of `features.policy.language.SUBJECT`."""

MOST_WORK_TOGETHER = 25_000_000_000
"""Of all rules for all operations, in the unit of `cost`: at most some two minutes, and usually far less."""
MOST_VERDICTS = 50_000
"""All verdicts are in memory at once, and in every report."""

_NO_KEY = "Key not found"
"""The start of the CEL library's error for a missing field."""
_MAY_BE_ABSENT = "use `after.?field.orValue(…)` for a field that may be unset"


class TooMuchWork(Exception):
    """More than the limit for all rules together: the text says of what."""


@dataclass(slots=True)
class Budget:
    """The remaining budget, for one plan or for all cases of a tree."""

    work: int = MOST_WORK_TOGETHER
    verdicts: int = MOST_VERDICTS

    def spend(self, work: int) -> None:
        self.work -= work
        if self.work < 0:
            raise TooMuchWork("its rules take too much work for this many operations")

    def note(self) -> None:
        """One more verdict."""
        self.verdicts -= 1
        if self.verdicts < 0:
            raise TooMuchWork(f"its rules are violated more than {MOST_VERDICTS:,} times")


@dataclass(slots=True)
class _Condition:
    """A condition, with what it costs for operations of each size."""

    expression: Expression
    costs: dict[Sizes, int] = field(default_factory=dict)

    def holds(self, subject: Subject, sizes: Mapping[str, Size], budget: Budget) -> bool:
        own = self.expression.sizes(sizes)
        if own not in self.costs:
            budget.spend(cost_of_bound(self.expression.checked))
            self.costs[own] = cost(self.expression.checked, own)
        work = self.costs[own]
        budget.spend(min(work, MOST_WORK))
        return self.expression.holds(subject, work)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compiled:
    rule: Rule
    when: _Condition | None
    condition: _Condition


def rule_verdicts(
    rules: Sequence[Rule], subjects: Iterable[Subject], budget: Budget | None = None
) -> tuple[RuleVerdict, ...]:
    """
    The verdicts, by operation and then by rule.

    A rule that cannot be evaluated for an operation counts as violated, and its verdict says why. Raises
    ExpressionError for an invalid condition, and TooMuchWork if the budget does not suffice (without one: the
    limits for one plan).
    """
    budget = budget or Budget()
    compiled = [_compiled(rule) for rule in rules]
    found: list[RuleVerdict] = []
    for subject in subjects:
        sizes = sizes_of(subject)
        for item in compiled:
            for verdict in _verdicts(item, subject, sizes, budget):
                budget.note()
                found.append(verdict)
    return tuple(found)


def _compiled(rule: Rule) -> _Compiled:
    return _Compiled(
        rule=rule,
        when=_Condition(compile_expression(rule.when)) if rule.when else None,
        condition=_Condition(compile_expression(rule.condition)),
    )


def _verdicts(
    item: _Compiled, subject: Subject, sizes: Mapping[str, Size], budget: Budget
) -> Iterator[RuleVerdict]:
    try:
        applies = item.when is None or item.when.holds(subject, sizes, budget)
        is_broken = applies and item.condition.holds(subject, sizes, budget) is item.rule.forbids
        message = _message(item.rule, subject) if is_broken else ""
    except Undecided as error:
        is_broken = True
        why = _why(error, subject, item.rule)
        message = f"{subject['address']}: this rule cannot be evaluated: {why}"
    if is_broken:
        yield RuleVerdict(
            rule=item.rule.name,
            severity=item.rule.severity,
            address=parse_address(str(subject["address"])),
            message=message,
        )


def _why(error: Undecided, subject: Subject, rule: Rule) -> str:
    """CEL's own error, and its cause: a value that the operation lacks, or a field that is not set."""
    words = _words(rule)
    absent = [name for name in ("before", "after") if subject.get(name) is None and name in words]
    if absent:
        return f"{error}; `{absent[0]}` is null for a {subject['action']}"
    return f"{error}; {_MAY_BE_ABSENT}" if _NO_KEY in str(error) else str(error)


@lru_cache(maxsize=1_000)
def _words(rule: Rule) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", f"{rule.when} {rule.condition}"))


def _message(rule: Rule, subject: Subject) -> str:
    if not rule.message:
        return f"{subject['address']} violates this rule"
    return rule.message.format(**{name: str(subject.get(name, ""))[:LONGEST_MESSAGE] for name in MESSAGE_NAMES})
