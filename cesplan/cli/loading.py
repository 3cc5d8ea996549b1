"""Reading the tree for a command, with its diagnostics on stderr."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cesplan.cli.export_options import ExportChoice
from cesplan.cli.lazily import lazily
from cesplan.cli.options import TreeChoice
from cesplan.cli.reports import LINES
from cesplan.cli.session import Session
from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.errors import InvalidConfiguration, UsageError

if TYPE_CHECKING:
    from cesplan.config.tree.load import Loaded
    from cesplan.domain.plan import Plan

with lazily():
    from cesplan.features.export_layout import load
    from cesplan.render.machine.formats import events
    from cesplan.render.text import diagnostics
    from cesplan.workflow import validating


def load_tree(
    session: Session, tree: TreeChoice, *, tell: bool = True, until_planned: bool = False
) -> "Loaded":
    """
    The tree around the current folder.

    With `tell`, errors go to stderr, and that there are warnings; notices are the plan's. A tree without errors
    says nothing `until_planned`: then `tell_findings` does.
    """
    loaded = (
        _load_export(session, tree, tree.export)
        if tree.export
        else validating.validate(session.root, environment=tree.environment, variables=tree.variables)
    )
    tell_loaded(session, tree, loaded, tell=tell and not (until_planned and loaded.desired is not None))
    return loaded


def tell_loaded(session: Session, tree: TreeChoice, loaded: "Loaded", *, tell: bool | None = None) -> None:
    """
    What was found in a tree, as JSON Lines where they were asked for; in words with `tell`, or if it has
    errors.
    """
    if LINES in session.reports.formats:
        session.reports.stream(session.console, events.diagnostic_lines(loaded.diagnostics))
    if loaded.desired is None if tell is None else tell:
        _tell(session, tree, loaded)


def tell_findings(session: Session, tree: TreeChoice, loaded: "Loaded", plan: "Plan") -> None:
    """
    What was found in a tree that is planned: warnings about what the plan writes whole, others by their
    number.
    """
    files = {item for operation in plan.shown for item in (operation.file, *operation.files.values())}
    found = [item for item in loaded.diagnostics if item.severity is Severity.WARNING]
    touched = [item for item in found if item.place is not None and item.place.file in files][:_MOST_TOLD]
    if touched:
        session.console.tell(diagnostics.diagnostics_text(touched, session.console.err_view, whole=True))
    if len(found) > len(touched):
        _tell(session, tree, loaded)


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
    tell_errors(session, found)
    session.console.tell(
        diagnostics.summary_text(found, loaded.files, view, command=session.command("validate", *tree.words))
    )


_MOST_TOLD = 20
"""The number of warnings about planned files that are shown in full; `cesplan validate` shows all."""


@contextmanager
def telling_errors(session: Session) -> Iterator[None]:
    """The errors of the tree are reported where they are found."""
    try:
        yield
    except InvalidConfiguration as error:
        tell_errors(session, error.diagnostics)
        raise


def tell_errors(session: Session, found: Iterable[Diagnostic]) -> None:
    """The errors among diagnostics, on stderr; nothing where there are none."""
    errors = tuple(item for item in found if item.severity is Severity.ERROR)
    if errors:
        session.console.tell(diagnostics.diagnostics_text(errors, session.console.err_view))
