"""Checks of one file see one file; what is known of a file stands for a look into it."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings

from cesplan.config.cache.pack import Pack
from cesplan.config.checks import CHECKS, OF_ONE_FILE, findings_in, forget
from cesplan.config.manifest import AppTree, Finding
from tests.unit.config.checks.any_apps import any_apps

SLOWLY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _said(findings: list[Finding]) -> list[str]:
    return [f"{item.file.path} {item.path} {replace(item, file=None)}" for item in findings]  # type: ignore[arg-type]


@SLOWLY
@given(any_apps())
def test_checks_of_one_file_see_no_other(tree: AppTree) -> None:
    """Shown alone, each file has the findings that it has among the others."""
    for check in CHECKS:
        if check in OF_ONE_FILE:
            alone = [
                item
                for file in tree.resources
                for item in check(replace(tree, resources=(file,)))
                if item.file is file
            ]
            of_app = check(replace(tree, resources=()))
            assert sorted(_said(check(tree))) == sorted(_said([*of_app, *alone])), check


@SLOWLY
@given(any_apps())
def test_what_is_known_of_sound_files_changes_no_finding(tree: AppTree) -> None:
    """Nothing known, all known, and known while app.yaml or other files change."""
    pack = Pack(key=bytes(32))
    files = tuple(replace(file, digest=f"{number}".encode()) for number, file in enumerate(tree.resources))
    bare = replace(tree.app, body={})
    for now in (
        replace(tree, resources=files),
        replace(tree, resources=files),
        replace(tree, resources=files, app=bare),
        replace(tree, resources=files[::2]),
        replace(tree, resources=files[1::2], app=bare),
    ):
        found = findings_in(now, pack)
        forget()
        assert _said(found) == _said([item for check in CHECKS for item in check(now)])
