"""The stamp: what is in an app's metadata, read as the bytes of anyone, and written."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.app_metadata.stamp import MOST_PARTIAL, NO_STAMP, Stamp, read_stamp, stamp_texts
from cesplan.domain.app_metadata.wrote import Wrote

APP = "projects/acme/locations/us/apps/shop-desk"
WHOLE = Stamp(
    digest="ab" * 32,
    app=APP,
    tree="acme/ces",
    environment="prod",
    commit="0123456789" * 4,
    dirty=True,
    sequence=17,
    protected=frozenset({"agents/front-desk", "tools/look-up"}),
    kinds=frozenset({"agents", "tools"}),
    versions=frozenset({"release-1", "with spaces"}),
    rotations={"crmKey": "2026-11", "odd one": "a=b c"},
    wrote=Wrote.of({"0a1b2c3d": 1, "4e5f6071": 2}),
    made={"release-1": "0a1b2c3d", "with spaces": "4e5f6071"},
    partial=("0" * 32, "1" * 32),
)


def test_what_is_written_is_read() -> None:
    assert read_stamp(stamp_texts(WHOLE), APP) == WHOLE


def test_the_keys_and_values_are_these() -> None:
    """They are a format: other tools may read them."""
    assert stamp_texts(WHOLE) == {
        "cesplan-format": "1",
        "cesplan-app": APP,
        "cesplan-tree": "acme/ces",
        "cesplan-environment": "prod",
        "cesplan-commit": "0123456789" * 4,
        "cesplan-dirty": "true",
        "cesplan-digest": "ab" * 32,
        "cesplan-sequence": "17",
        "cesplan-protected": "agents/front-desk tools/look-up",
        "cesplan-kinds": "agents tools",
        "cesplan-versions": "release-1 with%20spaces",
        "cesplan-rotations": "crmKey=2026-11 odd%20one=a%3Db%20c",
        "cesplan-wrote": "0a1b2c3d 4e5f6071*2",
        "cesplan-made": "release-1=0a1b2c3d with%20spaces=4e5f6071",
        "cesplan-partial": f"{'0' * 32} {'1' * 32}",
    }


def test_the_stamp_of_another_app_is_none() -> None:
    """A copied app brings the metadata of its original."""
    assert read_stamp(stamp_texts(WHOLE), APP + "-copy") == NO_STAMP


@pytest.mark.parametrize(
    "metadata",
    [None, [], "text", {}, {"team": "web"}, {"cesplan-commit": "0123456789" * 4}, {"cesplan-digest": 7}],
)
def test_an_app_is_stamped_by_its_digest_alone(metadata: Any) -> None:
    assert not read_stamp(metadata, APP).is_complete
    assert read_stamp({"cesplan-digest": "of an earlier apply"}, APP).is_complete


@pytest.mark.parametrize(
    "edit",
    [
        {"cesplan-environment": "\x1b[2Jprod"},
        {"cesplan-environment": "x" * 200},
        {"cesplan-tree": "a tree\nof lines"},
        {"cesplan-format": "one"},
    ],
)
def test_whose_it_is_must_fit_or_it_is_none(edit: dict[str, str]) -> None:
    """No stamp means first contact, which deletes nothing."""
    assert read_stamp({**stamp_texts(WHOLE), **edit}, APP) == NO_STAMP


def test_only_full_hashes_are_commits() -> None:
    """A commit is handed to git: `HEAD`, a range or an option is none."""
    for text in ("HEAD", "--upload-pack=x", "0123456", "0123456789" * 4 + "..HEAD"):
        assert read_stamp({**stamp_texts(WHOLE), "cesplan-commit": text}, APP).commit == ""


def test_words_that_do_not_fit_are_left_out() -> None:
    edits = {
        "cesplan-protected": "agents/a ../b tools/c/d",
        "cesplan-kinds": "agents to-ols",
        "cesplan-partial": "no",
    }
    found = read_stamp({**stamp_texts(WHOLE), **edits}, APP)
    assert (found.protected, found.kinds, found.partial) == (frozenset({"agents/a"}), frozenset({"agents"}), ())


def test_values_are_bounded() -> None:
    many = tuple(f"{number:032x}" for number in range(3 * MOST_PARTIAL))
    written = stamp_texts(Stamp(digest="d", partial=many))
    assert len(written["cesplan-partial"]) == 33 * MOST_PARTIAL - 1
    assert read_stamp(written, APP).partial == many[-MOST_PARTIAL:]
    assert read_stamp({"cesplan-digest": "d", "cesplan-kinds": "agents " * 100_000}, APP).kinds == frozenset()


@given(
    st.dictionaries(
        st.sampled_from([*stamp_texts(WHOLE), "cesplan-", "cesplan-x", "team"]),
        st.text(max_size=40) | st.none() | st.integers() | st.sampled_from([*stamp_texts(WHOLE).values()]),
    )
)
def test_any_metadata_can_be_read(metadata: dict[str, Any]) -> None:
    """Whatever is there: no error, and what was read can be written and read again."""
    found = read_stamp(metadata, APP)
    assert read_stamp(stamp_texts(found), APP) == found
