"""Programs that leave a mark when something runs them, and repositories that name them."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """A program outside the tree; `mark` is there once it has run."""

    program: Path
    mark: Path

    @property
    def is_sprung(self) -> bool:
        return self.mark.exists()

    def reset(self) -> None:
        self.mark.unlink(missing_ok=True)


def set_trap(folder: Path, name: str = "trap") -> Trap:
    """Make a program that leaves its mark and does nothing else."""
    trap = Trap(program=folder / name, mark=folder / f"{name}.mark")
    trap.program.write_text(f'#!/bin/sh\necho "$0 $*" >> "{trap.mark}"\n')
    trap.program.chmod(0o755)
    return trap


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    """Run git as a person does, with all that the repository configures."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@acme.example", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ("git", *who, *arguments),
        cwd=folder,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=check,
    )
    return done.stdout.strip()


def disguise_as_repository(folder: Path, trap: Trap) -> None:
    """Put ordinary files beside a tree that git takes for a bare repository, configured to run the trap."""
    for name in ("objects/info", "refs/heads", "branches"):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "kept").touch()  # git keeps no empty folders
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
        f'\tworktree = "{folder}"\n\tfsmonitor = "{trap.program}"\n\tpager = "{trap.program}"\n'
        f'[diff]\n\texternal = "{trap.program}"\n'
    )
