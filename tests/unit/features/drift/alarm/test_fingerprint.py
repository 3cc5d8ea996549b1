"""A fingerprint is the same for the same drift, and another for any other."""

from dataclasses import replace

import pytest

from cesplan.domain.change import EditKind, FieldAction, LiveEdit
from cesplan.domain.features.drift import DriftClass, DriftReport
from cesplan.domain.field_path import FieldPath
from cesplan.domain.value import Secret
from cesplan.features.drift.alarm.fingerprint import fingerprint
from cesplan.render.machine.formats.drift import DriftReportJson, read_drift
from tests.unit.features.drift.reports import app, created, field_drift, report

EVE = LiveEdit(kind=EditKind.UPDATED, author="eve@acme.example", time="2026-11-21T05:00:00Z")


def test_without_drift_it_is_empty() -> None:
    pending = field_drift(drift_class=DriftClass.PENDING)
    ignored = replace(field_drift(), ignored="tuned live")
    assert fingerprint(report(app(pending, ignored))) == ""


def test_it_is_stable_over_what_is_not_drift() -> None:
    """Order, times, requests, who looked and who edited: none of them is what drifted."""
    first = report(app(field_drift(), created()), app(field_drift(), key="other"))
    again = report(
        app(field_drift(), key="other", requests=7),
        app(created(), field_drift(edit=EVE), requests=9, commit="abc", notices=("hello",)),
        checked_at="2026-11-22T06:00:00Z",
        seconds=99.0,
    )
    assert fingerprint(first) == fingerprint(again) != ""


def test_what_the_tree_says_is_not_what_drifted() -> None:
    """A commit that changes the same field makes a conflict of the drift; live is as it was."""
    conflict = field_drift(tree="Be quick.", drift_class=DriftClass.CONFLICT)
    assert fingerprint(report(app(conflict))) == fingerprint(report(app(field_drift())))


@pytest.mark.parametrize(
    "other",
    [
        report(app(field_drift("Be ruder."))),
        report(app(field_drift(path="description"))),
        report(app(field_drift(address="desk/agents/greeter"))),
        report(app(field_drift(), key="other")),
        report(app(field_drift(), environment="staging")),
        report(app(field_drift(), project="acme-dev")),
        report(app(field_drift(), where="EMULATOR")),
        report(app(field_drift(), created())),
        report(app(field_drift(None, action=FieldAction.ADDED))),
        report(app(created(address="desk/agents/billing"))),
    ],
)
def test_it_changes_when_what_drifted_changes(other: DriftReport) -> None:
    assert fingerprint(other) != fingerprint(report(app(field_drift())))


def test_the_order_of_a_set_is_not_drift() -> None:
    one = field_drift(["a", "b"], path="tools", is_set=True)
    other = field_drift(["b", "a"], path="tools", is_set=True)
    assert fingerprint(report(app(one))) == fingerprint(report(app(other)))


def test_elements_of_ordered_lists_go_by_where_live_has_them() -> None:
    """A rule that the tree inserts above moves the path in the report, and nothing live."""
    one = field_drift(path="transferRules[0].direction")
    moved = field_drift(
        path="transferRules[1].direction", live_path=FieldPath.parse("transferRules[0].direction")
    )
    assert fingerprint(report(app(one))) == fingerprint(report(app(moved)))


@pytest.mark.parametrize(
    ("path", "address", "tree"),
    [
        ("metadata", "desk", Secret(("crmKey",), "s3cr3t")),
        (
            "openApiToolset.apiAuthentication.oauthConfig.clientId",
            "desk/toolsets/crm",
            Secret(("id",), "s3cr3t"),
        ),
    ],
)
def test_no_secret_is_in_it(path: str, address: str, tree: object) -> None:
    """Two live values at the place of a secret give the same one: no digest of a secret leaves the run."""
    one = field_drift("live-s3cr3t-1", path=path, address=address, tree=tree)
    other = field_drift("live-s3cr3t-2", path=path, address=address, tree=tree)
    assert fingerprint(report(app(one))) == fingerprint(report(app(other)))


def test_names_that_are_not_utf_8_have_one_too() -> None:
    assert fingerprint(report(app(field_drift("\udcff"), key="d\udcff"))).startswith("sha256:")


def test_apps_of_two_trees_under_one_name_both_count() -> None:
    """The same key in the same project with another `$id`: neither hides the other."""
    one, other = app(field_drift(), tree="a"), app(created(), tree="b")
    both = fingerprint(report(one, other))
    assert both == fingerprint(report(other, one))
    assert both not in (fingerprint(report(one)), fingerprint(report(other)))


def test_a_report_that_was_written_and_read_has_the_same_one() -> None:
    """So what shards found is announced as if one run had found it."""
    secret = field_drift("live-s3cr3t", path="mcpTool.customHeaders", address="desk/tools/crm", tree=None)
    known = field_drift(Secret(("key",), "old"), path="description", tree=Secret(("key",), "new"))
    tools = field_drift(["b", "a"], path="tools", tree=["a"], is_set=True)
    found = report(app(secret, known, tools, created()))
    text = DriftReportJson.of(found, exit_code=2).text()
    assert fingerprint(read_drift(text)) == fingerprint(found)
    assert "s3cr3t" not in text
