"""What `--since`, `--author`, `--target` and `--app` leave out."""

from datetime import UTC, datetime, timedelta

import pytest

from cesplan.domain.change import EditKind, LiveEdit
from cesplan.domain.choice import Choice
from cesplan.domain.features.drift import DriftClass
from cesplan.domain.text.times import parse_since
from cesplan.features.drift.filters import DriftFilter, named_apps
from tests.unit.features.drift.reports import app, field_drift

NOW = datetime(2026, 11, 21, 6, 0, tzinfo=UTC)
UNKNOWN = LiveEdit(kind=EditKind.UPDATED)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("30m", NOW - timedelta(minutes=30)),
        ("24h", NOW - timedelta(hours=24)),
        ("7d", NOW - timedelta(days=7)),
        ("2026-11-20", datetime(2026, 11, 20, tzinfo=UTC)),
        ("2026-11-20T17:40Z", datetime(2026, 11, 20, 17, 40, tzinfo=UTC)),
        ("2026-11-20T18:40+01:00", datetime(2026, 11, 20, 17, 40, tzinfo=UTC)),
    ],
)
def test_a_time_or_how_long_ago(text: str, time: datetime) -> None:
    """A time without an offset is in UTC."""
    assert parse_since(text, NOW) == time


@pytest.mark.parametrize("text", ["yesterday", "1y", "-1h", "", "999999w", "h"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"time|too long ago"):
        parse_since(text, NOW)


def test_an_edit_of_unknown_time_may_be_new() -> None:
    """It is kept; older ones are left out, and counted."""
    found = app(field_drift(path="displayName"), field_drift(edit=UNKNOWN))
    left = DriftFilter(since=NOW - timedelta(hours=1)).filtered(found)
    assert [str(item.change.path) for item in left.items if item.change] == ["instruction"]
    assert left.left_out == 1
    assert DriftFilter(since=NOW - timedelta(days=1)).filtered(found).left_out == 0


def test_an_unknown_author_has_an_empty_name() -> None:
    """So that it can be asked for; case means nothing in addresses."""
    found = app(field_drift(path="displayName"), field_drift(edit=UNKNOWN))

    def kept(*authors: str) -> list[str]:
        return [
            str(item.change.path) for item in DriftFilter(authors=authors).filtered(found).items if item.change
        ]

    assert kept("BOB@*") == ["displayName"]
    assert kept("") == ["instruction"]
    assert kept("eve@*") == []
    assert kept("eve@*", "bob@*") == ["displayName"]


def test_a_choice_keeps_pending_changes_and_other_filters_do_not() -> None:
    """Nobody made a pending change live."""
    found = app(field_drift(drift_class=DriftClass.PENDING))
    assert DriftFilter(choice=Choice(only=("agents",))).filtered(found).left_out == 0
    assert DriftFilter(since=NOW).filtered(found).left_out == 1
    assert DriftFilter(authors=("*",)).filtered(found).left_out == 1


def test_apps_by_pattern() -> None:
    assert named_apps((), ["a", "b"]) == {"a", "b"}
    assert named_apps(("a*", "c"), ["a1", "b", "c"]) == {"a1", "c"}
