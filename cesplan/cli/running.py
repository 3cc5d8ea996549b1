"""Running one command line to its exit code: the message and the code of every way to end."""

import os

import click
from click.exceptions import NoArgsIsHelpError

from cesplan.cli.exit_codes import ExitCode, worst
from cesplan.cli.group import group
from cesplan.cli.report_formats import error_renderers
from cesplan.cli.session import Session
from cesplan.domain.errors import CesplanError, Interrupted, InvalidConfiguration
from cesplan.domain.lazily import lazily
from cesplan.domain.text.words import in_sentence

with lazily():
    from cesplan.render.machine.formats import events
    from cesplan.render.text import errors


_ISSUES = "Please report it with the command that you ran; `--debug` shows a traceback."
_WHERE = "The operating system refused it; `--debug` shows where."


def run(arguments: list[str]) -> int:
    """Run a command line; report every error, and return the exit code."""
    session = Session()
    code = _run(arguments, session)
    session.show_request_count()
    session.reports.close(session.console, code)
    for failure in session.reports.failures:
        session.console.notify_escaped(f"Error: {failure}\n")
    return worst([code, ExitCode.ERROR]) if session.reports.failures else code


def _run(arguments: list[str], session: Session) -> int:
    try:
        code = group.main(arguments, prog_name="cesplan", standalone_mode=False, obj=session)
        return code if isinstance(code, int) else ExitCode.DONE
    except click.ClickException as error:
        return _wrong_usage(error, session)
    except (click.Abort, KeyboardInterrupt):
        session.console.notify("\nInterrupted.\n")
        _report(Interrupted(summary="Interrupted."), session)
        return ExitCode.INTERRUPTED
    except CesplanError as error:
        return _known(error, session)
    except Exception as error:
        refusal = _refused_by_the_machine(error)
        return _known(refusal, session) if refusal else _unexpected(error, session)


def _wrong_usage(error: click.ClickException, session: Session) -> int:
    if isinstance(error, NoArgsIsHelpError):
        session.console.notify(f"{error.format_message()}\n")
        return ExitCode.USAGE
    context = error.ctx if isinstance(error, click.UsageError) else None
    usage = f"{context.get_usage()}\n\n" if context else ""
    more = f"\n  {context.command_path} --help\n" if context else ""
    session.console.notify_escaped(f"{usage}Error: {error.format_message()}\n{more}")
    return ExitCode.USAGE


def _known(error: CesplanError, session: Session) -> int:
    console = session.console
    _show_traceback(error, session)
    is_shown = isinstance(error, InvalidConfiguration) and bool(error.diagnostics)
    if not is_shown or error.summary != InvalidConfiguration.summary:
        # The diagnostics of an invalid tree have already been shown.
        console.notify(errors.error_text(error, console.err_view))
    _report(error, session)
    return error.exit_code


def _report(error: CesplanError, session: Session) -> None:
    """Write the error to the requested reports; its text is already on stderr."""
    reports = session.reports
    if reports.formats == {"text"} and not reports.files:
        return
    reports.stream(session.console, [events.error_line(error)])
    reports.write_final(session.console, error_renderers(reports, error))


def _unexpected(error: Exception, session: Session) -> int:
    session.console.notify(
        f"Error: unexpected {type(error).__name__}. This is a bug in cesplan.\n  {_ISSUES}\n"
    )
    _show_traceback(error, session)
    _report(CesplanError(summary=f"Unexpected {type(error).__name__}: a bug in cesplan."), session)
    return ExitCode.ERROR


def _show_traceback(error: Exception, session: Session) -> None:
    if session.debug:
        import traceback  # costs milliseconds

        session.console.notify_escaped("".join(traceback.format_exception(error)))


def _refused_by_the_machine(error: Exception) -> CesplanError | None:
    """The message for an error of the operating system; None for any other error."""
    if not isinstance(error, OSError) or error.errno is None:
        return None
    refusal = _no_folder() or _refused(error)
    refusal.__cause__ = error
    return refusal


def _no_folder() -> CesplanError | None:
    """If the current folder was deleted, each use of a path fails without saying why."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return CesplanError(
            summary="The current folder no longer exists.",
            detail="It was deleted or moved. Change to a folder that exists, or name one with -C.",
        )
    return None


def _refused(error: OSError) -> CesplanError:
    reason = error.strerror or str(error)
    if error.filename is None:
        return CesplanError(summary=f"{reason}.", detail=_WHERE)
    path = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else str(error.filename)
    return CesplanError(summary=f"`{path}` cannot be used: {in_sentence(reason)}", detail=_WHERE)
