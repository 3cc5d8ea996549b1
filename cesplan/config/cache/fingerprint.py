"""The fingerprint of the code that reads trees. Entries written by any other code are not used."""

import os
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import _ruamel_yaml  # type: ignore[import-not-found]  # a C module without stubs
import ruamel.yaml

import cesplan

_PACKAGES = ("config", "domain", "model")
"""The packages with the code that decides how a tree is read."""


def fingerprint(root: Path = Path(cesplan.__file__).parent) -> bytes:
    """
    A digest of the versions, and of the name, size, and time of each code file at `root`. Raises OSError.

    Python itself uses size and time to decide whether a module must be recompiled.
    """
    digest = blake2b(digest_size=20)
    parsers = f"{ruamel.yaml.__version__} {_ruamel_yaml.get_version_string()}"
    digest.update(f"{cesplan.__version__}\n{sys.version}\n{parsers}\n".encode())
    for name in _PACKAGES:
        for line in sorted(_files(str(root / name), name)):
            digest.update(f"{line}\n".encode("utf-8", "surrogateescape"))
    return digest.digest()


def _files(folder: str, name: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == "__pycache__":
                continue
            path = f"{name}/{entry.name}"
            if entry.is_dir():
                yield from _files(entry.path, path)
            else:
                found = entry.stat()
                yield f"{path} {found.st_size} {found.st_mtime_ns}"
