"""
Broken exports and the report about them: `broken/<case>/export` and `expected.txt`.

To write the expectations again: `REFRESH_SCENARIOS=1 pytest tests/export_layout`, and read the difference.
"""

import os
from pathlib import Path

import pytest

from cesplan.domain.diagnostic import Severity
from cesplan.render.text.diagnostics import diagnostics_text, summary_text
from cesplan.render.text.layout import View
from tests.export_layout.exporting import reading

CASES = Path(__file__).parent / "broken"
VIEW = View(width=100)


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_people_are_told_what_is_wrong_and_where(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every finding has its place in the export, and what is wrong keeps it from being applied."""
    monkeypatch.chdir(CASES / case)
    found = reading(Path("export")).loaded
    told = diagnostics_text(found.diagnostics, VIEW) + summary_text(found.diagnostics, found.files, VIEW)
    expected = CASES / case / "expected.txt"
    if os.environ.get("REFRESH_SCENARIOS"):
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")
    broken = any(item.severity is Severity.ERROR for item in found.diagnostics)
    assert (found.desired is None) is broken
