"""Trees that a stranger may send: a small one that is in order, and random ones that are not."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SMALL_TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\napiVersion: v1beta\n",
    "apps/help-desk/app.yaml": "displayName: Help desk\nrootAgent: front-desk\n",
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front desk\ninstruction: {$file: front-desk.md}\n",
    "apps/help-desk/agents/front-desk.md": "Greet the caller.\n",
}


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link in a tree."""

    target: str


@dataclass(frozen=True, slots=True)
class Pipe:
    """A named pipe in a tree: whoever reads it waits for ever. Git keeps none, but an archive may hold one."""


Entry = str | bytes | Link | Pipe


def write_tree(root: Path, entries: Mapping[str, Entry]) -> None:
    """Write a tree. What cannot be written because another entry is in its way is left out."""
    root.mkdir(parents=True, exist_ok=True)
    for name in sorted(entries, key=lambda name: (isinstance(entries[name], Link), name)):
        path = root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, entries[name])
        except OSError:
            continue


def _write(path: Path, entry: Entry) -> None:
    match entry:
        case str():
            path.write_text(entry, encoding="utf-8", errors="surrogateescape")
        case bytes():
            path.write_bytes(entry)
        case Link(target):
            path.symlink_to(target)
        case Pipe():
            os.mkfifo(path)
