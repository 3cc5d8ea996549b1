"""Reading the tree for a command, with its diagnostics on stderr."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cesplan.cli.export_options import ExportChoice
from cesplan.cli.options import TreeChoice
from cesplan.cli.reports import LINES
from cesplan.cli.session import Session
from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.config.tree.load import Loaded
    from cesplan.domain.plan import Plan
    from cesplan.workflow.connecting import Connection

with lazily():
    from cesplan.features.export_layout import load
    from cesplan.render.machine.formats import events
    from cesplan.render.text import diagnostics
    from cesplan.workflow import emulating, validating


def load_tree(
    session: Session, tree: TreeChoice, *, show: bool = True, until_planned: bool = False
) -> "Loaded":
    """
    The tree around the current folder.

    With `show`, errors go to stderr, and the number of warnings; notices belong to the plan. For a tree without
    errors, nothing is shown `until_planned`: `show_plan_findings` does that later.
    """
    loaded = _load_export(session, tree, tree.export) if tree.export else tree.target(session.root).validate()
    show_loaded(session, tree, loaded, show=show and not (until_planned and loaded.desired is not None))
    return loaded


def show_loaded(session: Session, tree: TreeChoice, loaded: "Loaded", *, show: bool | None = None) -> None:
    """
    Report the findings of a tree: as JSON Lines if requested; as text with `show`, or if there are errors.
    """
    if LINES in session.reports.formats:
        session.reports.stream(session.console, events.diagnostic_lines(loaded.diagnostics))
    if loaded.desired is None if show is None else show:
        _show_findings(session, tree, loaded)


def show_plan_findings(session: Session, tree: TreeChoice, loaded: "Loaded", plan: "Plan") -> None:
    """
    Report the findings of a planned tree: warnings about planned resources in full, others by their number.
    """
    files = {item for operation in plan.shown for item in (operation.file, *operation.files.values())}
    found = [item for item in loaded.diagnostics if item.severity is Severity.WARNING]
    touched = [item for item in found if item.place is not None and item.place.file in files][:_MOST_SHOWN]
    if touched:
        session.console.notify(diagnostics.diagnostics_text(touched, session.console.err_view, whole=True))
    if len(found) > len(touched):
        _show_findings(session, tree, loaded)


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


def _show_findings(session: Session, tree: TreeChoice, loaded: "Loaded") -> None:
    found = tuple(item for item in loaded.diagnostics if item.severity is not Severity.NOTICE)
    if not found:
        return
    view = session.console.err_view
    show_errors(session, found)
    session.console.notify(
        diagnostics.summary_text(found, loaded.files, view, command=session.command("validate", *tree.words))
    )


_MOST_SHOWN = 20
"""The number of warnings about planned files that are shown in full; `cesplan validate` shows all."""


@contextmanager
def showing_errors(session: Session) -> Iterator[None]:
    """Report the errors of the tree when they occur."""
    try:
        yield
    except InvalidConfiguration as error:
        show_errors(session, error.diagnostics)
        raise


@contextmanager
def service_connection(session: Session) -> Iterator["Connection"]:
    """
    The connection of a command. The errors of the tree are reported when they occur.

    An embedded emulator lives as long as the context.
    """
    with showing_errors(session), emulating.emulator(session.root, embedded=session.emulator) as address:
        yield session.connection(address)


def show_errors(session: Session, found: Iterable[Diagnostic]) -> None:
    """Report the errors among diagnostics on stderr."""
    errors = tuple(item for item in found if item.severity is Severity.ERROR)
    if errors:
        session.console.notify(diagnostics.diagnostics_text(errors, session.console.err_view))
