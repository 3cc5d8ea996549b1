"""Small trees, the command line, and an emulator with what others left in it."""

from collections.abc import Mapping
from typing import Any

import pytest

from cesplan.domain.field_path import MaskPath
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.emulator import EmbeddedEmulator
from cesplan.model.kinds import kind_of
from cesplan.remote.connecting import connect
from tests.cli.conftest import Ran, Run, Tree, cesplan, service, tree

__all__ = ["Ran", "cesplan", "service", "tree"]

APPS = "projects/acme-dev/locations/us/apps"


class Scene:
    """A tree, the service, and commands typed in the tree."""

    def __init__(self, tree: Tree, service: EmbeddedEmulator, run: Run) -> None:
        self.tree, self.service, self._run = tree, service, run

    def run(self, *words: str) -> Ran:
        """Run a command line; what it says is on one line, for where lines end says nothing."""
        done = self._run(*words)
        return Ran(code=done.code, out=" ".join(done.out.split()), err=" ".join(done.err.split()))

    def apply(self, *words: str) -> Ran:
        """Apply the tree, and insist that it took."""
        done = self.run("apply", "--auto-approve", *words)
        assert done.code == 0, done.out + done.err
        return done

    def seed(self, name: str, **body: Any) -> None:
        self.service.seed({"name": f"{APPS}/{name}", **body})

    def live(self, kind: str, app: str = "help-desk") -> dict[str, Mapping[str, Any]]:
        """The live resources of a kind by id; `apps` are those of the place."""
        parent = APPS.removesuffix("/apps") if kind == "apps" else f"{APPS}/{app}"
        return {row.name.rpartition("/")[2]: row.body for row in self.service.store.below(parent, kind)}

    def edit(self, name: str, **fields: Any) -> None:
        """Someone edits a resource in the console."""
        made = f"{APPS}/{name}"
        settings = Settings(place=Place(project="acme-dev", location="us"))
        with connect(settings, emulator=self.service.address, read_only=False) as client:
            kind = kind_of(made.split("/")[-2])
            client.update(kind, made, fields, tuple(MaskPath((field,)) for field in fields))

    def writes(self) -> list[str]:
        """The writes that the service was asked for since it was last cleared."""
        return [entry.method for entry in self.service.journal.entries if entry.method != "GET"]


@pytest.fixture
def scene(tree: Tree, service: EmbeddedEmulator, cesplan: Run) -> Scene:
    return Scene(tree, service, cesplan)
