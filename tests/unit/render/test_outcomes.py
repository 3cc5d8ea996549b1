"""What happened, while it goes on and at the end."""

import json

from cesplan.domain.errors import Conflict, InvalidRequest, LostResponse
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Unknown, Waiting
from cesplan.domain.plan import Reason
from cesplan.render.machine.formats.events import event_line
from cesplan.render.machine.formats.outcomes import ApplyReport, ErrorReport
from cesplan.render.services.junit import outcomes_junit
from cesplan.render.services.markdown_outcomes import outcomes_markdown
from cesplan.render.text.layout import View
from cesplan.render.text.outcome import ignore_line, outcome_text, report_text, waiting_text
from tests.unit.render.builders import FRONT_DESK, MIXED, create, delete, operation, update
from tests.unit.render.golden import assert_golden

_TOOL = create("support-desk/tools/track-parcel")
_STAMP = operation("support-desk", "update", Reason.STAMP)
_WHOLE: tuple[Outcome, ...] = (
    Applied(operation=_TOOL, seconds=0.31),
    Applied(operation=FRONT_DESK, seconds=0.2),
    Applied(operation=delete("support-desk/guardrails/old-words"), seconds=0.02, note="already gone", writes=0),
    Applied(operation=create("support-desk/versions/v42"), seconds=75),
    Applied(operation=_STAMP, seconds=0.1),
)
_PARTIAL: tuple[Outcome, ...] = (
    Applied(operation=FRONT_DESK, seconds=0.2, not_converged=("modelSettings.temperature", 'metadata["team"]')),
    Failed(
        operation=_TOOL,
        seconds=0.3,
        error=InvalidRequest(
            summary="pythonCode: the function has no docstring.",
            detail="Write one.",
            status="INVALID_ARGUMENT",
            http_status=400,
        ),
        step=_TOOL.steps[0],
    ),
    Failed(
        operation=update("support-desk/agents/orders"),
        error=Conflict(
            summary="agents/orders changed in instruction after this plan was made.", status="ABORTED"
        ),
        writes=1,
    ),
    Skipped(operation=create("support-desk/agents/billing"), because="support-desk/tools/track-parcel"),
    Skipped(operation=_STAMP, because="the stamp is unchanged because not everything else was applied"),
    Unknown(
        operation=create("support-desk/tools/faq"),
        error=LostResponse(summary="No answer came.", detail="Run the same command again to find out."),
        seconds=61,
    ),
)
_HINTS = {"To see what remains": "cesplan plan -e prod", "To continue": "cesplan apply -e prod"}


def test_a_whole_apply() -> None:
    """One line an outcome, one for all; the stamp is not a change."""
    lines = "".join(outcome_text(item, app="support-desk") for item in _WHOLE)
    assert_golden("apply-whole.txt", f"{lines}\n{report_text(_WHOLE, duration=76.4)}")


def test_a_partial_apply() -> None:
    """What failed and why, what nobody knows, what did not take and how to leave it alone, what to run next."""
    lines = "".join(outcome_text(item) for item in _PARTIAL)
    report = report_text(_PARTIAL, duration=62, hints=_HINTS)
    assert_golden("apply-partial.txt", f"{lines}\n{report}")


def test_much_that_was_skipped_for_one_reason_is_one_entry() -> None:
    """Three are named, all are counted; what was skipped for another reason is apart."""
    names = [f"support-desk/tools/tool-{number}" for number in range(1204)]
    skipped = [Skipped(operation=create(name), because="support-desk") for name in names]
    stopped = Skipped(operation=_STAMP, because="interrupted")
    report = report_text([*skipped, stopped], View(width=200), duration=1)
    assert [row for row in report.splitlines() if row.startswith("  skipped")] == [
        f"  skipped  {', '.join(names[:3])}, and 1,201 more: after support-desk",
        "  skipped  support-desk (stamp): interrupted",
    ]


def test_what_was_skipped_in_the_middle_says_that_it_was_begun() -> None:
    """An app that was created, and whose references were to be set later, is there."""
    begun = Skipped(operation=create("support-desk"), because="support-desk/tools/track-parcel", writes=1)
    told = "after support-desk/tools/track-parcel; 1 write took effect"
    assert told in " ".join(outcome_text(begun, View(width=200)).split())
    assert told in outcomes_markdown(MIXED, [begun], exit_code=3)


def test_nothing_written_is_said_in_those_words() -> None:
    """A failure before the first write is not a partial apply."""
    failed = Failed(operation=FRONT_DESK, error=Conflict(summary="agents/front-desk changed."))
    assert report_text([failed], duration=0.2).startswith(
        "Not applied: 0 created, 0 updated, 0 deleted, 1 failed"
    )


def test_the_ignore_line_is_yaml() -> None:
    """Paths with brackets are quoted, plain ones are not."""
    assert ignore_line(["a.b", 'e["it\'s"]']) == "$ignore: [a.b, 'e[\"it''s\"]']"


def test_the_ignore_line_names_what_can_be_ignored() -> None:
    """An element is found again by its key; a list without keys is left alone as a whole."""
    assert ignore_line(["c[0].d", "c[1].d", "v[name=x].d"]) == "$ignore: [c, 'v[name=x].d']"


def test_waiting_is_a_sign_of_life() -> None:
    """A long-running operation says its name and how long it has taken."""
    event = Waiting(operation=_TOOL, step=_TOOL.steps[0], seconds=64)
    assert waiting_text(event) == "  … support-desk/tools/track-parcel still running, 1 min 4 s\n"


def test_outcomes_for_machines() -> None:
    """Every operation has one outcome, with its error as an object; the numbers leave the stamp out."""
    document = json.loads(ApplyReport.of(MIXED, _PARTIAL, exit_code=3).text())
    assert document["exit_code"] == 3
    assert [item["outcome"] for item in document["outcomes"]] == [
        "applied", "failed", "failed", "skipped", "skipped", "unknown",
    ]  # fmt: skip
    assert document["summary"] == {
        "created": 0, "updated": 1, "deleted": 0, "already_as_planned": 0,
        "failed": 2, "skipped": 1, "unknown": 1, "not_converged": 1,
    }  # fmt: skip
    assert document["outcomes"][1]["error"]["status"] == "INVALID_ARGUMENT"
    assert document["outcomes"][0]["ignore"] == ["$ignore: [modelSettings.temperature, 'metadata[\"team\"]']"]
    assert document["plan"]["summary"]["create"] == 5


def test_an_error_for_machines() -> None:
    """A command that ends early still writes one document."""
    error = Conflict(summary="It moved.", status="ABORTED")
    document = json.loads(ErrorReport.from_value(error=error, exit_code=4).text())
    assert (document["exit_code"], document["error"]["type"]) == (4, "Conflict")


def test_what_was_as_planned_is_counted_apart_in_every_format() -> None:
    """A run that found another's work there wrote nothing, and takes no credit for it."""
    done = (Applied(operation=_TOOL, note="already as planned", writes=0), Applied(operation=FRONT_DESK))
    text = report_text(done, duration=0.2)
    assert text.startswith("Applied: 0 created, 1 updated, 0 deleted, 1 already as planned in 0.2 s.")
    document = json.loads(ApplyReport.of(MIXED, done, exit_code=0).text())
    summary = document["summary"]
    assert (summary["created"], summary["updated"], summary["already_as_planned"]) == (0, 1, 1)
    assert sum(item["writes"] for item in document["outcomes"]) == 1
    assert "**1 updated, 1 already as planned.**" in outcomes_markdown(MIXED, done, exit_code=0)
    assert "<system-out>unchanged\nalready as planned</system-out>" in outcomes_junit(done)
    event = json.loads(event_line(done[0]))
    assert (event["outcome"], event["writes"], event["note"]) == ("applied", 0, "already as planned")
