"""Reading policy_test.yaml: the cases that a project writes for its rules."""

from collections.abc import Sequence as SequenceOf
from pathlib import Path
from typing import Any

from cesplan.config.files import Files
from cesplan.config.report import FileReport, Report
from cesplan.config.suggestions import Guess, nearest, one_of
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence, kind_of, plain, text_of
from cesplan.domain.address import parse_address
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.features.policy import PolicyCase, Rule, RuleSeverity
from cesplan.domain.plan import Action
from cesplan.features.policy.language import SUBJECT

CASES_FILE = "policy_test.yaml"
CASES_SCHEMA_FILE = "policy_test.schema.json"
_KEYS = ("name", "operation", "expect", "rules")


def read_cases(root: Path, rules: SequenceOf[Rule]) -> tuple[tuple[PolicyCase, ...], tuple[Diagnostic, ...]]:
    """The cases of a tree, and the problems in them; without the file there are none."""
    report = Report()
    if not (root / CASES_FILE).exists():
        return (), ()
    found = Files(root, report).sequence(CASES_FILE)
    if found is None:
        return (), report.diagnostics
    source, nodes = found
    file_report = FileReport(source=source, report=report, code="CES112")
    reader = _Reader(file_report, {rule.name for rule in rules})
    cases = [case for node in nodes.items if (case := reader.case(node)) is not None]
    return tuple(cases), report.diagnostics


class _Reader:
    def __init__(self, report: FileReport, rules: set[str]) -> None:
        self._report = report
        self._rules = sorted(rules)

    def case(self, node: Node) -> PolicyCase | None:
        if not isinstance(node, Mapping):
            self._report.problem(node, f"a case must be a mapping, but this is {kind_of(node)}")
            return None
        self._report.unknown_keys(node, _KEYS, "a case")
        operation = self._operation(node)
        expected = self._expected(node)
        rules = self._asked(node)
        named = node.get("name")
        name = text_of(named)
        if not name:
            self._report.problem(named or node, "a case needs a `name`, which must be a string")
            return None
        if operation is None or expected is None or rules is None:
            return None
        place = self._report.source.spot_of(node).place
        return PolicyCase(name=name, place=place, operation=operation, expected=expected, rules=rules)

    def _operation(self, node: Mapping) -> dict[str, Any] | None:
        found = node.get("operation")
        if not isinstance(found, Mapping):
            self._report.problem(found or node, "a case needs an `operation`, which must be a mapping")
            return None
        self._report.unknown_keys(found, SUBJECT, "an operation")
        operation: dict[str, Any] = plain(found)
        address = found.get("address")
        try:
            parse_address(str(operation.get("address", "")))
        except ValueError as error:
            self._report.problem(address or found, f"an operation needs an `address`: {error}")
            return None
        action = found.get("action")
        if action is not None and plain(action) not in tuple(Action):
            self._report.problem(action, f"`action` must be {one_of(tuple(Action))}")
            return None
        return operation if self._has_types(found) else None

    def _has_types(self, node: Mapping) -> bool:
        """True if every name has the type that rules expect."""
        right = True
        for name, _, value in node:
            expected = SUBJECT.get(name, "")
            fits = (
                not expected
                or expected == "dyn"
                or isinstance(plain(value), list if "list" in expected else str)
            )
            if not fits:
                self._report.problem(value, f"`{name}` cannot be {kind_of(value)}")
            right = right and fits
        return right

    def _expected(self, node: Mapping) -> dict[str, RuleSeverity] | None:
        found = node.get("expect")
        if found is None or (isinstance(found, Scalar) and found.value is None):
            self._report.problem(
                found or node, "a case needs `expect`", "`expect: {}` means that no rule is violated."
            )
            return None
        if not isinstance(found, Mapping):
            self._report.problem(found, f"`expect` must map rules to severities, but this is {kind_of(found)}")
            return None
        expected: dict[str, RuleSeverity] = {}
        for name, key, value in found:
            if self._is_rule(name, key) and plain(value) in tuple(RuleSeverity):
                expected[name] = RuleSeverity(plain(value))
            elif name in self._rules:
                self._report.problem(value, f"a severity must be {one_of(tuple(RuleSeverity))}")
        return expected if len(expected) == len(found.entries) else None

    def _asked(self, node: Mapping) -> tuple[str, ...] | None:
        found = node.get("rules")
        if found is None:
            return ()
        if not isinstance(found, Sequence):
            self._report.problem(found, f"`rules` must be a list of names, but this is {kind_of(found)}")
            return None
        right = [self._is_rule(str(plain(item)), item) for item in found.items]
        return tuple(str(plain(item)) for item in found.items) if all(right) else None

    def _is_rule(self, name: str, node: Node) -> bool:
        if name not in self._rules:
            self._report.problem(
                node, f"unknown rule `{name}`", correction=Guess(name, nearest(name, self._rules))
            )
        return name in self._rules
