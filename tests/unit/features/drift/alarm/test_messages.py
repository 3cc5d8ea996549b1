"""What a chat shows: the drift in a few lines, and no text of others that does something."""

import json
from typing import Any

import pytest

from cesplan.domain.change import EditKind, LiveEdit
from cesplan.domain.features.drift import DriftClass, DriftReport
from cesplan.features.drift.alarm.announcement import Announcement, announcement
from cesplan.features.drift.alarm.messages import NotifyFormat, format_for, payload
from tests.unit.features.drift.reports import app, created, field_drift, report

NASTY = (
    "<!channel> @here <users/all> <https://evil.example|x> http://evil.example www.evil.example *b* `c` &amp;"
)


def message(found: DriftReport, announced: dict[str, str] | None = None) -> Announcement:
    made = announcement(found, announced or {}, "")
    assert made is not None
    return made


def slack(found: DriftReport) -> Any:
    return json.loads(payload(message(found), NotifyFormat.SLACK))


def chat(found: DriftReport) -> Any:
    return json.loads(payload(message(found), NotifyFormat.GOOGLE_CHAT))


def texts(value: Any) -> str:
    """All texts of a document, one below the other."""
    match value:
        case dict():
            return "\n".join(map(texts, value.values()))
        case list():
            return "\n".join(map(texts, value))
    return str(value)


def test_slack_gets_a_heading_and_plain_lines() -> None:
    code = "pythonFunction.pythonCode"
    conflict = field_drift(address="desk/tools/lookup", path=code, drift_class=DriftClass.CONFLICT)
    found = slack(report(app(field_drift(), conflict, created(display_name="New tool"))))
    assert found["text"] == "Drift appeared: 3 differences in 1 app"
    heading, section = found["blocks"]
    assert heading["type"] == "header"
    assert section["text"]["type"] == heading["text"]["type"] == "plain_text"
    assert section["text"]["text"].split("\n") == [
        "desk (prod, acme-prod, us)",
        "• desk/agents/billing instruction: changed live by bob@acme.example, 2026-11-20 17:40 UTC",
        f"• desk/tools/lookup {code}: changed live and in the tree by bob@acme.example, 2026-11-20 17:40 UTC",
        "• desk/tools/new-tool (New tool): created live by bob@acme.example, 2026-11-20 17:40 UTC",
    ]


def test_google_chat_gets_the_same_in_a_card() -> None:
    found = chat(report(app(field_drift())))
    assert found["text"] == "Drift appeared: 1 difference in 1 app"
    (card,) = found["cardsV2"]
    (section,) = card["card"]["sections"]
    assert section["widgets"][0]["textParagraph"]["text"].startswith(
        "desk (prod, acme-prod, us)<br>• desk/agents/billing instruction: changed live"
    )


def test_drift_that_is_gone_takes_one_line() -> None:
    gone = message(report(app()), {"acme-prod/us/prod/desk": "sha256:1"})
    found = json.loads(payload(gone, NotifyFormat.SLACK))
    assert (found["text"], len(found["blocks"])) == ("Drift is gone", 1)
    assert "sections" not in json.loads(payload(gone, NotifyFormat.GOOGLE_CHAT))["cardsV2"][0]["card"]


def test_an_app_that_could_not_be_checked_is_named_without_the_error() -> None:
    """An error text is of the service; the report has it."""
    failed = app(key="other", error="secret words of the service", exit_code=1)
    found = texts(slack(report(app(field_drift()), failed)))
    assert "other (prod, acme-prod, us): could not be checked" in found
    assert "secret words" not in found


@pytest.mark.parametrize("form", [NotifyFormat.SLACK, NotifyFormat.GOOGLE_CHAT])
def test_texts_of_others_are_inert(form: NotifyFormat) -> None:
    """No mention, no link, no markup; no line of their own."""
    author = LiveEdit(kind=EditKind.UPDATED, author=f"{NASTY}\n@channel", time="x")
    items = (
        created(display_name=f"{NASTY}\n# heading"),
        field_drift(path="metadata", address="desk", edit=author),
        field_drift(path=f'metadata["{NASTY}"]', address="desk"),
        created(address=f"desk/tools/{NASTY.replace('/', '-')}"),
    )
    shown = texts(json.loads(payload(message(report(app(*items, key=f"desk {NASTY}"))), form)))
    own = shown.replace("<br>", "\n")
    active = ("<", ">", "&lt;", "&gt;", "http://", "https://", "www.evil", "@here", "@channel", "\n#")
    assert [word for word in active if word in own] == []
    assert own.count("evil") > 10


def test_values_are_in_no_message() -> None:
    """Instructions are prompts of the company, and a chat is read by many."""
    found = report(app(field_drift("The live instruction.", tree="The instruction in git.")))
    for form in NotifyFormat:
        assert "nstruction." not in payload(message(found), form)


@pytest.mark.parametrize("number", [1, 40, 5_000])
def test_messages_keep_the_limits_of_the_services(number: int) -> None:
    """A section of Slack has 3,000 characters, a message of Google Chat 32,000 bytes; the rest is counted."""
    items = [
        field_drift(path=f'metadata["{"&" * 300}{n}"]', address="desk", display_name="ü" * 500)
        for n in range(number)
    ]
    found = report(app(*items))
    for block in slack(found)["blocks"]:
        assert len(block["text"]["text"]) <= 3000
    assert len(payload(message(found), NotifyFormat.GOOGLE_CHAT).encode()) <= 32_000
    assert len(payload(message(found), NotifyFormat.JSON)) < 1_000_000
    if number > 1:
        assert "more lines" in texts(slack(found))
        assert "more lines" in texts(chat(found))


def test_what_is_escaped_is_not_cut_in_the_middle() -> None:
    """Ampersands grow to five characters each, and still end before the limit."""
    items = [field_drift(path=f'metadata["{"&" * 200}{n}"]', address="desk") for n in range(40)]
    (_, section) = slack(report(app(*items)))["blocks"]
    assert len(section["text"]["text"]) <= 3000
    assert section["text"]["text"].split("\n")[-1].startswith("… and ")


def test_our_own_form_has_everything_but_values() -> None:
    found = json.loads(payload(message(report(app(field_drift()))), NotifyFormat.JSON))
    del found["cesplan_version"], found["id"], found["fingerprint"]
    assert found == {
        "format_version": "1.0",
        "occasion": "appeared",
        "title": "Drift appeared: 1 difference in 1 app",
        "previous_fingerprint": "",
        "checked_at": "2026-11-21T06:00:00Z",
        "differences": 1,
        "apps": [
            {
                "app": "desk",
                "environment": "prod",
                "project": "acme-prod",
                "location": "us",
                "service": "",
                "differences": 1,
                "items": [
                    {
                        "address": "desk/agents/billing",
                        "display_name": "",
                        "path": "instruction",
                        "drift_class": "drift",
                        "kind": "changed",
                        "author": "bob@acme.example",
                        "changed_at": "2026-11-20T17:40:00Z",
                    }
                ],
                "checked": True,
            }
        ],
    }


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("hooks.slack.com", "slack"),
        ("hooks.slack-gov.com", "slack"),
        ("chat.googleapis.com", "google-chat"),
        ("hooks.slack.com.evil.example", "json"),
        ("127.0.0.1", "json"),
    ],
)
def test_the_host_decides_the_form(host: str, expected: str) -> None:
    assert format_for(host, NotifyFormat.AUTO) == expected
    assert format_for(host, NotifyFormat.JSON) == "json"
