"""Field paths in `$ignore` and `$extra`."""

import pytest

from cesplan.config.ignoring import unknown_part
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
