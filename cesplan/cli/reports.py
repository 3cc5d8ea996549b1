"""
Reports: the result of a command in every requested format, to stdout, or to files. Each is written whole or
not at all, before the process ends, even if the command ends in an error; JSON Lines are written as events
happen. No format changes an exit code.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import click

from cesplan.cli.console import Console
from cesplan.domain.errors import CesplanError, Extra
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.text.characters import commandless

with lazily():
    from cesplan.config.writing import outputs, whole_files
    from cesplan.render.machine.formats import events


STDOUT = "-"
LINES = "jsonl"
HTML = "html"

Renderers = Mapping[str, Callable[[], str]]
"""The renderers by format; a missing format has no output."""


@dataclass(kw_only=True)
class Reports:
    """
    The reports of one run. `environment` is that of the run (empty: none), and `files` are the formats and
    paths of reports besides the one on stdout.
    """

    command: str = ""
    environment: str = ""
    stdout: str = "text"
    files: list[tuple[str, Path]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    _given: bool = False
    _begun: bool = False
    _open: list[tuple[Path, IO[str]]] = field(default_factory=list)

    @property
    def formats(self) -> frozenset[str]:
        """Every format that was asked for."""
        return frozenset({self.stdout, *(name for name, _ in self.files)})

    def check_apart(self, path: Path) -> None:
        """
        Refuse a report that would overwrite a file that the run itself uses. This is wrong usage, which no
        report mentions: writing one would do the damage.
        """
        if any(path.resolve() == file.resolve() for _, file in self.files):
            raise click.UsageError(f"{path} is already in use: give each report its own file.")

    def write_final(self, console: Console, renderers: Renderers) -> None:
        """Write the final report in every format. Only the first call counts: a later error changes nothing."""
        if self._given:
            return
        self._given = True
        if self.stdout in renderers:
            self._say(console, renderers[self.stdout]())
        for name, path in self.files:
            render = renderers.get(f"{name} file", renderers.get(name))
            if render is not None:
                self._try(path, partial(_write, path, render()))

    def stream(self, console: Console, lines: Iterable[str]) -> None:
        """Write these lines now, if JSON Lines were requested."""
        if LINES not in self.formats:
            return
        if not self._begun:
            self._begin(console)
        for line in lines:
            if self.stdout == LINES:
                self._say(console, line)
            for path, file in self._open:
                self._try(path, partial(_put, file, line))

    def close(self, console: Console, exit_code: int) -> None:
        """The end of the run: the last line, with the exit code."""
        if LINES in self.formats and self.command:
            self.stream(console, [events.done_line(exit_code)])
        for path, file in self._open:
            self._try(path, file.close)

    def _begin(self, console: Console) -> None:
        self._begun = True
        for path in (path for name, path in self.files if name == LINES):
            self._try(path, partial(self._add, path))
        self.stream(console, [events.version_line(self.command)])

    def _add(self, path: Path) -> None:
        self._open.append((path, outputs.open_private(path)))

    def _say(self, console: Console, text: str) -> None:
        """Write to stdout; an error there does not affect the other reports."""
        try:
            # JSON and similar formats are inert; Markdown is meant for a page, but here it is in a log.
            console.data(commandless(text) if self.stdout == "markdown" else text)
        except CesplanError as error:
            self._fail(error.summary)

    def _try(self, path: Path, act: Callable[[], Any]) -> None:
        try:
            act()
        except OSError as error:
            self._fail(f"Cannot write {path}: {error.strerror or error}.")

    def _fail(self, why: str) -> None:
        if why not in self.failures:
            self.failures.append(why)


def report_options(*formats: str) -> Callable[[Any], Any]:
    """`--format` and `--report`; the command finds them in the session as `reports`."""

    def decorate(function: Any) -> Any:
        return stdout_format(*formats)(_report(formats)(function))

    return decorate


def stdout_format(*formats: str) -> Callable[[Any], Any]:
    """`--format` alone."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        expose_value=False,
        is_eager=True,
        callback=_keep_format,
        help="Format of the result on stdout.",
    )


def _write(path: Path, text: str) -> None:
    whole_files.write_whole(path, text, mode=whole_files.PRIVATE)


def _put(file: IO[str], line: str) -> None:
    file.write(line)
    file.flush()


def _report(formats: tuple[str, ...]) -> Callable[[Any], Any]:
    return click.option(
        "--report",
        multiple=True,
        metavar="FORMAT=FILE",
        expose_value=False,
        callback=partial(_keep_reports, formats),
        help=f"Also write the result in this format, to a file or stdout (`-`): {', '.join(formats)}. "
        "Can be repeated.",
    )


def _reports(context: click.Context) -> Reports:
    reports = context.find_root().obj.reports
    assert isinstance(reports, Reports)
    return reports


def _check_installed(name: str, context: click.Context, parameter: click.Parameter) -> None:
    """Refuse a page if Jinja2 is missing, before the command does anything."""
    if name == HTML and find_spec("jinja2") is None:
        raise click.BadParameter(
            f"html needs Jinja2, which is not installed: {Extra.REPORT.command}", context, parameter
        )


def _keep_format(context: click.Context, parameter: click.Parameter, value: str) -> None:
    _check_installed(value, context, parameter)
    reports = _reports(context)
    reports.command = context.info_name or ""
    reports.stdout = value


def _keep_reports(
    formats: tuple[str, ...], context: click.Context, parameter: click.Parameter, value: tuple[str, ...]
) -> None:
    reports = _reports(context)
    is_explicit = context.get_parameter_source("format_") is click.core.ParameterSource.COMMANDLINE
    for text in value:
        name, equals, where = text.partition("=")
        if not equals or not where or name not in formats:
            raise click.BadParameter(
                f"write FORMAT=FILE, where FORMAT is {', '.join(formats)}.", context, parameter
            )
        _check_installed(name, context, parameter)
        if where != STDOUT:
            path = writable(where, context, parameter)
            if any(path.resolve() == file.resolve() for _, file in reports.files):
                raise click.BadParameter(
                    f"{where} is named twice: give each report its own file.", context, parameter
                )
            reports.files.append((name, path))
        elif is_explicit:
            raise click.BadParameter("only one result can go to stdout.", context, parameter)
        else:
            reports.stdout, is_explicit = name, True


def writable(where: str, context: click.Context, parameter: click.Parameter) -> Path:
    """The absolute path; a path that cannot be written is refused before anything is done."""
    path = Path(where).absolute()
    why = _why_unwritable(path)
    if why:
        raise click.BadParameter(f"{where} {why}", context, parameter)
    return path


def _why_unwritable(path: Path) -> str:
    """Why a file cannot be written; empty if it can."""
    if why := outputs.why_not_file(path):
        return why
    if path.is_dir():
        return "is a folder."
    if not path.parent.is_dir():
        return f"cannot be written: the folder {path.parent} does not exist."
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return "cannot be written: permission denied."
    return ""
