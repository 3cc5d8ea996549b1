"""
Every edit of a plan file is found: each leaf changed, each member taken out or added, each list turned.

Of members that many resources of one action have, one is edited each way; the slow test edits all.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from cesplan.domain.plan import Plan
from cesplan.domain.reviewed import PlanFileError, Reviewed
from cesplan.render.machine.plan_file import DIGEST, MADE, file_digest, plan_file_text, read_plan_file
from tests.unit.render.builders import FIRST_CONTACT, MIXED, NOTHING, REFUSED

PLANS = pytest.mark.parametrize("made", [MIXED, FIRST_CONTACT, REFUSED, NOTHING])
_Path = tuple[str | int, ...]


def _document(made: Plan) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(plan_file_text(Reviewed(plan=made)))
    return found


def _places(value: Any, at: _Path = ()) -> Iterator[tuple[_Path, Any]]:
    """Everything in a document but when it was made, and the document itself."""
    if at:
        yield at, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if (*at, key) != (MADE,):
            yield from _places(item, (*at, key))


def _one_of_each(document: Any, places: list[tuple[_Path, Any]]) -> list[tuple[_Path, Any]]:
    """The first place of each member and type of value, apart for each action of a resource."""
    kept = {}
    for path, value in places:
        actions: object = ""
        if len(path) > 2 and path[0] == "resource_changes":
            actions = str(document["resource_changes"][path[1]]["change"]["actions"])
        shape = tuple("*" if isinstance(key, int) else key for key in path)
        kept.setdefault((shape, type(value), actions), (path, value))
    return [*kept.values()]


def _holder(document: Any, path: _Path) -> Any:
    for key in path[:-1]:
        document = document[key]
    return document


def _others(value: Any) -> list[Any]:
    """Values that someone could write instead of one."""
    match value:
        case bool():
            return [not value]
        case int() | float():
            return [value + 1, str(value)]
        case str():
            return [f"{value}x", None, *([""] if value else [])]
        case None:
            return ["", False]
        case list():
            return [[*value, "x"], *(other for other in (value[::-1], []) if other != value)]
        case _:
            return [{**value, "x": 1}, *([{}] if value else [])]


def _edits(document: Any, places: list[tuple[_Path, Any]]) -> Iterator[tuple[_Path, str]]:
    """The text of each edited document, with where the edit is."""
    for path, value in places:
        holder, key = _holder(document, path), path[-1]
        for other in _others(value):
            holder[key] = other
            yield path, json.dumps(document)
        del holder[key]
        yield path, json.dumps(document)
        if isinstance(holder, list):
            holder.insert(int(key), value)
        else:
            holder[key] = value


@PLANS
def test_no_edit_goes_unseen(made: Plan) -> None:
    """Leaves, members and elements, one at a time; the file itself is taken."""
    document = _document(made)
    read_plan_file(json.dumps(document))
    assert _unseen(document, _one_of_each(document, [*_places(document)])) == []
    read_plan_file(json.dumps(document))  # every edit was undone


@pytest.mark.slow
def test_no_edit_anywhere_goes_unseen() -> None:
    document = _document(MIXED)
    assert _unseen(document, [*_places(document)]) == []


def _unseen(document: Any, places: list[tuple[_Path, Any]]) -> list[_Path]:
    """The places whose edit is taken for the plan that was reviewed."""
    unseen = []
    number = 0
    for path, edited in _edits(document, places):
        number += 1
        try:
            read_plan_file(edited)
        except PlanFileError:
            continue
        unseen.append(path)
    assert number > 50
    return unseen


@PLANS
def test_layout_and_order_of_members_say_nothing(made: Plan) -> None:
    """A file that a tool wrote again is the same plan; when it was made is not covered, whatever it says."""
    document = _document(made)
    turned = {key: document[key] for key in reversed(document)}
    assert read_plan_file(json.dumps(turned, indent=7)).plan == read_plan_file(json.dumps(document)).plan
    assert read_plan_file(json.dumps({**document, MADE: {"at": "never"}})).made_at == "never"


def test_a_member_that_stands_there_twice_is_an_edit() -> None:
    """Readers differ in which of the two they take: what was reviewed may not be what is applied."""
    text = plan_file_text(Reviewed(plan=MIXED))
    assert text.startswith("{\n")
    for member in ('"resource_changes": []', '"environment": "dev"', f'"{DIGEST}": "sha256:00"'):
        with pytest.raises(PlanFileError, match="twice"):
            read_plan_file(text.replace("{\n", f"{{\n  {member},\n", 1))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_what_is_no_number_of_json_is_no_plan(number: str) -> None:
    text = plan_file_text(Reviewed(plan=MIXED))
    with pytest.raises(PlanFileError):
        read_plan_file(text.replace("{\n", f'{{\n  "x": {number},\n', 1))


@pytest.mark.parametrize("seconds", ["x", -1, [1], True, {}])
def test_how_long_it_took_may_be_anything(seconds: Any) -> None:
    """No digest covers it; nonsense is not shown."""
    document = _document(MIXED)
    assert read_plan_file(json.dumps({**document, MADE: {"seconds": seconds}})).seconds is None


@pytest.mark.parametrize(
    ("path", "other", "said"),
    [
        (("resource_changes", 0, "change", "actions", 0), "move", "`resource_changes[0].change.actions[0]`"),
        (("resource_changes", 0, "steps", 0, "force"), "true", "`resource_changes[0].steps[0].force`"),
        (("summary", "unchanged"), "3", "`summary.unchanged`: should be a valid integer"),
        (("apply", "settings", "prune"), 1, "`apply.settings.prune`: should be a valid boolean"),
        (("apply", "allowances", "all"), True, "`apply.allowances.all`"),
        (("resource_changes", 0, "address"), "a//b", "`resource_changes[0].address`"),
    ],
)
@pytest.mark.parametrize("with_digest", [False, True])
def test_a_wrong_value_is_named_by_its_path(path: _Path, other: Any, said: str, with_digest: bool) -> None:
    """Types are strict, and anyone who made a file with a tool reads where to look."""
    document = _document(MIXED)
    _holder(document, path)[path[-1]] = other
    if with_digest:
        document[DIGEST] = file_digest(document)
    with pytest.raises(PlanFileError) as raised:
        read_plan_file(json.dumps(document))
    assert said in raised.value.detail


def test_a_body_that_nothing_says_is_refused() -> None:
    """A delete has no `after` that a null could stand for."""
    document = _document(MIXED)
    gone = next(item for item in document["resource_changes"] if item["change"]["after"] is None)
    gone["apply"]["bodies"][0]["body"] = None
    document[DIGEST] = file_digest(document)
    with pytest.raises(PlanFileError) as raised:
        read_plan_file(json.dumps(document))
    assert "lacks a body to send" in raised.value.detail


def test_an_edited_value_is_found_by_its_resource() -> None:
    """A value of the right type says nothing by itself; the digest of its change does."""
    document = _document(MIXED)
    document["resource_changes"][1]["change"]["after"] = {"displayName": "Another"}
    with pytest.raises(PlanFileError) as raised:
        read_plan_file(json.dumps(document))
    address = document["resource_changes"][1]["address"]
    assert f"`resource_changes[1]` ({address}) is not what was reviewed" in raised.value.detail


def test_a_newer_minor_format_may_have_more_members() -> None:
    """They are covered by the digest, and are not read."""
    document = {**_document(MIXED), "format_version": "1.9", "newer": {"x": 1}}
    document["resource_changes"][0]["newer"] = True
    document[DIGEST] = file_digest(document)
    assert (
        read_plan_file(json.dumps(document)).plan == read_plan_file(plan_file_text(Reviewed(plan=MIXED))).plan
    )
