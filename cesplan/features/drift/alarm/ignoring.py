"""
Ignoring: the differences that rules keep out of the alarm, and the rules that no longer do so or never did.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from cesplan.domain.address import Address
from cesplan.domain.choice import compiled, names_of
from cesplan.domain.features.drift import AppDrift, DriftItem, DriftReport
from cesplan.domain.features.ignore_rules import IgnoreRule
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one tree. `root` is its folder as it was given, which is how apps name it."""

    root: str
    rules: Sequence[IgnoreRule]


def with_ignored(
    report: DriftReport, trees: Sequence[Rules], *, today: date, is_whole: bool = True
) -> DriftReport:
    """
    The same report with the reason of a rule on each difference that it names, and the rules that are of no
    use.

    The first rule that names a difference gives its reason. A report that `is_whole` covers all of its apps, or
    all of those of its shard; of one that was narrowed it cannot be said that a rule matches nothing.
    """
    judges = {tree.root: _Judge(tree.rules, today) for tree in trees}
    apps = tuple(judges[app.tree].judged(app) if app.tree in judges else app for app in report.apps)
    unused: dict[str, str] = {}
    for tree in trees:
        of_tree = [app for app in report.apps if app.tree == tree.root]
        is_complete = is_whole and not any(app.error or app.quick for app in of_tree)
        for rule, why in judges[tree.root].useless(is_complete=is_complete):
            unused[_label(tree, rule, len(trees))] = why
    return replace(report, apps=apps, unused={**report.unused, **unused})


def joined_unused(reports: Sequence[DriftReport]) -> Mapping[str, str]:
    """What parts of one report say together: a rule is of no use if it is so in each part that has its tree."""
    first, *others = reports or (DriftReport(),)
    return {rule: why for rule, why in first.unused.items() if all(rule in other.unused for other in others)}


class _Judge:
    """The rules of one tree over all of its differences; most addresses cost one look into a table."""

    def __init__(self, rules: Sequence[IgnoreRule], today: date) -> None:
        self._rules = rules
        self._expired = [rule.has_expired(today) for rule in rules]
        self._named: Counter[int] = Counter()
        """How many differences each rule names, by its position."""
        self._alarming: Counter[int] = Counter()
        self._everywhere: list[int] = []
        self._exact: dict[str, list[int]] = {}
        self._patterns: list[tuple[int, re.Pattern[str]]] = []
        for position, rule in enumerate(rules):
            if not rule.address:
                self._everywhere.append(position)
            elif "*" in rule.address:
                self._patterns.append((position, compiled(rule.address)))
            else:
                self._exact.setdefault(rule.address.rstrip("/"), []).append(position)
        self._found: dict[Address, tuple[int, ...]] = {}

    def judged(self, app: AppDrift) -> AppDrift:
        """The same app with the reasons of rules."""
        if not self._rules or not app.items:
            return app
        return replace(app, items=tuple(map(self._judged, app.items)))

    def useless(self, *, is_complete: bool) -> Iterator[tuple[IgnoreRule, str]]:
        """The rules that are of no use, and why, once all apps were judged."""
        for position, rule in enumerate(self._rules):
            if self._expired[position]:
                counted = self._alarming[position]
                again = f"; it named {counted} of these differences" if counted else ""
                yield rule, f"expired after {rule.until}{again}"
            elif is_complete and not self._named[position]:
                yield rule, "matches nothing"

    def _judged(self, item: DriftItem) -> DriftItem:
        is_alarming = replace(item, ignored="").is_alarming
        reason = ""
        for position in self._candidates(item.address):
            rule = self._rules[position]
            if rule.names_field(item):
                self._named[position] += 1
                self._alarming[position] += is_alarming
                reason = reason or ("" if self._expired[position] else rule.reason)
        return replace(item, ignored=reason) if reason else item

    def _candidates(self, address: Address) -> tuple[int, ...]:
        """The positions of the rules whose address matches a resource, in order."""
        if address not in self._found:
            names = names_of(address)
            found = {*self._everywhere, *(place for name in names for place in self._exact.get(name, ()))}
            found |= {place for place, pattern in self._patterns if any(map(pattern.fullmatch, names))}
            self._found[address] = tuple(sorted(found))
        return self._found[address]


def _label(tree: Rules, rule: IgnoreRule, trees: int) -> str:
    return f"{tree.root}: {rule}" if trees > 1 else str(rule)
