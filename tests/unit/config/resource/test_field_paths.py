"""Field paths in `$ignore` and `$extra`."""

import pytest

from cesplan.config.resource.field_paths import UnknownPath, ignorable, is_known_field, unsendable
from cesplan.domain.field_path import FieldPath
from cesplan.model.kinds import kind_of

APP = kind_of("apps").spec


@pytest.mark.parametrize(
    "path",
    [
        "description", "modelSettings.temperature", "variableDeclarations", "variableDeclarations[name=tier]",
        "variableDeclarations[name=tier].schema", "guardrails", "loggingSettings",
        'variableDeclarations[name=tier].schema.properties["x"].type', 'metadata["team"]', r'metadata["a\"b"]',
        'variableDeclarations[name=tier].schema.default["a"]["b"]',
    ],
)  # fmt: skip
def test_places_that_can_be_ignored(path: str) -> None:
    """Each prints as it was written: fields, entries of maps, elements found by their key."""
    assert ignorable(APP, path) == FieldPath.parse(path)


@pytest.mark.parametrize(
    ("kind", "written", "meant"),
    [
        ("agents", "toolsets[toolset=orders].toolIds", "toolsets[toolset=toolsets/orders].toolIds"),
        ("apps", "evaluationPersonas[name=calm]", "evaluationPersonas[name=evaluationPersonas/calm]"),
        ("apps", "variableDeclarations[name=x].schema.default.a",
         'variableDeclarations[name=x].schema.default["a"]'),
        ("apps", 'audioProcessingConfig.synthesizeSpeechConfigs["EN-us"].voice',
         'audioProcessingConfig.synthesizeSpeechConfigs["en-US"].voice'),
    ],
)  # fmt: skip
def test_the_spelling_of_the_file_is_understood(kind: str, written: str, meant: str) -> None:
    """Where files and bodies spell one place differently, the place is that of the body."""
    assert ignorable(kind_of(kind).spec, written) == FieldPath.parse(meant)


@pytest.mark.parametrize(
    ("kind", "path", "says"),
    [
        ("apps", "descripton", "unknown field `descripton`"),
        ("apps", "modelSettings.temprature", "unknown field `temprature`"),
        ("apps", "description.x", "`description` is a single value"),
        ("apps", "modelSettings[0]", "nothing before `[0]` has elements"),
        ("apps", "", "`` is not a field path"),
        ("apps", "a b", "`a b` is not a field path"),
        ("apps", "[0]", "`[0]` is not a field path"),
        ("apps", "metadata.team", 'Write `metadata["team"]`.'),
        ("apps", "createTime", "`createTime` is never compared"),
        ("apps", "variableDeclarations.schema", "Write `variableDeclarations[name=…]`"),
        ("apps", "variableDeclarations[0].schema", "The position of an element may change"),
        ("apps", "variableDeclarations[description=x]", "does not identify an element"),
        ("apps", "guardrails[0]", "To ignore the whole list, write `guardrails`."),
        ("agents", "transferRules[0].direction", "To ignore the whole list, write `transferRules`."),
        ("agents", "tools.name", "To ignore the whole list, write `tools`."),
        ("apps", 'variableDeclarations[name=x].schema.default["a"][0]', "cannot be ignored one by one"),
        ("toolsets", 'mcpToolset.customHeaders["a"].b', "is a single value"),
    ],
)  # fmt: skip
def test_where_nothing_would_be_ignored_the_path_is_refused(kind: str, path: str, says: str) -> None:
    """A `$ignore` that validates and does nothing protects nothing; what to write instead is said."""
    problem = ignorable(kind_of(kind).spec, path)
    assert isinstance(problem, UnknownPath)
    assert says in f"{problem.summary}\n{problem.detail}"


def test_a_slip_comes_with_what_was_meant() -> None:
    problem = ignorable(APP, "modelSettings.temprature")
    assert isinstance(problem, UnknownPath)
    assert problem.correction is not None
    assert problem.correction.nearest == "temperature"


@pytest.mark.parametrize(
    ("path", "is_known"),
    [
        ("description", True),
        ("modelSettings.model", True),
        ("newField", False),
        ("modelSettings.new", False),
    ],
)
def test_fields_that_the_model_knows(path: str, is_known: bool) -> None:
    assert is_known_field(APP, path) is is_known


@pytest.mark.parametrize("path", ["newField", "new_field", "modelSettings.newField", "newMessage.a.b"])
def test_extra_reaches_new_fields_of_messages(path: str) -> None:
    """Names with dots between them, and what is below a new field is not known."""
    assert unsendable(APP, path) is None


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("variableDeclarations[0].newField", "an update can name only fields"),
        ('newMap["x"]', "an update can name only fields"),
        ("variableDeclarations[name=tier].newField", "an update can name only fields"),
        ("a b", "an update can name only fields"),
        ("", "an update can name only fields"),
        ("a..b", "an update can name only fields"),
        ("variableDeclarations.newField", "`variableDeclarations` is not a message, so it has no other fields"),
        ("description.newField", "`description` is not a message, so it has no other fields"),
        ("metadata.team", "`metadata` is not a message, so it has no other fields"),
    ],
)
def test_extra_reaches_nothing_that_a_mask_cannot_name(path: str, why: str) -> None:
    """Elements, entries, and what has no fields."""
    problem = unsendable(APP, path)
    assert problem is not None
    assert problem.summary == f"`$extra` cannot set `{path}`: {why}"
