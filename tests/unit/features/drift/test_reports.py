"""A drift report as text, Markdown, JUnit and JSON: the same facts, and nothing that could act."""

import random
import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from cesplan.domain.change import EditKind, FieldAction, LiveEdit, Origin
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftReport
from cesplan.domain.value import Secret
from cesplan.features.drift.junit_report import drift_junit
from cesplan.features.drift.markdown_report import drift_markdown
from cesplan.features.drift.text_report import drift_text
from cesplan.render.machine.formats.drift import DriftReportJson, read_drift
from cesplan.render.text.full import full_body_page
from cesplan.render.text.layout import View
from tests.costs import growth
from tests.unit.features.drift.reports import app, created, field_drift, report
from tests.unit.render.builders import change, update

HOSTILE = "x\x1b[2J\r\n::error::<img src=x>@team [a](b) </code>`\u202e"


def test_an_absent_boolean_reads_as_false() -> None:
    """A guardrail that was switched on live was off before; there is no third state."""
    item = field_drift(True, address="desk/guardrails/pii", path="enabled", tree=None)
    assert "false → true" in drift_text(report(app(item)), View(width=140), exit_code=2)


def test_the_text_has_a_row_for_each_difference_and_the_sums() -> None:
    found = report(
        app(
            field_drift(0.9, tree=0.2, path="modelSettings.temperature"),
            field_drift("Bills", tree="Billing", path="displayName", drift_class=DriftClass.CONFLICT),
            created(),
            field_drift("a", tree="b", drift_class=DriftClass.PENDING, edit=None),
            commit="4f2c9e1" + "0" * 33,
            applied_at="2026-11-19T09:14:00Z",
        ),
        app(key="other", managed=2),
    )
    by = "bob@acme.example, 2026-11-20 17:40 UTC"
    rows = drift_text(found, View(width=140), exit_code=2).splitlines()
    assert [re.split(r" {2,}", row.strip()) for row in rows] == [
        ["desk · prod · acme-prod/us · last applied from 4f2c9e100000, 2026-11-19 09:14 UTC"],
        [""],
        ["drift", "agents/billing", "modelSettings.temperature", "0.2 → 0.9", by],
        ["conflict", "agents/billing", "displayName", "Bills live, Billing in the tree", by],
        ["drift", "tools/new-tool", "created live", by],
        ["pending", "agents/billing", "instruction", "a → b, in the tree, not applied"],
        [""],
        ["No differences in other."],
        [""],
        ["2 drifted, 1 conflict, 1 pending; 6 of 6 resources managed.", rows[-1].rpartition("  ")[2]],
    ]
    assert rows[-1].endswith("exit code 2")
    assert len({row.index("bob@") for row in rows if by in row}) == 1


def test_apps_without_differences_are_named_with_their_environment_if_there_are_several() -> None:
    """The same app may differ in another environment."""
    found = report(app(created()), app(environment="dev"), app(key="@us", environment="dev"))
    rows = drift_text(found, View(width=140), exit_code=2).splitlines()
    assert "No differences in desk (dev) and location us (dev)." in rows


def test_texts_of_lines_that_repeat_are_counted_and_shown_in_time_that_grows_with_them() -> None:
    """Compared with every equal line, again behind each match, they would take minutes."""

    def showing(number: int) -> Callable[[], tuple[str, str]]:
        dice = random.Random(7)
        before, after = ("\n".join(dice.choices("ab", k=number)) for _ in range(2))
        return lambda: (
            drift_text(report(app(field_drift(after, tree=before))), View(width=140), exit_code=2),
            full_body_page(update("desk/agents/billing", change("instruction", before, after))),
        )

    text, shown = showing(9_000)()
    assert "text changed: " in text
    assert len(shown) >= 9_000
    assert growth(showing, 900, 9_000) < 30


def test_an_app_that_could_not_be_checked_is_told() -> None:
    text = drift_text(
        report(AppDrift(app="desk", error="Not permitted.\nAsk for it.", exit_code=6)), exit_code=6
    )
    assert "  error    Not permitted.\n           Ask for it.\n" in text
    assert "0 drifted, 0 pending, 1 not checked;" in text


def test_secrets_are_never_shown() -> None:
    """A value of a variable shows its name, a hidden one not even that, in every format and back from JSON."""
    item = field_drift(Secret((), "hunter2"), tree=Secret(("crmKey",), "hunter3"), path="description")
    found = report(app(item))
    for text in _formats(found):
        assert "hunter" not in text
    again = read_drift(DriftReportJson.of(found, exit_code=2, fingerprint="").text())
    change = again.apps[0].items[0].change
    assert change is not None
    assert isinstance(change.before, Secret)
    assert change.after == Secret(("crmKey",), "")
    assert list(_formats(again)) == list(_formats(found))


def test_what_others_wrote_cannot_act() -> None:
    """No terminal, log, comment or XML parser takes a name, a value, an author or an error for a command."""
    edit = LiveEdit(kind=EditKind.UPDATED, author=HOSTILE, time=HOSTILE)
    found = report(
        app(
            field_drift(HOSTILE, tree=HOSTILE + "2", edit=edit, note=HOSTILE), notices=(HOSTILE,), name=HOSTILE
        ),
        AppDrift(app="", tree=HOSTILE, error=HOSTILE, exit_code=1),
    )
    text, markdown, junit, json = _formats(found)
    for shown in (text, markdown):
        assert "\x1b" not in shown
        assert "\r" not in shown
        assert "\u202e" not in shown
    assert "\n::error::" not in text
    # Code is shown and not read: an element of it, and a fence that nothing inside can end.
    outside = re.sub(r"<code>.*?</code>", "", markdown)
    outside = re.sub(r"(?ms)^(`{3,})diff$.*?^\1$", "", outside)
    assert "<img" not in outside
    assert "@team" not in outside
    assert ElementTree.fromstring(junit) is not None
    assert read_drift(json) == found


@pytest.mark.parametrize(
    "item",
    [
        field_drift(["tools/a"], tree=["tools/b"], path="tools", is_set=True),
        field_drift(1, tree=3, path="transferRules[2]", action=FieldAction.MOVED),
        field_drift({"a": 1}, tree=None, path='metadata["cost-center"]', action=FieldAction.REMOVED),
        field_drift("x", tree=None, path="variableDeclarations[name=mood].description"),
        created(origin=Origin.LIVE, note="n", merges=True, ignored="r"),
    ],
)
def test_a_report_is_the_same_when_it_is_read_again(item: object) -> None:
    """Shards write it, and joining reads it."""
    found = report(app(item, unmanaged=(), requests=3, notices=("n",), base="b"), shard="1/2")  # type: ignore[arg-type]
    assert read_drift(DriftReportJson.of(found, exit_code=2, fingerprint="f").text()) == found


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"apps": 1, "format_version": "1.0"}', "[" * 100_000, "\x00"]
)
def test_what_is_no_report_is_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_drift(text)


def test_a_comment_is_never_too_long() -> None:
    """Live edits come first, and what is left out is counted."""
    items = [field_drift("x" * 500, tree="y" * 500, address=f"desk/agents/agent-{n:04}") for n in range(2000)]
    pending = field_drift(drift_class=DriftClass.PENDING, address="desk/agents/aaa-first", edit=None)
    markdown = drift_markdown(report(app(pending, *items)), "prod", limit=20_000)
    assert len(markdown) <= 20_000
    assert "aaa-first" not in markdown
    assert "more differences." in markdown


def _formats(found: DriftReport) -> tuple[str, str, str, str]:
    return (
        drift_text(found),
        drift_markdown(found, "prod"),
        drift_junit(found),
        DriftReportJson.of(found, exit_code=2, fingerprint="").text(),
    )
