"""Which live app a command is about: `--app`, `--project`, and `--location`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.options import TreeChoice, gathered
from cesplan.cli.session import Session
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.resource_name import Place

if TYPE_CHECKING:
    from cesplan.workflow.live_app.target import AppTarget

with lazily():
    from cesplan.workflow.live_app import target as live_app_target


@dataclass(frozen=True, slots=True, kw_only=True)
class AppChoice:
    """An app as it was typed; without a tree, `project` and `location` give its place."""

    app: str
    project: str
    location: str

    def target(self, session: Session, tree: TreeChoice, command: str) -> "AppTarget":
        return live_app_target.AppTarget(
            tree=tree.target(session.root),
            command=command,
            app=self.app,
            place=Place(project=self.project, location=self.location) if self.project else None,
        )

    @property
    def words(self) -> list[str]:
        """The options as they would be typed again."""
        words = ["--app", self.app] if self.app else []
        return words + (["--project", self.project, "--location", self.location] if self.project else [])


PLACE = (
    shared.project(help="Without a tree: project of the app."),
    shared.location,
)
"""Where to find an app that is not in a tree."""

_OPTIONS = (
    click.option(
        "--app",
        metavar="APP",
        default="",
        help="A key of the tree, an id, a display name, or a full name.  [default: the only app of the tree]",
    ),
    *PLACE,
)


def app_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options; the command receives them as `app_choice`."""
    return gathered(function, _OPTIONS, "app_choice", AppChoice)
