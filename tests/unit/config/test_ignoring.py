"""Field paths in `$ignore` and `$extra`."""

import pytest

from cesplan.config.ignoring import unknown_part, unsendable
from cesplan.model.kinds import kind_of


@pytest.mark.parametrize(
    "path",
    [
        "description", "modelSettings.temperature", "variableDeclarations",
        "variableDeclarations[name=tier].schema",
        "variableDeclarations[0].schema.properties[\"x\"].type", 'metadata["team"]',
        "variableDeclarations.schema",
        "variableDeclarations[0].schema.default.a.b", "loggingSettings",
    ],
)  # fmt: skip
def test_paths_of_known_fields_are_known(path: str) -> None:
    """With or without elements, and anything inside a free-form value."""
    assert unknown_part(kind_of("apps").spec, path) is None


@pytest.mark.parametrize(
    ("path", "suggestion"),
    [
        ("descripton", "description"), ("modelSettings.temprature", "temperature"), ("description.x", ""),
        ("modelSettings[0]", ""), ("", ""), ("a b", ""), ("[0]", ""), ("metadata.team", ""),
    ],
)  # fmt: skip
def test_other_paths_are_not(path: str, suggestion: str) -> None:
    """A slip comes with what was meant."""
    problem = unknown_part(kind_of("apps").spec, path)
    assert problem is not None
    assert problem.suggestion == suggestion


@pytest.mark.parametrize("path", ["newField", "new_field", "modelSettings.newField", "newMessage.a.b"])
def test_extra_reaches_new_fields_of_messages(path: str) -> None:
    """Names with dots between them, and what is below a new field is not known."""
    assert unsendable(kind_of("apps").spec, path) is None


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("variableDeclarations[0].newField", "an update names fields only"),
        ('newMap["x"]', "an update names fields only"),
        ("variableDeclarations[name=tier].newField", "an update names fields only"),
        ("a b", "an update names fields only"),
        ("", "an update names fields only"),
        ("a..b", "an update names fields only"),
        ("variableDeclarations.newField", "`variableDeclarations` is no message, so it has no new fields"),
        ("description.newField", "`description` is no message, so it has no new fields"),
        ("metadata.team", "`metadata` is no message, so it has no new fields"),
    ],
)
def test_extra_reaches_nothing_that_a_mask_cannot_name(path: str, why: str) -> None:
    """Elements, entries, and what has no fields."""
    problem = unsendable(kind_of("apps").spec, path)
    assert problem is not None
    assert problem.summary == f"`$extra` cannot set `{path}`: {why}"
