"""Running the checks on the tree, and turning their findings into diagnostics."""

from collections.abc import Mapping

from cesplan.config.cache.pack import Pack
from cesplan.config.checks import findings_in, forget
from cesplan.config.manifest import AppTree, Finding, Spot
from cesplan.config.report import Report, SourceFile
from cesplan.config.yaml.nodes import At
from cesplan.domain.address import AppKey

_NO_PACKS: Mapping[AppKey, Pack] = {}


def run_checks(apps: tuple[AppTree, ...], report: Report, packs: Mapping[AppKey, Pack] = _NO_PACKS) -> None:
    """
    Run every check on every app that makes sense; `packs` have what is known of their texts.

    An app of which a file could not be read, or whose app.yaml has errors, is not checked: what it lacks would
    look like a mistake elsewhere. Findings in a file that could be read only in part are not kept either.
    """
    sources: dict[str, SourceFile] = {}
    try:
        for app in apps:
            if report.errors_in(app.app.paths) or not app.is_whole:
                continue
            found = findings_in(app, packs.get(app.key) or Pack())
            found = [item for item in found if not report.errors_in(item.file.paths)]
            # File by file, because locating a finding composes its file again.
            for finding in sorted(found, key=lambda item: item.file.path):
                _keep(finding, report, sources)
    finally:
        forget()


def _keep(finding: Finding, report: Report, sources: dict[str, SourceFile]) -> None:
    if finding.code in finding.file.silenced:
        return
    report.add(
        finding.code,
        finding.summary,
        _spot(finding, sources),
        detail=finding.detail,
        suggestion=finding.suggestion,
        address=str(finding.file.address),
        correction=finding.correction,
    )


def _spot(finding: Finding, sources: dict[str, SourceFile]) -> Spot:
    """The place of a finding. Texts are split into lines only once for all findings."""
    included = finding.file.included.get(str(finding.path))
    if included is None or finding.place is None:
        return (finding.file.key_spot if finding.at_key else finding.file.spot)(finding.path)
    source = sources.get(included.path)
    if source is None:
        source = sources[included.path] = SourceFile(included.path, included.text)
    line, column, span = (max(1, number) for number in finding.place)
    return source.spot(At(line - 1, column - 1), At(line - 1, column - 1 + span))
