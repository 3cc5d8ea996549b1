"""
The proof of a merge: the resulting tree is read in every environment before a file is written.

Environments may share a file, and an edit that is valid in one may break another.
"""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from cesplan.config.cache.store import RunningCache
from cesplan.config.project.project import environments_of
from cesplan.config.tree.load import Loaded, load
from cesplan.config.writing.copying import changed_copy
from cesplan.domain.address import Address
from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body, canonical_text


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeProof:
    """
    What the tree would be.

    `errors` are those that it does not have now, in any environment; `diagnostics` all that is found in the
    environment at hand, and `bodies` what it says there. `touched` are resources that other environments would
    say differently, by environment; an empty name is the tree without one.
    """

    errors: tuple[Diagnostic, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    bodies: Mapping[Address, Body] = field(default_factory=dict)
    touched: Mapping[str, tuple[Address, ...]] = field(default_factory=dict)


class Prover:
    """Compares a changed tree with its current state, in each of its environments."""

    def __init__(
        self, root: Path, environment: str, variables: Mapping[str, str], secrets: Mapping[str, str]
    ) -> None:
        """`secrets` are the values of secrets that were read, by their origin."""
        self._root, self._environment, self._variables = root, environment, variables
        self._secrets = secrets
        # A merge leaves most files of a tree unchanged.
        self._cache = RunningCache()
        names = {"", environment, *environments_of(root)}
        self._now = {name: self._load(root, name) for name in sorted(names)}

    @property
    def others(self) -> tuple[str, ...]:
        """The other environments of the tree."""
        return tuple(name for name in self._now if name not in ("", self._environment))

    def prove(self, files: Mapping[str, str], removed: tuple[str, ...]) -> MergeProof:
        """Read a copy of the tree with these changes. The tree itself is not changed."""
        with changed_copy(self._root, files, removed) as copy:
            then = {name: self._load(copy, name) for name in self._now}
        new = (item for name, loaded in then.items() for item in _new_errors(self._now[name], loaded))
        touched = {
            name: found
            for name, loaded in then.items()
            if name != self._environment and (found := _touched(self._now[name], loaded))
        }
        here = then[self._environment]
        return MergeProof(
            errors=tuple(dict.fromkeys(new)),
            diagnostics=here.diagnostics,
            bodies=_bodies(here),
            touched=touched,
        )

    def _load(self, root: Path, environment: str) -> Loaded:
        return load(
            root,
            environment=environment,
            variables=self._variables,
            secrets=self._secrets,
            cache_of=lambda _: self._cache,
        )


def _new_errors(now: Loaded, then: Loaded) -> list[Diagnostic]:
    known = {_known_by(item) for item in now.diagnostics}
    errors = (item for item in then.diagnostics if item.severity is Severity.ERROR)
    return [item for item in errors if _known_by(item) not in known]


def _known_by(item: Diagnostic) -> tuple[str, str, str]:
    return item.code, item.address, item.summary


def _touched(now: Loaded, then: Loaded) -> tuple[Address, ...]:
    """The desired state of an environment; one that cannot be read now is not changed."""
    if now.desired is None:
        return ()
    one, other = _bodies(now), _bodies(then)
    return tuple(
        sorted(
            item for item in {*one, *other} if canonical_text(one.get(item)) != canonical_text(other.get(item))
        )
    )


def _bodies(loaded: Loaded) -> dict[Address, Body]:
    return {item.address: item.body for app in loaded.apps for item in app.all()}
