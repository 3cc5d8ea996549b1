"""Which fields a list asks for, and when that is not enough."""

import pytest

from cesplan.model.kinds import KINDS, kind_of
from cesplan.remote.partial import hides_oneof, partial_fields

WITH_EXPENSIVE = sorted(name for name, kind in KINDS.items() if kind.expensive_fields)


def test_kinds_with_expensive_fields():
    """The others are listed whole, so that newer fields are seen."""
    assert WITH_EXPENSIVE == ["evaluationDatasets", "evaluations", "versions"]
    assert partial_fields(kind_of("agents"), "v1beta") == ""


def test_the_selector_of_versions():
    """Everything at the top of the model but the snapshot."""
    selector = partial_fields(kind_of("versions"), "v1")
    head, _, names = selector.partition("(")
    assert head == "nextPageToken,appVersions"
    assert sorted(names.rstrip(")").split(",")) == [
        "createTime", "creator", "description", "displayName", "etag", "name", "updateTime",
    ]  # fmt: skip


@pytest.mark.parametrize("name", WITH_EXPENSIVE)
def test_name_and_etag_are_always_asked_for(name):
    """Without them nothing can be updated."""
    names = partial_fields(kind_of(name), "v1beta").partition("(")[2].rstrip(")").split(",")
    assert {"name", "etag"} <= set(names)
    assert not set(names) & set(kind_of(name).expensive_fields)


def test_a_oneof_with_a_member_is_not_hidden():
    """An empty member is a member; a kind without oneofs has nothing to hide."""
    evaluations = kind_of("evaluations")
    assert not hides_oneof(evaluations, {"name": "e", "scenario": {}})
    assert hides_oneof(evaluations, {"name": "e", "displayName": "x"})
    assert not hides_oneof(kind_of("versions"), {"name": "v"})
