"""
Variables: their declarations, where their values come from, and putting them into texts.

Later sources win: the declaration, the environment's section, `CESPLAN_VAR_<name>`, `--var name=value`,
`CESPLAN_SECRET_<name>`. A value from the last is secret regardless of the tree: a stranger can change
a declaration, and not what the pipeline knows to be a secret.
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
"""Characters of a text once variables are put in: as many as a file may have."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ENVIRON_PREFIX = "CESPLAN_VAR_"
SECRET_PREFIX = "CESPLAN_SECRET_"
_CI = "CI"
"""Set in every pipeline, by the services that run them."""
_NO = frozenset({"", "0", "false", "no", "off"})
_IN_TEXT = re.compile(r"\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{[^}\n]{0,40}\}?")


class Missing(Enum):
    """The answer for a variable that has no value."""

    MISSING = "missing"


MISSING = Missing.MISSING


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """
    The texts that the environment and the command line give to variables, by name.

    `secrets` are those of `CESPLAN_SECRET_<name>`; `plain` are the others, each with what it was given as.
    Where this `is_pipeline`, a secret comes from `secrets` alone.
    """

    secrets: Mapping[str, str] = field(default_factory=dict)
    plain: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    is_pipeline: bool = False

    def secret(self, name: str) -> str | None:
        """The text of a secret variable; None if it was given none, or in a way that does not count."""
        if name in self.secrets:
            return self.secrets[name]
        return self.plain[name][1] if name in self.plain and not self.is_pipeline else None


def given_values(environ: Mapping[str, str], variables: Mapping[str, str]) -> Given:
    """What an environment and the command line (`variables`) give. An empty secret counts as none."""
    plain = {name: (f"{ENVIRON_PREFIX}{name}", text) for name, text in _with_prefix(environ, ENVIRON_PREFIX)}
    plain |= {name: (f"--var {name}", text) for name, text in variables.items()}
    return Given(
        secrets={name: text for name, text in _with_prefix(environ, SECRET_PREFIX) if text},
        plain=plain,
        is_pipeline=environ.get(_CI, "").strip().lower() not in _NO,
    )


def with_secrets_given(environ: Mapping[str, str], secrets: Mapping[str, str]) -> dict[str, str]:
    """An environment that also gives these secrets, by the names of their variables."""
    return {**environ, **{f"{SECRET_PREFIX}{name}": text for name, text in secrets.items()}}


def _with_prefix(environ: Mapping[str, str], prefix: str) -> Iterator[tuple[str, str]]:
    return ((name.removeprefix(prefix), text) for name, text in environ.items() if name.startswith(prefix))


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """
    A variable of cesplan.yaml: `value` is MISSING without a default; `type` is what texts are read as.

    `rotation` is the marker that the user moves when the secret behind the name is a new one; empty: none.
    """

    name: str
    value: Any = MISSING
    type: str = "text"
    secret: bool = False
    rotation: str = ""
    origin: str = ""
    """Where the value of a secret is read; empty: the environment brings it."""
    spot: Spot | None = None


@dataclass(frozen=True, slots=True)
class Expansion:
    """
    A text with its variables put in. `missing`, `unfit` and `malformed` are what could not be; one that is
    `too_long` then is left as it was.
    """

    value: str | Secret
    missing: tuple[str, ...] = ()
    unfit: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    too_long: bool = False


@dataclass(slots=True)
class Variables:
    """
    The values of one environment, and which of them were used.

    `without_value` holds, by name, the places where a variable is used that has no value.
    """

    declared: Mapping[str, Declaration]
    values: Mapping[str, Any]
    used: set[str] = field(default_factory=set)
    without_value: dict[str, list[Spot]] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    """Where secrets are read that nothing else brought, by name. Until then they have a placeholder."""
    asked: list[str] = field(default_factory=list)
    """The names that were asked for, in order, since somebody emptied the list."""

    def get(self, name: str) -> Any:
        """The value of a variable, wrapped if it is secret; MISSING where it has none."""
        self.used.add(name)
        self.asked.append(name)
        return self.values.get(name, MISSING)

    def is_of_tree(self, name: str) -> bool:
        """Whether the value of a variable is what cesplan.yaml says, and no secret."""
        item = self.declared.get(name)
        return item is not None and item.value is not MISSING and self.values.get(name) is item.value

    @property
    def texts_from_outside(self) -> frozenset[str]:
        """The texts in all values that cesplan.yaml does not say, secrets among them."""
        found: set[Any] = set()  # keys of objects, and leaves
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
        """Note that a variable without a value is used at a place."""
        self.without_value.setdefault(name, []).append(spot)

    def expand(self, text: str) -> Expansion:
        """Put variables into a text; what cannot be put in stays as it is written."""
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
    """How a value is inside a text: as YAML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
