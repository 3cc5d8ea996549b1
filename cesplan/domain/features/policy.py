"""
Policy: rules over the operations of a plan, written by a project, and what they say of a plan.

A rule is a condition in CEL (the Common Expression Language); how it is evaluated is not known here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any

from cesplan.domain.address import Address
from cesplan.domain.diagnostic import SourcePlace
from cesplan.domain.frozen import dataclass


class RuleSeverity(StrEnum):
    """What comes of an operation that breaks a rule."""

    DENY = "deny"
    NEEDS_APPROVAL = "needs-approval"
    WARN = "warn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """
    One rule of cesplan.yaml.

    `when` selects operations (empty: all); `condition` must hold for them, or must not where the rule
    `forbids`. `message` may hold names in braces: `{address}`.
    """

    name: str
    condition: str
    forbids: bool = False
    when: str = ""
    message: str = ""
    severity: RuleSeverity = RuleSeverity.DENY


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An operation violates a rule, or it cannot be evaluated; `approved` by a person, with a flag."""

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
        """The verdict on one line, with the flag that lifts it where one does."""
        said = f"policy `{self.rule}`: {self.message}"
        return f"{said}; approve it with --allow-policy {self.rule}" if self.is_open else said


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """
    A proof that the rules say what they should: an operation, and what they are expected to say of it.

    `operation` holds as much of it as the rules look at. `expected` are the rules that it breaks; of `rules`
    only these are asked (empty: all).
    """

    name: str
    place: SourcePlace
    operation: Mapping[str, Any]
    expected: Mapping[str, RuleSeverity]
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The result of a case: expected violations that are missing, and unexpected ones."""

    case: Case
    missing: tuple[str, ...] = ()
    surprising: tuple[Verdict, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.missing and not self.surprising


def approved(verdicts: Iterable[Verdict], names: Iterable[str]) -> tuple[Verdict, ...]:
    """The verdicts after a person has approved the rules of these names."""
    given = frozenset(names)
    return tuple(
        replace(item, approved=True) if item.is_open and item.rule in given else item for item in verdicts
    )
