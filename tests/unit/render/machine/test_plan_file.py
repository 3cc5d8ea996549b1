"""Plan files: what they hold, what they never hold, and what they are refused for."""

import json
from dataclasses import replace
from typing import Any

import pytest

from cesplan.domain.errors import CesplanError
from cesplan.domain.plan import Plan
from cesplan.domain.reviewed import PlanFileError, Reviewed
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import Secret
from cesplan.render.machine import digests
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.machine.plan_file import open_plan_file, plan_file_text, read_plan_file
from cesplan.render.text.plan import plan_text
from tests.costs import calls_of
from tests.unit.render.builders import (
    FIRST_CONTACT,
    LIVE_TOKEN,
    MIXED,
    NOTHING,
    REFUSED,
    TOKEN,
    change,
    plan,
    update,
)


def _text(made: Plan, **more: Any) -> str:
    return plan_file_text(Reviewed(plan=made, **more))


def _sending(before: Any, body: Any, **more: Any) -> Plan:
    """A plan of one update that sends a body."""
    changed = change("mcpToolset", before.get("mcpToolset"), body["mcpToolset"])
    made = update("desk/toolsets/crm", changed, before=before, after=body, **more)
    (step,) = made.steps
    return plan(replace(made, steps=(replace(step, body=body),)))


@pytest.mark.parametrize("made", [MIXED, FIRST_CONTACT, REFUSED, NOTHING])
def test_a_plan_comes_back_as_it_was_shown(made: Plan) -> None:
    """In text and in JSON."""
    read = read_plan_file(_text(made)).plan
    assert plan_text(read) == plan_text(made)
    assert PlanReport.of(read).text() == PlanReport.of(made).text()


def test_a_file_names_variables_and_holds_no_secret() -> None:
    text = _text(MIXED)
    assert open_plan_file(text).apply.variables == ("crmKey",)
    assert TOKEN not in text
    assert LIVE_TOKEN not in text


def test_a_secret_text_is_made_again_from_its_template() -> None:
    """Also around a `$`, and in a body that looks like our own notation."""
    bearer = Secret(("crmKey",), f"Bearer ${TOKEN}", "Bearer $$${crmKey}")
    body = {"mcpToolset": {"customHeaders": {"Authorization": bearer, "X": {"$var": "crmKey"}}}}
    text = _text(_sending({}, body))
    (operation,) = read_plan_file(text, {"crmKey": "another"}).plan.operations
    headers = operation.steps[0].body["mcpToolset"]["customHeaders"]
    assert headers["Authorization"].text == "Bearer $another"
    assert headers["X"] == {"$var": "crmKey"}
    assert TOKEN not in text


def test_what_live_hides_already_stays_with_live() -> None:
    """With a mask at the top live's own token is sent back; the file only says that it is."""
    token = {"apiAuthentication": {"bearerTokenConfig": {"token": LIVE_TOKEN}}}
    before, body = {"mcpToolset": token}, {"mcpToolset": {**token, "serverAddress": "https://x"}}
    text = _text(_sending(before, body))
    assert LIVE_TOKEN not in text
    (operation,) = read_plan_file(text).plan.operations
    config = operation.steps[0].body["mcpToolset"]["apiAuthentication"]["bearerTokenConfig"]
    assert config["token"] == Secret((), "")


def test_a_secret_of_unknown_origin_is_not_kept() -> None:
    """It could be neither written down nor found again."""
    unknown = Secret(("a", "b"), "mixed up")
    with pytest.raises(CesplanError, match="secret that comes from no variable"):
        _text(_sending({}, {"mcpToolset": {"serverAddress": unknown}}))


def test_the_time_is_not_part_of_any_digest() -> None:
    early, late = (json.loads(_text(MIXED, made_at=at, seconds=1.0)) for at in ("then", "now"))
    assert early.pop("made") != late.pop("made")
    assert early == late


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not json", "not JSON"),
        ("[]", "not a plan file"),
        ('{"resource_changes": [], "format_version": "2.1", "cesplan_version": "9"}', "format 2.1"),
        ('{"resource_changes": [], "format_version": "x"}', "format x"),
        (PlanReport.of(MIXED).text(), "report of a plan"),
        (_text(MIXED).replace("acme-prod", "acme-test"), "edited"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    """All of it in one kind of error, which ends in 7."""
    with pytest.raises(PlanFileError) as raised:
        read_plan_file(text)
    assert said in raised.value.summary
    assert raised.value.exit_code == 7


def test_steps_keep_what_they_wait_for() -> None:
    """By address and purpose."""
    made = next(item for item in MIXED.operations if len(item.steps) > 1)
    read = read_plan_file(_text(plan(made))).plan.operations[0]
    assert [(step.id, step.action, step.after) for step in read.steps] == [
        (step.id, step.action, step.after) for step in made.steps
    ]


def test_settings_come_back_whole() -> None:
    settings = replace(
        MIXED.settings, mask_depth=MaskDepth.TOP, protect=("a/*",), stamp=False, endpoint="regional"
    )
    assert read_plan_file(_text(replace(MIXED, settings=settings))).plan.settings == settings


def test_each_operation_is_digested_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest of the plan is made of theirs, and a file has both."""
    digested = []
    original = digests.canonical_text
    monkeypatch.setattr(digests, "canonical_text", lambda value: digested.append(value) or original(value))
    _text(MIXED)
    assert len(digested) == len(MIXED.operations) + 1  # and the plan; the file is digested in pieces


def test_a_file_has_each_body_once() -> None:
    """A body is written only if it differs from `after`; what is read back is the same."""
    create = plan(*(item for item in MIXED.operations if item.address.key == "orders"))  # in two steps
    address = {"mcpToolset": {"serverAddress": "https://x"}}
    same, other = _sending({}, address), _sending({}, {"mcpToolset": {}})
    other = replace(other, operations=tuple(replace(item, after=address) for item in other.operations))
    for made, are_written in ((create, False), (same, False), (other, True)):
        text = _text(made)
        bodies = [sent.body for item in open_plan_file(text).resource_changes for sent in item.apply.bodies]
        assert {body is not None for body in bodies} == {are_written}
        read = read_plan_file(text).plan
        assert [item.steps for item in read.operations] == [item.steps for item in made.operations]


def test_a_file_has_a_line_for_each_resource() -> None:
    """A tool that works on lines finds all of a resource in one."""
    lines = [
        json.loads(line.strip().removesuffix(",")) for line in _text(MIXED).splitlines() if '"change"' in line
    ]
    assert [item["address"] for item in lines] == [str(item.address) for item in MIXED.operations]


def test_the_work_of_a_file_grows_with_the_plan() -> None:
    """Twice the operations, twice the calls."""
    some = [replace(item, before={**(item.before or {})}) for item in MIXED.operations]
    calls = [calls_of(lambda n=n: _text(replace(MIXED, operations=tuple(some * n)))) for n in (1, 20, 40)]
    assert calls[2] <= 2.1 * calls[1]
