"""The message of a commit that takes live edits; authors and names are foreign texts."""

import pytest

from cesplan.domain.change import EditKind, LiveEdit
from cesplan.features.drift.commit_message import commit_message
from tests.unit.features.drift.reports import app, created, field_drift, report


def test_edits_open_conflicts_and_editors() -> None:
    assert commit_message(report(app(field_drift(), created())), ["desk/agents/billing displayName"]) == (
        "Take live edits of desk in prod\n"
        "\n"
        "Edited live:\n"
        "\n"
        '- desk/agents/billing instruction: "Be kind." → "Be rude." (bob@acme.example, 2026-11-20 17:40 UTC)\n'
        "- desk/tools/new-tool: created live (bob@acme.example, 2026-11-20 17:40 UTC)\n"
        "\n"
        "Open, because both sides changed them:\n"
        "\n"
        "- desk/agents/billing displayName\n"
        "\n"
        "Co-authored-by: bob <bob@acme.example>\n"
    )


@pytest.mark.parametrize(
    "author",
    [
        "",
        "not an address",
        "a@b>\nSigned-off-by: root <root@acme.example",
        "a@b\x1b[31m",
        "<a@b>",
        "-a@b",
        "\u202ea@b",
        "a@" + "b" * 300,
    ],
)
def test_only_an_address_becomes_a_trailer(author: str) -> None:
    """And no text of an author begins a line."""
    edit = LiveEdit(kind=EditKind.UPDATED, author=author, time="2026-11-20T17:40:00Z")
    message = commit_message(report(app(field_drift(edit=edit))), [])
    assert "Co-authored-by" not in message
    assert not [line for line in message.splitlines() if line.startswith("Signed-off-by")]
    assert message.isprintable() or all(line.isprintable() for line in message.splitlines())


def test_values_of_live_stay_on_their_line() -> None:
    """A value may hold line feeds that would look like a trailer."""
    message = commit_message(report(app(field_drift("x\n\nCo-authored-by: eve <eve@acme.example>"))), [])
    assert message.count("\nCo-authored-by: ") == 1
    assert "\nCo-authored-by: bob <bob@acme.example>\n" in message


def test_a_long_list_is_counted() -> None:
    items = [created(f"desk/tools/tool-{number:03}") for number in range(300)]
    message = commit_message(report(app(*items)), [])
    assert message.count("created live") == 200
    assert "\n- … and 100 more\n" in message
