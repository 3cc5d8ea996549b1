"""
Ignoring: the differences that rules keep out of the alarm, and the rules that no longer do so or never did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from cesplan.domain.features.drift import AppDrift, DriftItem, DriftReport
from cesplan.domain.features.ignore_rules import IgnoreRule


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
    by_tree = {tree.root: tree.rules for tree in trees}
    apps = tuple(_app_with_ignored(app, by_tree.get(app.tree, ()), today) for app in report.apps)
    unused: dict[str, str] = {}
    for tree in trees:
        of_tree = [app for app in report.apps if app.tree == tree.root]
        is_complete = is_whole and not any(app.error or app.quick for app in of_tree)
        items = [item for app in of_tree for item in app.items]
        for rule in tree.rules:
            if why := _why_useless(rule, items, today, is_complete=is_complete):
                unused[_label(tree, rule, len(trees))] = why
    return replace(report, apps=apps, unused={**report.unused, **unused})


def joined_unused(reports: Sequence[DriftReport]) -> Mapping[str, str]:
    """What parts of one report say together: a rule is of no use if it is so in each part that has its tree."""
    first, *others = reports or (DriftReport(),)
    return {rule: why for rule, why in first.unused.items() if all(rule in other.unused for other in others)}


def _app_with_ignored(app: AppDrift, rules: Sequence[IgnoreRule], today: date) -> AppDrift:
    valid = [rule for rule in rules if not rule.has_expired(today)]
    if not valid or not app.items:
        return app
    return replace(app, items=tuple(_ignored(item, valid) for item in app.items))


def _ignored(item: DriftItem, rules: Sequence[IgnoreRule]) -> DriftItem:
    reason = next((rule.reason for rule in rules if rule.names(item)), "")
    return replace(item, ignored=reason) if reason else item


def _why_useless(rule: IgnoreRule, items: Sequence[DriftItem], today: date, *, is_complete: bool) -> str:
    if rule.has_expired(today):
        counted = sum(rule.names(item) for item in items if replace(item, ignored="").is_alarming)
        again = f"; it named {counted} of these differences" if counted else ""
        return f"expired after {rule.until}{again}"
    if is_complete and not any(rule.names(item) for item in items):
        return "matches nothing"
    return ""


def _label(tree: Rules, rule: IgnoreRule, trees: int) -> str:
    return f"{tree.root}: {rule}" if trees > 1 else str(rule)
