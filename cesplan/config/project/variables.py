"""
Variables: their declarations, the sources of their values, and their expansion in texts.

Later sources override earlier ones: the declaration, the environment's section, `CESPLAN_VAR_<name>`, `--var
name=value`, `CESPLAN_SECRET_<name>`. A value from the last source is always secret, whatever the tree says: a
stranger can change a declaration, but not what the pipeline treats as a secret.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import Enum
from typing import Any

from cesplan.config.manifest import Spot
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Secret, folded, joined, reveal

LONGEST_TEXT = 4 * 1024 * 1024
"""The most characters of a text after expansion: as many as a file may have."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ENVIRON_PREFIX = "CESPLAN_VAR_"
SECRET_PREFIX = "CESPLAN_SECRET_"
_CI = "CI"
"""Set by all common CI services."""
_NO = frozenset({"", "0", "false", "no", "off"})
_IN_TEXT = re.compile(r"\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{[^}\n]{0,40}\}?")


class Missing(Enum):
    """The value of a variable without a value."""

    MISSING = "missing"


MISSING = Missing.MISSING


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """
    The texts for variables from the environment and the command line, by name.

    `secrets` are from `CESPLAN_SECRET_<name>`, `plain` are the others, each with its source. If this
    `is_pipeline`, secrets come only from `secrets`.
    """

    secrets: Mapping[str, str] = field(default_factory=dict)
    plain: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    is_pipeline: bool = False

    def secret(self, name: str) -> str | None:
        """The text of a secret variable; None if there is none, or its source is not allowed."""
        if name in self.secrets:
            return self.secrets[name]
        return self.plain[name][1] if name in self.plain and not self.is_pipeline else None


def given_values(environ: Mapping[str, str], variables: Mapping[str, str]) -> Given:
    """The texts from an environment and the command line (`variables`). An empty secret counts as absent."""
    plain = {name: (f"{ENVIRON_PREFIX}{name}", text) for name, text in _with_prefix(environ, ENVIRON_PREFIX)}
    plain |= {name: (f"--var {name}", text) for name, text in variables.items()}
    return Given(
        secrets={name: text for name, text in _with_prefix(environ, SECRET_PREFIX) if text},
        plain=plain,
        is_pipeline=environ.get(_CI, "").strip().lower() not in _NO,
    )


def with_secrets_given(environ: Mapping[str, str], secrets: Mapping[str, str]) -> dict[str, str]:
    """The environment with these secrets added, by variable name."""
    return {**environ, **{f"{SECRET_PREFIX}{name}": text for name, text in secrets.items()}}


def _with_prefix(environ: Mapping[str, str], prefix: str) -> Iterator[tuple[str, str]]:
    return ((name.removeprefix(prefix), text) for name, text in environ.items() if name.startswith(prefix))


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """
    A variable of cesplan.yaml. `value` is MISSING if there is no default. Texts are parsed as `type`.

    `rotation` is the marker that the user changes when the secret is rotated; empty if there is none.
    """

    name: str
    value: Any = MISSING
    type: str = "text"
    secret: bool = False
    rotation: str = ""
    origin: str = ""
    """The source of the secret's value; empty if an environment variable has it."""
    spot: Spot | None = None


@dataclass(frozen=True, slots=True)
class Expansion:
    """
    A text with expanded variables. `missing`, `unfit`, and `malformed` could not be expanded. A text that would
    be `too_long` is left unchanged.
    """

    value: str | Secret
    missing: tuple[str, ...] = ()
    unfit: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    too_long: bool = False


@dataclass(slots=True)
class Variables:
    """
    The variables of one environment, and which ones were used.

    `without_value` holds the places that use a variable without a value, by name.
    """

    declared: Mapping[str, Declaration]
    values: Mapping[str, Any]
    used: set[str] = field(default_factory=set)
    without_value: dict[str, list[Spot]] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    """
    The sources of secrets that were not given otherwise, by name. They have placeholders until they are read.
    """
    requested: list[str] = field(default_factory=list)
    """The requested names, in order, since a caller last cleared the list."""

    def get(self, name: str) -> Any:
        """The value of a variable, wrapped if it is secret; MISSING if it has none."""
        self.used.add(name)
        self.requested.append(name)
        return self.values.get(name, MISSING)

    def is_of_tree(self, name: str) -> bool:
        """Whether the value of a variable is from cesplan.yaml, and not secret."""
        item = self.declared.get(name)
        return item is not None and item.value is not MISSING and self.values.get(name) is item.value

    @property
    def texts_from_outside(self) -> frozenset[str]:
        """The texts in all values that are not from cesplan.yaml, including secrets."""
        found: set[Any] = set()  # object keys and leaves
        values = [value for name, value in self.values.items() if not self.is_of_tree(name)]
        folded(reveal(values), found.add, found.update)
        return frozenset(item for item in found if item and isinstance(item, str))

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """The values of all secret variables, used or not, declared or not."""
        return tuple(value for _, value in sorted(self.values.items()) if isinstance(value, Secret))

    @property
    def rotations(self) -> dict[str, str]:
        """The rotation markers of secret variables, by name."""
        return {name: item.rotation for name, item in self.declared.items() if item.rotation}

    def miss(self, name: str, spot: Spot) -> None:
        """Record that a place uses a variable without a value."""
        self.without_value.setdefault(name, []).append(spot)

    def expand(self, text: str) -> Expansion:
        """Expand the variables in a text; those that cannot be expanded stay as written."""
        parts: list[str | Secret] = []
        problems: dict[str, list[str]] = {"missing": [], "unfit": [], "malformed": []}
        end = 0
        for found in _IN_TEXT.finditer(text):
            parts += [text[end : found.start()], self._part(found, problems)]
            end = found.end()
        if sum(map(_length, parts)) > LONGEST_TEXT:
            return Expansion(text, too_long=True)
        value = joined([*parts, text[end:]])
        missing, unfit, malformed = (tuple(dict.fromkeys(words)) for words in problems.values())
        return Expansion(value, missing, unfit, malformed)

    def _part(self, found: re.Match[str], problems: dict[str, list[str]]) -> str | Secret:
        name = found[1]
        if found[0] == "$${":
            return "${"
        if name is None:
            problems["malformed"].append(found[0])
            return found[0]
        match self.get(name):
            case Missing():
                problems["missing"].append(name)
            case Secret() as secret:
                return secret
            case list() | dict() | None:
                problems["unfit"].append(name)
            case value:
                return as_text(value)
        return found[0]


def _length(part: str | Secret) -> int:
    return len(part if isinstance(part, str) else part.text)


def as_text(value: Any) -> str:
    """A value as text, as YAML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
