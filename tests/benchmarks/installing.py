"""What `pip install cesplan` brings: the packages that it needs without extras, and their size on disk."""

import marshal
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

import cesplan

_PACKAGE = Path(cesplan.__file__).parent
_PYC_HEADER = 16
"""Bytes before the code in a compiled module (PEP 552)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """Sizes are in MB of 10^6 bytes, compiled modules included, as pip leaves them."""

    packages: tuple[str, ...]
    others: float
    own: float = 0.0

    @property
    def megabytes(self) -> float:
        return self.others + self.own


def needed() -> Installed:
    """The packages besides cesplan itself. Those that are installed here are what is measured."""
    found: dict[str, Distribution] = {}
    project = tomllib.loads(_PACKAGE.with_name("pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = [*_requirements(project["dependencies"], set())]
    while waiting:
        name, extras = waiting.pop()
        known = found.get(name)
        if known is None or extras:
            found[name] = known = known or distribution(name)
            waiting += [item for item in _requirements(known.requires or (), extras) if item[0] not in found]
    return Installed(packages=tuple(sorted(found)), others=sum(map(_size, found.values())) / 1e6)


def whole() -> Installed:
    """With cesplan itself. All of its modules are compiled, which takes seconds."""
    without = needed()
    return Installed(packages=without.packages, others=without.others, own=sum(_own_sizes()) / 1e6)


def _requirements(texts: Iterable[str], extras: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Names, normalized, with the extras asked for; those of other systems and extras are left out."""
    from packaging.requirements import Requirement

    for text in texts:
        requirement = Requirement(text)
        environments = [{"extra": extra} for extra in extras or {""}]
        if requirement.marker is None or any(map(requirement.marker.evaluate, environments)):
            yield re.sub(r"[-_.]+", "-", requirement.name).lower(), requirement.extras


def _size(package: Distribution) -> int:
    paths = (Path(str(item.locate())) for item in package.files or ())
    return sum(path.stat().st_size for path in paths if path.is_file())


def _own_sizes() -> Iterator[int]:
    for path in _PACKAGE.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            yield path.stat().st_size
            if path.suffix == ".py":
                code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
                yield _PYC_HEADER + len(marshal.dumps(code))
