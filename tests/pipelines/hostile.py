"""A checkout as an attacker sends it: everything in it that some program might run, obey or write through."""

import os
from dataclasses import dataclass
from pathlib import Path

from tests.pipelines.conftest import SECRET, Repository
from tests.security.traps import Trap, disguise_as_repository, set_trap

_MODULES = (
    "json.py",
    "secrets.py",
    "subprocess.py",
    "sitecustomize.py",
    "usercustomize.py",
    "pip/__init__.py",
    "pip/__main__.py",
    "venv/__init__.py",
    "venv/__main__.py",
    "click/__init__.py",
    "cesplan/__init__.py",
    "cesplan/__main__.py",
)
_PROGRAMS = ("python", "python3", "cesplan", "git", "gh", "curl", "gcloud", "jq", "od", "cat")
_TOKENS = ("t0ken", "id-token", SECRET)
COMMAND = "::set-output name=run::1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """What was planted; `outside` is where its links lead."""

    repository: Repository
    trap: Trap
    outside: Path

    def check_nothing_happened(self, logs: list[str]) -> None:
        """Nothing of the checkout ran, nothing was written through it, and no token is anywhere to be read."""
        assert not self.trap.is_sprung, self.trap.mark.read_text(encoding="utf-8")
        assert [*self.outside.iterdir()] == []
        kept = [path for path in self.repository.world.folder.rglob("*") if path.is_file()]
        texts = [*logs, *(path.read_text(encoding="utf-8") for path in kept)]
        assert [(token, text) for text in texts for token in _TOKENS if token in text] == []


def plant(repository: Repository) -> Hostile:
    """Fill the repository and the tree in it, commit that, and start whatever runs as a pipeline does."""
    repository.start_cold()
    trap = set_trap(repository.temporary)
    outside = repository.temporary / "outside"
    outside.mkdir()
    for folder in {repository.root, repository.tree}:
        _plant_programs(folder, trap)
        (folder / ".curlrc").write_text(f"output = {outside / 'curl'}\nproxy = http://127.0.0.1:1\n")
        (folder / "pip.conf").write_text("[global]\nindex-url = http://127.0.0.1:1/\n")
        (folder / "pyvenv.cfg").write_text(f"home = {folder}\ninclude-system-site-packages = true\n")
        (folder / ".netrc").write_text("default login eve password eve\n")
        for name in (".cesplan", ".cesplan-plan", "plan", "parts", "venv.d", "gha-creds-0.json"):
            (folder / name).symlink_to(outside)
    disguise_as_repository(repository.tree, trap)
    odd = repository.tree / f"apps/hello-shop/agents/notes\n{COMMAND}\n.md"
    odd.write_text(f"{COMMAND}\n", encoding="utf-8")
    repository.commit("Hostile")
    return Hostile(repository=repository, trap=trap, outside=outside)


def _plant_programs(folder: Path, trap: Trap) -> None:
    for name in _MODULES:
        module = folder / name
        module.parent.mkdir(exist_ok=True)
        module.write_text(f"open({str(trap.mark)!r}, 'a').write(__file__ + '\\n')\n", encoding="utf-8")
    for program in [*_PROGRAMS, *(f"bin/{name}" for name in _PROGRAMS)]:
        (folder / "bin").mkdir(exist_ok=True)
        if not os.path.lexists(folder / program):  # `cesplan` is a folder of modules already
            (folder / program).write_bytes(trap.program.read_bytes())
            (folder / program).chmod(0o755)
