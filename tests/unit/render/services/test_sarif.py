"""Findings as SARIF 2.1.0: the members that its schema requires, and those that services read."""

import json
import re
from typing import Any

from cesplan.config.codes import CODES
from cesplan.domain.diagnostic import Diagnostic, Fix, Severity, SourcePlace
from cesplan.domain.errors import CesplanError
from cesplan.render.services.sarif import error_sarif, sarif

RULES = [*CODES.values()]
FOUND = (
    Diagnostic(
        code="CES012",
        severity=Severity.ERROR,
        summary="unknown field `displayname`",
        place=SourcePlace(file="apps/help desk/app.yaml", line=2, column=3),
        suggestion="displayName",
        source_line="  displayname: x",
        span=11,
        address="help-desk",
        fix=Fix(
            place=SourcePlace(file="apps/help desk/app.yaml", line=2, column=3),
            before="displayname",
            after="displayName",
        ),
    ),
    Diagnostic(code="CES011", severity=Severity.WARNING, summary="unused", place=SourcePlace(file="a.md")),
    Diagnostic(code="CES005", severity=Severity.ERROR, summary="no tree"),
    Diagnostic(code="", severity=Severity.NOTICE, summary="by the way"),
)


def _run(text: str) -> dict[str, Any]:
    """The only run; checks what sarif-schema-2.1.0.json requires of every part that is used."""
    log = json.loads(text)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "cesplan"
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", driver["semanticVersion"])
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    for rule in driver["rules"]:
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        assert rule["shortDescription"]["text"]
        assert "**What to do.**" in rule["help"]["markdown"]
        assert rule["help"]["text"]
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["level"] in ("none", "note", "warning", "error")
        if "ruleIndex" in result:
            assert ids[result["ruleIndex"]] == result["ruleId"]
        for location in result["locations"]:
            region = location["physicalLocation"]["region"]
            assert region["startLine"] >= 1
            assert region["endColumn"] > region["startColumn"] >= 1
        for fix in result.get("fixes", ()):
            assert set(fix) <= {"description", "artifactChanges"}
            for change in fix["artifactChanges"]:
                assert set(change) == {"artifactLocation", "replacements"}
                for replacement in change["replacements"]:
                    assert set(replacement) <= {"deletedRegion", "insertedContent"}
                    assert set(replacement["insertedContent"]) <= {"text", "binary", "rendered"}
                    assert (
                        replacement["deletedRegion"]["endColumn"] >= replacement["deletedRegion"]["startColumn"]
                    )
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    found: dict[str, Any] = run
    return found


def test_findings_have_a_rule_a_level_and_a_region() -> None:
    run = _run(sarif(FOUND, RULES))
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["CES005", "CES011", "CES012"]
    by_rule = {item.get("ruleId"): item for item in run["results"]}
    assert by_rule["CES012"].pop("fixes")
    assert by_rule["CES012"] == {
        "ruleId": "CES012",
        "ruleIndex": 2,
        "level": "error",
        "message": {"text": "unknown field `displayname`\nDid you mean displayName?"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "apps/help%20desk/app.yaml", "uriBaseId": "%SRCROOT%"},
                    "region": {
                        "startLine": 2,
                        "startColumn": 3,
                        "endColumn": 14,
                        "snippet": {"text": "  displayname: x"},
                    },
                },
                "logicalLocations": [{"fullyQualifiedName": "help-desk", "kind": "resource"}],
            }
        ],
    }
    assert by_rule["CES005"]["locations"] == []
    assert by_rule["CES011"]["level"] == "warning"


def test_paths_begin_at_the_repository() -> None:
    """A tree below the root of its repository."""
    run = _run(sarif(FOUND[1:2], RULES, folder="agents/prod"))
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "agents/prod/a.md"


def test_every_code_can_be_a_rule() -> None:
    """No page that a service would refuse."""
    found = [Diagnostic(code=code, severity=item.severity, summary="x") for code, item in CODES.items()]
    run = _run(sarif(found, RULES))
    assert len(run["tool"]["driver"]["rules"]) == len(CODES)


def test_a_run_that_failed_says_so() -> None:
    run = _run(error_sarif(CesplanError(summary="No tree.")))
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"] is False


def test_a_fix_names_the_word_and_what_takes_its_place() -> None:
    """Section 3.55: deleted are the columns of the word, inserted is the other one."""
    with_fix, *others = _run(sarif(FOUND, RULES, folder="a b"))["results"][::-1]
    assert not any("fixes" in item for item in others)
    (change,) = with_fix["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "a%20b/apps/help%20desk/app.yaml", "uriBaseId": "%SRCROOT%"}
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 14},
            "insertedContent": {"text": "displayName"},
        }
    ]
