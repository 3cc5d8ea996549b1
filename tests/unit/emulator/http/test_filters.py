"""Filters: the grammar of AIP-160."""

import pytest

from cesplan.emulator.errors import Refused
from cesplan.emulator.http.filters import Filterable, fields_of, parsed
from cesplan.emulator.storage.store import Row

FIELDS = {
    "action": Filterable(path=("action",)),
    "author": Filterable(path=("author",)),
    "note": Filterable(path=("note",)),
    "agent": Filterable(path=("deep", "agents"), form="name"),
    "create_time": Filterable(path=("createTime",), form="time"),
}
ROW = Row(
    name="projects/p/locations/us/apps/a/changelogs/1",
    parent="projects/p/locations/us/apps/a",
    kind="changelogs",
    display_name="",
    etag="",
    create_time="2026-03-01T12:00:00.5Z",
    update_time="",
    text='{"action":"Create","author":"al@acme.example","deep":{"agents":["x/agents/front","x/agents/back"]}}',
)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("action:creat", True),
        ("action:CREATE", True),
        ('action="Create"', True),
        ('action="create"', False),
        ("action!=Update", True),
        ("action:update", False),
        ("agent:front", True),
        ('agent="x/agents/back"', True),
        ("agent:fron", False),
        ("agent!=front", False),
        ('create_time>"2026-03-01T12:00:00Z"', True),
        ('create_time > "2026-03-01T13:00:00+01:00"', True),
        ('create_time >= "2026-03-01T12:00:00.500Z"', True),
        ('create_time < "2026-03-01T12:00:00.500000001Z"', True),
        ('create_time != "2026-03-01T12:00:00.5Z"', False),
        ("action:create AND author:al", True),
        ("action:create AND author:bo", False),
        ("action:update OR author:al", True),
        ("action:update AND author:al OR author:bo", False),
        ("action:update OR action:create AND author:bo", False),
        ("(action:update AND author:bo) OR author:al", True),
        ("NOT action:update", True),
        ("-action:update", True),
        ("-(action:create OR author:bo)", False),
        ("NOT NOT action:create", True),
        ('author="al@acme.example"AND action:c', True),
        ("action:create author:al", True),
        ("action:create author:bo", False),
        ("action:create NOT author:al", False),
        ("action:create (author:al OR author:bo) -agent:nobody", True),
        ("action:update OR author:al action:update", False),
        ("action='Create'", True),
        (r'author="a\l@acme\.example"', True),
        (r'author="al\"@acme.example"', False),
        ("""action="C'" OR action='"C'""", False),
        ("action:*", True),
        ("agent:*", True),
        ("note:*", False),
        ('action:"*"', False),
    ],
)
def test_what_a_filter_means(text, holds):
    """Terms, AND, OR (binding tighter), NOT, minus and parentheses."""
    assert parsed(FIELDS, "filter", text)(ROW) is holds


@pytest.mark.parametrize(
    "text",
    [
        *("action", "action:", ":create", "colour:red", "action<create", "create_time:2026"),
        *("create_time > yesterday", "(action:create", "action:create)", "AND action:create"),
        *("action:create OR", "NOT", "action create", '"x"', "note", 'action:"create', "action:'c\""),
    ],
)
def test_what_is_no_filter_is_refused(text):
    """Syntax errors, unknown fields, comparisons that a field does not have."""
    with pytest.raises(Refused) as caught:
        parsed(FIELDS, "filter", text)
    assert (caught.value.code, caught.value.violations[0].field) == ("INVALID_ARGUMENT", "filter")


def test_the_reference_goes_before_the_switch():
    """Where the reference names fields these count, whatever the switch says; else it decides."""
    for anything in (False, True):
        assert set(fields_of("results", "filter", anything=anything)) == {"evaluation_run"}
    assert fields_of("agents", "filter", anything=False) == {}
    found = fields_of("agents", "filter", anything=True)
    assert found["display_name"] == Filterable(path=("displayName",))
    assert found["tools"] == Filterable(path=("tools",), form="name")
    assert found["create_time"].form == "time"
