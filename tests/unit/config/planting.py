"""Small trees in a folder of their own, for tests."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cesplan.config.tree.load import Loaded, load
from cesplan.domain.desired import DesiredApp, DesiredResource

PROJECT = "cesplan: 1\nproject: acme-dev\nlocation: us\n"
APP = "displayName: Store\n"
AGENT = "displayName: Front desk\n"
STORE = "apps/store"


def plant(root: Path, files: Mapping[str, str | bytes], *, project: str = PROJECT, app: str = APP) -> Path:
    """Write a tree with one app, `store`; the paths of `files` are relative to that app."""
    everything = {"cesplan.yaml": project, f"{STORE}/app.yaml": app}
    everything |= {path if path.startswith("/") else f"{STORE}/{path}": text for path, text in files.items()}
    for path, content in everything.items():
        target = root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def read(root: Path, **arguments: Any) -> Loaded:
    """Load a tree with nothing from the process's environment."""
    return load(root, **{"environ": {}, **arguments})


def found(loaded: Loaded, *, below: str = "CES040") -> list[tuple[str, str]]:
    """Codes and places of what was found in the structure of a tree."""
    return [(item.code, str(item.place)) for item in loaded.diagnostics if item.code < below]


def store(loaded: Loaded) -> DesiredApp:
    """The app of a tree that is in order."""
    assert loaded.desired is not None, loaded.diagnostics
    return loaded.desired.apps[0]


def resource(loaded: Loaded, address: str) -> DesiredResource:
    """The resource `<kind>/<key>` of the app."""
    return next(item for item in store(loaded).resources if item.address.within_app == address)
