"""
Policy: a project's rules for the operations of a plan, and their verdicts.

A rule is a condition in CEL (the Common Expression Language). Evaluation is in `cesplan.features.policy`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any

from cesplan.domain.address import Address
from cesplan.domain.diagnostic import SourcePlace
from cesplan.domain.frozen import dataclass


class RuleSeverity(StrEnum):
    """The consequence for an operation that violates a rule."""

    DENY = "deny"
    NEEDS_APPROVAL = "needs-approval"
    WARN = "warn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """
    One rule of cesplan.yaml.

    `when` selects operations (empty: all). `condition` must be true for them, or false if the rule `forbids`
    it. `message` may contain names in braces: `{address}`.
    """

    name: str
    condition: str
    forbids: bool = False
    when: str = ""
    message: str = ""
    severity: RuleSeverity = RuleSeverity.DENY


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleVerdict:
    """An operation violates a rule, or the rule cannot be evaluated. A person `approved` it with a flag."""

    rule: str
    severity: RuleSeverity
    address: Address
    message: str
    approved: bool = False

    @property
    def is_open(self) -> bool:
        """True while someone has to approve it."""
        return self.severity is RuleSeverity.NEEDS_APPROVAL and not self.approved

    @property
    def text(self) -> str:
        """The verdict on one line, with the flag that approves it, if there is one."""
        head = f"policy `{self.rule}`: {self.message}"
        return f"{head}; approve it with --allow-policy {self.rule}" if self.is_open else head


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyCase:
    """
    A test case for the rules: an operation, and the rules that it is expected to violate.

    `operation` has only the members that the rules use. `expected` are the rules that it violates. Only `rules`
    are evaluated (empty: all).
    """

    name: str
    place: SourcePlace
    operation: Mapping[str, Any]
    expected: Mapping[str, RuleSeverity]
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The result of a test case: missing and unexpected violations."""

    case: PolicyCase
    missing: tuple[str, ...] = ()
    surprising: tuple[RuleVerdict, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.missing and not self.surprising


def approved(verdicts: Iterable[RuleVerdict], names: Iterable[str]) -> tuple[RuleVerdict, ...]:
    """The verdicts after a person approved the rules with these names."""
    given = frozenset(names)
    return tuple(
        replace(item, approved=True) if item.is_open and item.rule in given else item for item in verdicts
    )
