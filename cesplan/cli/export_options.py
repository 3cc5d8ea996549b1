"""
Options that name an app in the official export layout instead of the tree, and say where it goes.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportChoice:
    """A ZIP or folder (None: the current folder), and where its app lives."""

    path: Path | None = None
    project: str = ""
    location: str = ""
    app_id: str = ""
    api_version: str = "v1beta"
    environment_file: str = ""

    @property
    def words(self) -> list[str]:
        """The options as they would be typed again."""
        values = {
            "--from": str(self.path or ""),
            "--project": self.project,
            "--location": self.location,
            "--app-id": self.app_id,
            "--environment-file": self.environment_file,
            "--api-version": "" if self.api_version == "v1beta" else self.api_version,
        }
        return [word for name, value in values.items() if value for word in (name, value)]


def export_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--from`, `--project`, … `--environment-file`; they become `tree.export`."""

    @wraps(function)
    def command(*args: Any, **kwargs: Any) -> Any:
        given = {name: kwargs.pop(name) for name in _NAMES}
        if any(given.values()):
            given["api_version"] = given["api_version"] or "v1beta"
            chosen = {name: value for name, value in given.items() if value}
            kwargs["tree"] = replace(kwargs["tree"], export=ExportChoice(**chosen))
        return function(*args, **kwargs)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_NAMES = ("path", "project", "location", "app_id", "api_version", "environment_file")
_OPTIONS = (
    click.option(
        "--from",
        "path",
        metavar="PATH",
        type=click.Path(exists=True, path_type=Path),
        help="Use an app in the official export layout (ZIP or folder) instead of the tree.",
    ),
    click.option("--project", metavar="PROJECT", help="For an export: the project of the app."),
    click.option("--location", metavar="LOCATION", help="For an export: the location of the app."),
    click.option(
        "--app-id", metavar="ID", help="For an export: the id of the app.  [default: found by display name]"
    ),
    click.option(
        "--api-version",
        type=click.Choice(["v1", "v1beta"]),
        help="For an export: the version of the API.  [default: v1beta]",
    ),
    click.option(
        "--environment-file",
        metavar="FILE",
        help="For an export: its environment file, as a path in it or a local path.  "
        "[default: that of -e, or environment.json]",
    ),
)
