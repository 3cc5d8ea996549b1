"""
Reading cesplan.yaml: its sections are checked key by key, before an environment is selected.

A Section is the top level or one environment; both hold settings and variables.
"""

import re
from collections.abc import Callable
from collections.abc import Mapping as MappingOf
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from cesplan.config.manifest import Spot
from cesplan.config.project.declarations import read_declarations
from cesplan.config.project.variables import Declaration
from cesplan.config.report import FileReport, Report, SourceFile
from cesplan.config.suggestions import guess, one_of
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence, kind_of, plain
from cesplan.domain.features.policy import Rule
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import SETTINGS

if TYPE_CHECKING:
    from cesplan.domain.features.ignore_rules import IgnoreRule

FILE_NAME = "cesplan.yaml"
POLICY = "policy"
"""The key of the policy rules. Only commands that make plans read its value."""
DRIFT = "drift"
"""The key of the settings for the drift alarm."""
FORMAT = 1
"""The only valid value of the key `cesplan`: the version of the file format."""

PROTECT = "protect"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
"""The keys of an environment."""

_VARIABLES, _ENVIRONMENTS, _FORMAT_KEY = "variables", "environments", "cesplan"
_TOP_KEYS = (_FORMAT_KEY, *SETTINGS, _VARIABLES, _ENVIRONMENTS, POLICY, DRIFT)
_ENVIRONMENT_KEYS = (*(name for name, item in SETTINGS.items() if item.in_environment), _VARIABLES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """
    The top level or an environment: its settings, the `names` of all its keys, and its variables.

    `protect` are its protection patterns with their places. `spot` is where an environment begins.
    """

    settings: MappingOf[str, Any] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    variables: MappingOf[str, Declaration] = field(default_factory=dict)
    protect: MappingOf[str, Spot] = field(default_factory=dict)
    spot: Spot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """Everything in cesplan.yaml."""

    source: SourceFile
    top: Section
    environments: MappingOf[str, Section]
    policy: tuple[Rule, ...] = ()
    ignore_rules: "tuple[IgnoreRule, ...]" = ()


PolicyReader: TypeAlias = Callable[[Node, SourceFile, Report], tuple[Rule, ...]]
"""Reads the rules under `policy`, and reports mistakes."""


def no_policy(node: Node, source: SourceFile, report: Report) -> tuple[Rule, ...]:
    """Skip the rules, for commands that make no plan."""
    return ()


def read_project_file(
    source: SourceFile, root: Mapping, report: Report, read_policy: PolicyReader = no_policy
) -> ProjectFile:
    """Read cesplan.yaml. Invalid parts are reported and left out. `read_policy` reads the rules."""
    file_report = FileReport(source=source, report=report, code="CES006")
    reader = _Reader(file_report)
    reader.check_format(root)
    top = reader.section(root, _TOP_KEYS, None)
    environments = root.get(_ENVIRONMENTS)
    sections = reader.environments(environments, top) if environments else {}
    policy = root.get(POLICY)
    rules = read_policy(policy, source, report) if policy else ()
    drift = root.get(DRIFT)
    ignored = _ignore_rules(drift, file_report) if drift else ()
    return ProjectFile(source=source, top=top, environments=sections, policy=rules, ignore_rules=ignored)


def _ignore_rules(node: Node, report: FileReport) -> "tuple[IgnoreRule, ...]":
    from cesplan.config.project.drift import read_ignore_rules  # few trees have any

    return read_ignore_rules(node, report)


class _Reader:
    def __init__(self, report: FileReport) -> None:
        self._report = report

    def check_format(self, root: Mapping) -> None:
        node = root.get(_FORMAT_KEY)
        if node is None:
            self._report.problem(
                root, "the key `cesplan` is missing", f"Begin the file with `cesplan: {FORMAT}`."
            )
        elif plain(node) != FORMAT:
            self._report.problem(node, f"`cesplan` must be {FORMAT}", "It is the version of the file format.")

    def environments(self, node: Node, top: Section) -> dict[str, Section]:
        if not isinstance(node, Mapping):
            self._report.problem(node, f"`environments` must be a mapping, but this is {kind_of(node)}")
            return {}
        found = {}
        for name, key, value in node:
            if not _NAME.fullmatch(name):
                how = "Use letters, digits, `-`, `_`, and `.`: the name is used for a folder and in commands."
                self._report.problem(key, f"`{name}` is not a valid name for an environment", how)
            elif isinstance(value, Mapping):
                section = self.section(value, _ENVIRONMENT_KEYS, top.variables)
                found[name] = replace(section, spot=self._report.source.spot_of(key))
            elif isinstance(value, Scalar) and value.value is None:
                found[name] = Section(spot=self._report.source.spot_of(key))
            else:
                self._report.problem(
                    key, f"the environment `{name}` must be a mapping, but this is {kind_of(value)}"
                )
        return found

    def section(
        self, node: Mapping, keys: tuple[str, ...], declared: MappingOf[str, Declaration] | None
    ) -> Section:
        settings: dict[str, Any] = {}
        variables: MappingOf[str, Declaration] = {}
        protect: dict[str, Spot] = {}
        for name, key, value in node:
            if name not in keys:
                self._unknown(node, key, name, keys)
            elif name == _VARIABLES:
                variables = read_declarations(value, self._report, declared)
            elif name in SETTINGS and self._fits(name, value):
                settings[name] = plain(value)
                if name == PROTECT and isinstance(value, Sequence):
                    protect = {str(plain(item)): self._report.source.spot_of(item) for item in value.items}
        names = frozenset(node.entries)
        return Section(settings=settings, names=names, variables=variables, protect=protect)

    def _unknown(self, node: Mapping, key: Scalar, name: str, keys: tuple[str, ...]) -> None:
        if name in _TOP_KEYS:
            known = f"Known keys: {', '.join(keys)}."
            self._report.problem(key, f"`{name}` cannot be set in an environment", known)
        else:
            self._report.unknown_key(node, key, name, keys, f"unknown key `{name}`")

    def _fits(self, name: str, node: Node) -> bool:
        setting = SETTINGS[name]
        if not _has_type(setting.default, node):
            takes = _TYPES[_plain_type(setting.default)]
            self._report.problem(node, f"`{name}` must be {takes}, but this is {kind_of(node)}")
            return False
        value = plain(node)
        if setting.choices and value not in setting.choices:
            self._report.problem(
                node,
                f"`{name}` cannot be `{value}`",
                detail=f"It must be {one_of(setting.choices)}.",
                correction=guess(str(value), setting.choices),
            )
            return False
        if isinstance(value, str | int) and (problem := setting.problem(value)):
            self._report.problem(node, f"`{name}` cannot be `{value}`", problem)
            return False
        return True


_TYPES = {str: "a string", bool: "true or false", int: "a whole number", tuple: "a list of strings"}


def _plain_type(default: Any) -> type:
    return next(kind for kind in _TYPES if isinstance(default, kind))


def _has_type(default: Any, node: Node) -> bool:
    """Whether a value is of the type of a default."""
    match node:
        case Scalar():
            expected = _plain_type(default)
            return isinstance(node.value, expected) and isinstance(node.value, bool) is (expected is bool)
        case Sequence():
            texts = [item for item in node.items if isinstance(item, Scalar) and isinstance(item.value, str)]
            return isinstance(default, tuple) and texts == node.items
    return False
