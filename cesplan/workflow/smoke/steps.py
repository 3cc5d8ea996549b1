"""Where the steps of a smoke test come from: a release of the tree, or a file with a list of steps."""

from collections.abc import Sequence
from pathlib import Path

from cesplan.config.files import Files
from cesplan.config.report import Report
from cesplan.domain.diagnostic import has_errors
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.features.release import Release, SmokeStep
from cesplan.features.releases.smoke_file import read_smoke_file


def find_release(name: str, releases: Sequence[Release]) -> Release:
    """The release of this name. Raises UsageError if the tree has none, or if it has no smoke test."""
    found = next((item for item in releases if item.name == name), None)
    if found is None:
        names = ", ".join(item.name for item in releases)
        raise UsageError(
            summary=f"`{name}` is neither a file nor a release of the app.",
            detail=f"Its releases: {names}." if names else "The app has no releases.",
        )
    if not found.smoke:
        raise UsageError(
            summary=f"The release `{name}` has no smoke test.", detail=f"Add `smoke` to {found.file}."
        )
    return found


def read_steps(path: Path) -> tuple[SmokeStep, ...]:
    """The steps in a file. Raises InvalidConfiguration with every mistake."""
    report = Report()
    steps = read_smoke_file(path.name, Files(path.parent, report))
    found = tuple(report.diagnostics)
    if has_errors(found):
        raise InvalidConfiguration(diagnostics=found)
    return steps
