"""Reports as test suites."""

from xml.etree import ElementTree

from cesplan.domain.address import parse_address
from cesplan.domain.diagnostic import Diagnostic, Severity, SourcePlace
from cesplan.domain.errors import CesplanError, Conflict, LostResponse
from cesplan.domain.features.policy import RuleSeverity, RuleVerdict
from cesplan.domain.outcome import Applied, Failed, Skipped, Unknown
from cesplan.render.services.junit import error_junit, outcomes_junit, plan_junit, validation_junit
from tests.unit.render.builders import LIVE_EDITS, LIVE_TOKEN, MIXED, TOKEN, create, delete, plan, update

NUMBERS = ("tests", "failures", "errors", "skipped")


def _suite(text: str) -> ElementTree.Element:
    """The only suite; the shape is what the parsers of the common services agree on."""
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.tag == "testsuite"
    for name, tag in zip(NUMBERS[1:], ("failure", "error", "skipped"), strict=True):
        assert int(suite.attrib[name]) == len(suite.findall(f"testcase/{tag}"))
    assert {*root.attrib} == {"name", "tests", "failures", "errors", "time"}
    assert {*suite.attrib} == {*root.attrib, "skipped"}
    assert all(suite.attrib[name] == value for name, value in root.attrib.items())
    assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
    for case in suite:
        assert case.attrib["name"]
        assert case.attrib["classname"]
        assert float(case.attrib["time"]) >= 0
        assert {*case.attrib} <= {"name", "classname", "time", "file"}
        assert all({*item.attrib} <= {"message", "type"} and not len(item) for item in case)
        assert {item.tag for item in case} <= {"failure", "error", "skipped", "system-out"}
        assert sum(item.tag != "system-out" for item in case) <= 1
    return suite


def _told(suite: ElementTree.Element) -> dict[str, list[str]]:
    return {case.attrib["name"]: [item.tag for item in case] for case in suite}


def test_every_operation_of_a_plan_is_a_case() -> None:
    suite = _suite(plan_junit(MIXED))
    assert len(suite) == len(MIXED.shown)
    assert {case.attrib["classname"] for case in suite} >= {"agents", "tools", "guardrails", "apps"}
    text = plan_junit(MIXED)
    assert TOKEN not in text
    assert LIVE_TOKEN not in text


def test_what_is_refused_has_failed() -> None:
    """By the policy: the resource itself; by the guard: a case of its own."""
    verdict = RuleVerdict(
        rule="r", severity=RuleSeverity.NEEDS_APPROVAL, address=parse_address("s/agents/a"), message="no\x00"
    )
    warned = RuleVerdict(rule="w", severity=RuleSeverity.WARN, address=parse_address("s/tools/b"), message="hm")
    made = plan(update("s/agents/a"), delete("s/tools/b"), refusals=("too many",), verdicts=(verdict, warned))
    suite = _suite(plan_junit(made))
    assert _told(suite) == {
        "update s/agents/a": ["failure", "system-out"],
        "delete s/tools/b": ["system-out"],
        "refusal 1": ["failure"],
    }
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.attrib["message"] == r"policy `r`: no\u0000; approve it with --allow-policy r"


def test_every_outcome_is_a_case() -> None:
    """Failed and not converged are failures, unknown is an error, skipped is skipped."""
    outcomes = [
        Applied(operation=create("s/tools/a"), seconds=0.25),
        Applied(operation=update("s/tools/b"), not_converged=("description",)),
        Failed(operation=update("s/tools/c"), error=Conflict(summary="It changed.")),
        Unknown(operation=update("s/tools/d"), error=LostResponse(summary="No answer.")),
        Skipped(operation=update("s/tools/e"), because="s/tools/c"),
    ]
    suite = _suite(outcomes_junit(outcomes))
    assert suite.attrib["time"] == "0.250"
    assert _told(suite) == {
        "create s/tools/a": ["system-out"],
        "update s/tools/b": ["failure", "system-out"],
        "update s/tools/c": ["failure", "system-out"],
        "update s/tools/d": ["error", "system-out"],
        "update s/tools/e": ["skipped", "system-out"],
    }


def test_every_file_of_a_tree_is_a_case() -> None:
    """Errors fail it, warnings are reported; a finding in another file has a case of its own."""
    found = (
        Diagnostic(
            code="CES012",
            severity=Severity.ERROR,
            summary="unknown field",
            place=SourcePlace(file="a.yaml", line=3),
            detail="Why.",
            suggestion="name",
        ),
        Diagnostic(code="CES011", severity=Severity.WARNING, summary="unused", place=SourcePlace(file="b.md")),
        Diagnostic(code="CES005", severity=Severity.ERROR, summary="no tree"),
    )
    suite = _suite(validation_junit(found, {"a.yaml": "s/agents/a", "c.yaml": "s/agents/c"}))
    assert _told(suite) == {
        "s/agents/a": ["failure"],
        "s/agents/c": [],
        "b.md": ["system-out"],
        "tree": ["failure"],
    }
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.attrib["message"] == "CES012: unknown field"
    assert failure.text == "error[CES012] unknown field\na.yaml:3:1\ndid you mean name?\nWhy."


def test_an_error_is_one_case() -> None:
    suite = _suite(error_junit("plan", CesplanError(summary="Nobody answers.", detail="Try again.")))
    assert _told(suite) == {"plan": ["error"]}


def test_a_case_tells_the_live_edits_that_it_undoes() -> None:
    said = {case.get("name"): case.findtext("system-out") for case in _suite(plan_junit(LIVE_EDITS))}
    assert said["update shop/agents/front-desk"] == (
        "Reverts a live edit by bob@acme.example, 2026-11-20 17:40 UTC\n"
        "description: live edit by bob@acme.example, 2026-11-20 17:40 UTC; the tree changed it too\n"
        "field changed\ndescription\ndisplayName"
    )
    assert (said["delete shop/agents/try-out"] or "").startswith(
        "Deletes what was created live by eve@acme.example, 2026-11-20 18:03 UTC\n"
    )
    assert (said["delete shop/examples/old"] or "").startswith("removed from the tree")
