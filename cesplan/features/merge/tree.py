"""The tree that a merge writes into."""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from cesplan.config.manifest import AppTree, ResourceFile
from cesplan.config.tree.load import Loaded
from cesplan.domain.address import AppKey
from cesplan.domain.choice import Choice
from cesplan.domain.features.merge import Side
from cesplan.domain.frozen import dataclass
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.features.history.sources import EarlierTrees
from cesplan.features.merge.proof import Prover


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeTree:
    """The tree that is merged into; with `markers` its text files get both sides of what collides."""

    loaded: Loaded
    root: Path
    environment: str
    variables: Mapping[str, str]
    winner: Side
    choice: Choice
    only_here: bool
    markers: bool
    prover: Prover
    redactor: ValueRedactor
    earlier: EarlierTrees = field(default_factory=EarlierTrees, repr=False, compare=False)
    """The tree as of earlier commits, shared by its apps."""

    @property
    def files(self) -> list[ResourceFile]:
        return [item for app in self.loaded.apps for item in app.all()]

    def app(self, key: AppKey) -> AppTree:
        return next(app for app in self.loaded.apps if app.key == key)
