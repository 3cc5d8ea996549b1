"""Reading the tree for a command, with its diagnostics on stderr."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cesplan.cli.export_options import ExportChoice
from cesplan.cli.lazily import lazily
from cesplan.cli.options import TreeChoice
from cesplan.cli.reports import LINES
from cesplan.cli.session import Session
from cesplan.domain.diagnostic import Severity
from cesplan.domain.errors import InvalidConfiguration, UsageError

if TYPE_CHECKING:
    from cesplan.config.tree.load import Loaded

with lazily():
    from cesplan.features.export_layout import load
    from cesplan.render.machine.formats import events
    from cesplan.render.text import diagnostics
    from cesplan.workflow import validating


def load_tree(session: Session, tree: TreeChoice, *, tell: bool = True) -> "Loaded":
    """
    The tree around the current folder.

    With `tell`, errors go to stderr, and that there are warnings; notices are the plan's.
    """
    loaded = (
        _load_export(session, tree, tree.export)
        if tree.export
        else validating.validate(session.root, environment=tree.environment, variables=tree.variables)
    )
    if LINES in session.reports.formats:
        session.reports.stream(session.console, events.diagnostic_lines(loaded.diagnostics))
    if tell:
        _tell(session, tree, loaded)
    return loaded


def _load_export(session: Session, tree: TreeChoice, export: ExportChoice) -> "Loaded":
    if tree.variables:
        raise UsageError(summary="An export has no variables: remove --var.")
    destination = load.Destination(
        project=export.project,
        location=export.location,
        app_id=export.app_id,
        api_version=export.api_version,
        environment=tree.environment,
        environment_file=export.environment_file,
    )
    return validating.validate(export.path or session.root, destination=destination)


def _tell(session: Session, tree: TreeChoice, loaded: "Loaded") -> None:
    found = tuple(item for item in loaded.diagnostics if item.severity is not Severity.NOTICE)
    if not found:
        return
    view = session.console.err_view
    errors = tuple(item for item in found if item.severity is Severity.ERROR)
    session.console.tell(diagnostics.diagnostics_text(errors, view))
    session.console.tell(
        diagnostics.summary_text(found, loaded.files, view, command=session.command("validate", *tree.words))
    )


@contextmanager
def telling_errors(session: Session) -> Iterator[None]:
    """The errors of the tree are reported where they are found."""
    try:
        yield
    except InvalidConfiguration as error:
        found = tuple(item for item in error.diagnostics if item.severity is Severity.ERROR)
        session.console.tell(diagnostics.diagnostics_text(found, session.console.err_view))
        raise
