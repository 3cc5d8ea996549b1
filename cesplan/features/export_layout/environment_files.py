"""
Environment files of an export: environment.json, and others beside it for other environments.

The service writes one, environment.json. People who keep an app for several environments put more beside it;
the names they use are recognized: `environment.prod.json`, `prod.environment.json`, `environments/prod.json`.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cesplan.config.report import Report, SourceFile, file_spot
from cesplan.config.suggestions import nearest, one_of
from cesplan.features.export_layout.layout import ENVIRONMENT
from cesplan.features.export_layout.opened import Opened, composed, read
from cesplan.features.export_layout.sources import Source

_NAME = r"(?P<name>[A-Za-z0-9][\w-]*)"
_FILES = (
    re.compile(rf"environment[._-]{_NAME}\.(?:json|yaml)"),
    re.compile(rf"{_NAME}[._-]environment\.(?:json|yaml)"),
    re.compile(rf"environments/(?:environment[._-])?{_NAME}\.(?:json|yaml)"),
    re.compile(rf"environments/{_NAME}/environment\.(?:json|yaml)"),
)


def file_of(environment: str) -> str:
    """The file of an environment, as cesplan writes it; environment.json for the one without a name."""
    return f"environment.{environment}.json" if environment else ENVIRONMENT


def environment_files(names: Iterable[str]) -> dict[str, str]:
    """By the name of the environment, the files of all but the one without a name."""
    found: dict[str, str] = {}
    for path in sorted(names):
        match = next((match for form in _FILES if (match := form.fullmatch(path))), None)
        if match:
            found.setdefault(match["name"], path)
    return found


def chosen_environment(source: Source, environment: str, file: str) -> Opened | None:
    """
    The environment file that counts: `file` (in the export, or else on this machine), that of `environment`, or
    environment.json. What is wrong is reported; None where there is none.
    """
    if file and file not in source.names:
        return _read_from_elsewhere(source, Path(file))
    others = environment_files(source.names)
    if environment and not file and environment not in others:
        source.files.report.add(
            "CES007",
            f"the export has no environment `{environment}`",
            detail=f"It has {one_of(sorted(others))}." if others else f"It has no `{file_of('NAME')}`.",
            suggestion=nearest(environment, others),
        )
        return None
    path = file or (others[environment] if environment else ENVIRONMENT)
    return read(source, path) if path in source.names else None


def other_environments(source: Source) -> dict[str, Opened]:
    """
    By the name of the environment, the files that can be read.

    Which of them counts is chosen; a file that only looks like one refuses nothing, and a notice says so.
    """
    found: dict[str, Opened] = {}
    for name, path in environment_files(source.names).items():
        opened = read(_quietly(source), path)
        if opened is not None:
            found[name] = opened
        else:
            source.files.report.add(
                "CES035", f"`{path}` is ignored: it is not an environment file", file_spot(path)
            )
    return found


def _quietly(source: Source) -> Source:
    """The same files, whose findings go nowhere."""
    return replace(source, files=replace(source.files, report=Report()))


def _read_from_elsewhere(source: Source, path: Path) -> Opened | None:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        source.files.report.add("CES001", f"`{path}` cannot be read: {reason.lower()}", file_spot(str(path)))
        return None
    return composed(SourceFile(str(path), text), source.files.report)
