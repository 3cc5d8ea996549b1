"""References."""

import pytest

from cesplan.config.resource.references import Dangling, Keys, matches
from cesplan.model.marks import Reference

KEYS = Keys({"tools": {"lookup-order": "tools/lookup-order.yaml"}, "agents": {"orders": "agents/orders.yaml"}})
TOOL = Reference(("tools",), words=("exit",))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("lookup-order", "tools/lookup-order"),
        ("tools/lookup-order", "tools/lookup-order"),
        ("end_session", "tools/end_session"),
        ("exit", "exit"),
        ("", ""),
        ("tools/@x", "tools/x"),
        ("tools/@lookup-order", "tools/@lookup-order"),
    ],
)
def test_every_spelling_has_one_form(text: str, form: str) -> None:
    """`<kind>/<key>`, and plain words as they are."""
    assert KEYS.resolve(TOOL, text) == form


def test_an_id_that_a_file_has_means_that_file() -> None:
    """By `$id`, or by a key without one; a key whose file has another id is not meant."""
    files = {"tools": {"lookup-order": "a.yaml", "moved-away": "b.yaml", "plain-key": "c.yaml"}}
    ids = {"tools": {"1b2c3d4e": "lookup-order", "5f6a7b8c": "moved-away", "plain-key": "plain-key"}}
    keys = Keys(files, ids=ids)
    given = ("tools/@1b2c3d4e", "tools/@plain-key", "tools/@moved-away", "tools/@elsewhere")
    assert [keys.resolve(TOOL, text) for text in given] == [
        "tools/lookup-order",
        "tools/plain-key",
        "tools/@moved-away",
        "tools/elsewhere",
    ]


def test_an_explicit_reference_is_never_a_word() -> None:
    """`{$ref: exit}` means a tool of that name."""
    assert isinstance(KEYS.resolve(TOOL, "exit", explicit=True), Dangling)


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [
        ("lookup-ordr", "CES021", "`lookup-order` (tools/lookup-order.yaml)"),
        ("end-session", "CES021", "end_session"),
        ("exitt", "CES021", "exit"),
        ("orders", "CES021", ""),
        ("agents/orders", "CES022", ""),
        ("tool/lookup-order", "CES022", "tools"),
        ("a/b/c", "CES022", ""),
        ("projects/p/locations/l/apps/a/agents/x", "CES022", ""),
    ],
)
def test_what_leads_nowhere_comes_with_the_nearest(text: str, code: str, suggestion: str) -> None:
    """Keys of the tree, system tools and plain words are all candidates."""
    found = KEYS.resolve(TOOL, text)
    assert isinstance(found, Dangling)
    assert (found.code, found.suggestion or (found.correction.nearest if found.correction else "")) == (
        code,
        suggestion,
    )


def test_a_key_of_another_kind_is_pointed_out() -> None:
    """The commonest slip: an agent among the tools."""
    found = KEYS.resolve(TOOL, "orders")
    assert isinstance(found, Dangling)
    assert found.detail == "There is agents/orders.yaml, but this field refers to a tool."


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("projects/*/secrets/*/versions/*", "projects/p/secrets/s/versions/latest", True),
        ("projects/*/secrets/*/versions/*", "projects/p/secrets/s", False),
        ("projects/*/secrets/*/versions/*", "projects/p/secrets/s/versions/", False),
        ("{projects|organizations}/*/templates/*", "organizations/1/templates/t", True),
        ("{projects|organizations}/*/templates/*", "folders/1/templates/t", False),
    ],
)  # fmt: skip
def test_names_of_things_outside_have_a_pattern(pattern: str, name: str, fits: bool) -> None:
    """A star is one part of a name."""
    assert matches(pattern, name) is fits
