"""
Sources of secrets: where the value of a secret variable is read from, and who must allow it.

`secret: {from: …}` in a tree names a version in Secret Manager or a file. A tree may come from a stranger, and
what it names would be read with the user's credentials and sent to an app. So a source is read only where a
pattern from outside the tree allows it.

The form of names: Secret Manager v1, `projects.secrets.versions`.
"""

import os.path
import re
from collections.abc import Iterable

from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import PROJECT_PATTERN

FILE = "file:"
_NAME = re.compile(
    rf"projects/(?P<project>{PROJECT_PATTERN.pattern})/secrets/(?P<secret>[A-Za-z0-9_-]{{1,255}})"
    r"/versions/(?P<version>latest|[1-9][0-9]{0,9}|[A-Za-z][A-Za-z0-9_-]{0,62})"
)
_LONGEST_PATH = 4096
_PATTERN = re.compile(r"projects/[a-z0-9.:-]+/secrets/[A-Za-z0-9_*-]+(/versions/[A-Za-z0-9_*-]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretVersion:
    """A version of a secret in Secret Manager; `version` is a number, an alias, or `latest`."""

    project: str
    secret: str
    version: str

    def __str__(self) -> str:
        return f"{self.secret_name}/versions/{self.version}"

    @property
    def secret_name(self) -> str:
        return f"projects/{self.project}/secrets/{self.secret}"

    @property
    def rotation(self) -> str:
        """The rotation marker of this value; empty for `latest` and aliases, which can change silently."""
        return self.version if self.version.isdecimal() else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretFile:
    """A file, by its absolute path."""

    path: str

    def __str__(self) -> str:
        return f"{FILE}{self.path}"

    @property
    def rotation(self) -> str:
        return ""


SecretSource = SecretVersion | SecretFile


def parse_source(text: str) -> SecretSource:
    """Parse a source. Raises ValueError, which says what to write, for any other text."""
    if text.startswith(FILE):
        path = text.removeprefix(FILE)
        if not _is_plain_path(path):
            raise ValueError("the path of a file must be absolute, without `.`, `..`, and `//`")
        return SecretFile(path=path)
    found = _NAME.fullmatch(text)
    if found is None:
        raise ValueError("write projects/PROJECT/secrets/SECRET/versions/VERSION, or file:/absolute/path")
    return SecretVersion(project=found["project"], secret=found["secret"], version=found["version"])


def parse_allowed(text: str) -> frozenset[str]:
    """
    Parse a list of patterns, separated by commas or white space. Raises ValueError for an invalid one.

    `*` matches anything inside one part of a secret's name or of a path, but never a project.
    """
    found = frozenset(item for item in re.split(r"[,\s]+", text) if item)
    for item in sorted(found):
        if item.startswith(FILE) and _is_plain_path(item.removeprefix(FILE)):
            continue
        if not _PATTERN.fullmatch(item):
            raise ValueError(f"`{item}` is not projects/PROJECT/secrets/SECRET or file:/absolute/path")
    return found


def is_allowed(source: SecretSource, patterns: Iterable[str]) -> bool:
    """Whether a pattern matches a source: the version, the secret with all its versions, or the file."""
    names = [str(source)] + ([source.secret_name] if isinstance(source, SecretVersion) else [])
    return any(_expression(item).fullmatch(name) for item in patterns for name in names)


def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile("[^/]*".join(map(re.escape, re.sub(r"\*+", "*", pattern).split("*"))))


def _is_plain_path(path: str) -> bool:
    return (
        os.path.isabs(path)
        and len(path) <= _LONGEST_PATH
        and path.isprintable()
        and os.path.normpath(path) == path
    )
