"""Running one command line to its exit code: every way to end has its words and its number here."""

import click
from click.exceptions import NoArgsIsHelpError

from cesplan.cli.exit_codes import ExitCode, worst
from cesplan.cli.group import group
from cesplan.cli.machine import refused_by_the_machine
from cesplan.cli.session import Session
from cesplan.domain.errors import CesplanError, Interrupted, InvalidConfiguration

_ISSUES = "Please report it with the command that you ran; `--debug` shows a traceback."


def run(arguments: list[str]) -> int:
    """Run a command line; whatever happens is reported, and becomes an exit code."""
    session = Session()
    code = _run(arguments, session)
    session.reports.close(session.console, code)
    for failure in session.reports.failures:
        session.console.tell_plainly(f"Error: {failure}\n")
    return worst([code, ExitCode.ERROR]) if session.reports.failures else code


def _run(arguments: list[str], session: Session) -> int:
    try:
        code = group.main(arguments, prog_name="cesplan", standalone_mode=False, obj=session)
        return code if isinstance(code, int) else ExitCode.DONE
    except click.ClickException as error:
        return _wrong_usage(error, session)
    except (click.Abort, KeyboardInterrupt):
        session.console.tell("\nInterrupted.\n")
        _report(Interrupted(summary="Interrupted."), session)
        return ExitCode.INTERRUPTED
    except CesplanError as error:
        return _known(error, session)
    except Exception as error:
        refusal = refused_by_the_machine(error)
        return _known(refusal, session) if refusal else _unexpected(error, session)


def _wrong_usage(error: click.ClickException, session: Session) -> int:
    if isinstance(error, NoArgsIsHelpError):
        session.console.tell(f"{error.format_message()}\n")
        return ExitCode.USAGE
    context = error.ctx if isinstance(error, click.UsageError) else None
    usage = f"{context.get_usage()}\n\n" if context else ""
    more = f"\n  {context.command_path} --help\n" if context else ""
    session.console.tell_plainly(f"{usage}Error: {error.format_message()}\n{more}")
    return ExitCode.USAGE


def _known(error: CesplanError, session: Session) -> int:
    from cesplan.render.text.errors import error_text

    console = session.console
    _tell_trace(error, session)
    if not (isinstance(error, InvalidConfiguration) and error.diagnostics):
        # The diagnostics of an invalid tree have been shown where they were found.
        console.tell(error_text(error, console.err_view))
    _report(error, session)
    session.tell_requests()
    return error.exit_code


def _report(error: CesplanError, session: Session) -> None:
    """The error in the reports that were asked for; in words it is reported already."""
    reports = session.reports
    if reports.formats == {"text"} and not reports.files:
        return
    from cesplan.cli.report_formats import error_renderers
    from cesplan.render.machine.formats.events import error_line

    reports.stream(session.console, [error_line(error)])
    reports.give(session.console, error_renderers(reports, error))


def _unexpected(error: Exception, session: Session) -> int:
    session.console.tell(f"Error: unexpected {type(error).__name__}. This is a bug in cesplan.\n  {_ISSUES}\n")
    _tell_trace(error, session)
    _report(CesplanError(summary=f"Unexpected {type(error).__name__}: a bug in cesplan."), session)
    return ExitCode.ERROR


def _tell_trace(error: Exception, session: Session) -> None:
    if session.debug:
        import traceback  # costs milliseconds

        session.console.tell_plainly("".join(traceback.format_exception(error)))
