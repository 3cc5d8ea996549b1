"""Emulating: the one place that starts the emulator, in this process or for others."""

import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from cesplan.config.project.project import find_root
from cesplan.config.writing.outputs import check_output_file, make_room, own_place
from cesplan.domain.errors import CesplanError, Extra, UsageError

if TYPE_CHECKING:
    from cesplan.emulator import Switches

HOST_VARIABLE = "CES_EMULATOR_HOST"
_DATA = "emulator.db"
"""The emulator's data, which belongs to this checkout alone."""
_BESIDE = ("-journal", "-wal", "-shm")
"""The suffixes of files that SQLite puts next to a database (https://sqlite.org/tempfiles.html)."""

_EXTRA = {"httptools", "starlette", "uvicorn"}
_OF_NO_USE = {1, 11, 26}
"""
SQLITE_ERROR (other tables), SQLITE_CORRUPT, SQLITE_NOTADB (https://sqlite.org/rescode.html): permanent errors.
"""


@contextmanager
def emulator(root: Path, *, embedded: bool, environ: Mapping[str, str] = os.environ) -> Iterator[str]:
    """
    The address of the emulator to use, as host:port; empty to use the service itself.

    `embedded` runs one in this process as long as the context lasts, with its data in `.cesplan/emulator.db`
    under the root of the tree around a folder. Else `CES_EMULATOR_HOST` decides.
    """
    if not embedded:
        yield environ.get(HOST_VARIABLE, "")
        return
    module = _emulator()
    data = _data_file(root)
    with ExitStack() as stack:
        with _usable(data):
            running = stack.enter_context(module.EmbeddedEmulator(data))
        yield running.address


def serve_emulator(
    port: int,
    data: Path | None = None,
    switches: Mapping[str, str] | None = None,
    announce: Callable[[str], None] | None = None,
    *,
    faults: Path | None = None,
    evaluations: Path | None = None,
    sessions: Path | None = None,
    judges: Path | None = None,
) -> None:
    """
    Serve until interrupted; port 0 takes a free one. `data` is a file (None: memory only).

    `switches` are texts by name. `announce` receives host:port once the server accepts connections. `faults`,
    `evaluations`, `sessions`, and `judges` are files with faults to inject, results of evaluation runs, replies
    of agents and tools, and answers of judges. Raises UsageError for an unknown switch or value, an invalid
    file, and a port in use, and KeyboardInterrupt after Ctrl-C.
    """
    if data is not None:
        check_output_file(data)
    module = _emulator()
    values = _switches(module.Switches, switches or {})
    broken = _loaded(module.Faults, faults)
    script = _loaded(module.Script, evaluations)
    talks = _loaded(module.SessionScript, sessions)
    verdicts = _loaded(module.JudgeScript, judges)
    try:
        with _usable(data):
            module.serve(
                port, data, values, announce, faults=broken, script=script, sessions=talks, judges=verdicts
            )
    except OSError as error:
        raise UsageError(summary=f"Cannot serve on port {port}: {error.strerror or error}.") from error


@contextmanager
def _usable(data: Path | None) -> Iterator[None]:
    """Name the file in the error if SQLite cannot use it."""
    import sqlite3  # which work with the service itself does not need

    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # what is above are details
        again = f"To start over, remove it:\n\n    rm {shlex.quote(str(data))}*"
        raise CesplanError(
            summary=f"The emulator cannot use its data in {data}: {error}.",
            detail=again if code in _OF_NO_USE else "",
        ) from error


def _loaded(kind: Any, path: Path | None) -> Any:
    """The content of a file, None without one."""
    try:
        return None if path is None else kind.load(path)
    except OSError as error:
        raise UsageError(summary=f"Cannot read {path}: {error.strerror or error}.") from error
    except ValueError as error:
        raise UsageError(summary=str(error)) from error


def switch_names() -> dict[str, str]:
    """The switches of the emulator, each with the values it takes or an example of one."""
    kinds = get_type_hints(_emulator().Switches)
    return {item.name: _values(kinds[item.name], item.default) for item in fields(_emulator().Switches)}


def switch_help() -> list[tuple[str, str]]:
    """Each switch with its values, the default first, and what it decides."""
    about = {item.name: str(item.metadata["about"]) for item in fields(_emulator().Switches)}
    return [(f"{name}={values}", about[name]) for name, values in switch_names().items()]


def _emulator() -> Any:
    try:
        from cesplan import emulator as module
    except ModuleNotFoundError as error:
        if error.name not in _EXTRA:
            raise
        raise CesplanError(
            summary="The emulator needs packages that are not installed.",
            detail=Extra.EMULATOR.advice,
        ) from error
    return module


def _data_file(root: Path) -> Path:
    """The file of the embedded emulator. Raises InvalidConfiguration for links in its place."""
    tree = find_root(root) or root
    for end in _BESIDE:
        own_place(tree, f"{_DATA}{end}")
    data = own_place(tree, _DATA)
    make_room(data)
    return data


def _switches(kind: "type[Switches]", given: Mapping[str, str]) -> "Switches":
    known = switch_names()
    for name in given:
        if name not in known:
            listing = "\n".join(f"    {key}={values}" for key, values in known.items())
            raise UsageError(
                summary=f"The emulator has no switch `{name}`.", detail=f"Available switches:\n{listing}"
            )
    kinds = get_type_hints(kind)
    return kind(**{name: _read(name, kinds[name], text) for name, text in given.items()})


def _read(name: str, kind: Any, text: str) -> Any:
    """A switch's value from its text, by the type of the switch."""
    choices = get_args(_without_none(kind))
    if kind is bool and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind is int and text.isdecimal():
        return int(text)
    if kind is str or text in choices:
        return text
    if Ellipsis in choices:
        return tuple(filter(None, text.split(",")))
    raise UsageError(
        summary=f"`{text}` is not a valid value for the switch `{name}`.", detail=f"Use {_values(kind)}."
    )


def _values(kind: Any, default: Any = None) -> str:
    """The values of a switch: the choices, or its default as an example."""
    if kind is bool:
        return "false|true" if default is False else "true|false"
    if kind is int:
        return "a number" if default is None else str(default)
    choices = get_args(_without_none(kind))
    if Ellipsis in choices:
        return ",".join(map(str, default or ())) or "NAME,…"
    return "|".join(map(str, choices)) or str(default or "text")


def _without_none(kind: Any) -> Any:
    """The type behind an optional one."""
    rest = [item for item in get_args(kind) if item is not type(None)]
    return rest[0] if len(rest) == 1 and type(None) in get_args(kind) else kind
