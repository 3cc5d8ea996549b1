"""Diagnostics for people and for machines."""

import json
from dataclasses import replace

from cesplan.domain.diagnostic import Diagnostic, Severity, SourcePlace
from cesplan.render.machine.formats.diagnostics import ValidationReport
from cesplan.render.text.diagnostics import diagnostics_text, summary_text
from cesplan.render.text.layout import View
from tests.unit.render.golden import assert_golden

_FILE = "apps/support-desk/agents/front-desk.yaml"
_FOUND = (
    Diagnostic(
        code="CES021",
        severity=Severity.ERROR,
        summary="reference to a tool that does not exist: `track-parcels`",
        place=SourcePlace(file=_FILE, line=14, column=5),
        source_line="  - track-parcels",
        span=13,
        suggestion="`track-parcel`  (apps/support-desk/tools/track-parcel.yaml)",
    ),
    Diagnostic(
        code="CES012",
        severity=Severity.ERROR,
        summary="unknown field `displayname`",
        place=SourcePlace(file=_FILE, line=2, column=1),
        source_line="displayname: Front desk",
        span=11,
        suggestion="displayName",
    ),
    Diagnostic(
        code="CES041",
        severity=Severity.WARNING,
        summary="a very long line",
        place=SourcePlace(file=_FILE, line=1234, column=120),
        source_line="description: " + "words and " * 20,
        span=5,
        detail="Why it matters.\n    something to type",
    ),
    Diagnostic(code="CES005", severity=Severity.ERROR, summary="no cesplan.yaml here", detail="Write one."),
)


def test_findings_show_place_line_and_caret() -> None:
    """By file and line; a long line shows the surroundings of the place."""
    assert_golden("diagnostics.txt", diagnostics_text(_FOUND) + summary_text(_FOUND, 31, command="cesplan …"))


def test_many_warnings_of_one_code_are_told_in_short() -> None:
    """Each has its place, ten have advice; of errors, all have."""

    def found(severity: Severity) -> str:
        places = (SourcePlace(file=f"agents/a-{number:02}.yaml", line=1, column=1) for number in range(30))
        items = [
            Diagnostic(
                code="CES081",
                severity=severity,
                summary=f"{place.file[9:11]} unused",
                place=place,
                detail="Name it.",
            )
            for place in places
        ]
        return diagnostics_text(items)

    assert found(Severity.WARNING).count("Name it.") == 10
    assert found(Severity.WARNING).count(".yaml:1:1\n") == 30
    assert found(Severity.WARNING).endswith("warning[CES081] 29 unused\n  agents/a-29.yaml:1:1\n\n")
    assert found(Severity.ERROR).count("Name it.") == 30


def test_findings_in_colour() -> None:
    """Severity, caret and suggestion are coloured."""
    assert_golden("diagnostics.ansi", diagnostics_text(_FOUND, View(width=100, colour=True)))


def test_findings_for_machines() -> None:
    """Places are numbers, and the verdict needs no counting."""
    document = json.loads(ValidationReport.of(_FOUND, 31).text())
    assert document["valid"] is False
    assert document["summary"] == {"errors": 3, "warnings": 1, "notices": 0}
    assert [item["code"] for item in document["diagnostics"]] == ["CES005", "CES012", "CES021", "CES041"]
    assert document["diagnostics"][1]["place"] == {"file": _FILE, "line": 2, "column": 1}


def test_nothing_found_is_one_line() -> None:
    """A clean tree says so, and how much was read."""
    assert diagnostics_text(()) == ""
    assert summary_text((), 31) == "No problems in 31 files.\n"


def _warning(line: int, summary: str = "a certificate that expires", detail: str = "Renew it.") -> Diagnostic:
    return Diagnostic(
        code="CES041",
        severity=Severity.WARNING,
        summary=summary,
        detail=detail,
        place=SourcePlace(file="a.yaml", line=line),
    )


def test_one_warning_of_several_places_is_told_once() -> None:
    """With all of its places, at that of the first; what differs in a word, and errors, stand by themselves."""
    found = [_warning(9), _warning(2), _warning(5, "another one"), *map(_warning, range(20, 30))]
    assert diagnostics_text(found) == (
        "warning[CES041] a certificate that expires\n"
        "  a.yaml:2:1\n"
        + "".join(f"  also at a.yaml:{line}:1\n" for line in (9, *range(20, 30)))
        + "  Renew it.\n\n"
        "warning[CES041] another one\n  a.yaml:5:1\n  Renew it.\n\n"
    )
    twice = [replace(item, severity=Severity.ERROR) for item in (_warning(1), _warning(2))]
    assert diagnostics_text(twice).count("Renew it.") == 2


def test_what_a_plan_touches_is_whole() -> None:
    """However many there are of one code."""
    found = [_warning(line, f"number {line}") for line in range(1, 15)]
    assert diagnostics_text(found).count("Renew it.") == 10
    assert diagnostics_text(found, whole=True).count("Renew it.") == 14
