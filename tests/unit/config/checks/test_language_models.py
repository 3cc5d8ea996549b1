"""The language models that an app names."""

import json
import re
from typing import Any

import pytest

from cesplan.config.checks.language_models import check_language_models
from cesplan.config.codes import CODES
from cesplan.domain.diagnostic import Severity
from cesplan.model.language_models import TABLE, language_models
from tests.unit.config.checks.builders import app, found, suggestions


@pytest.mark.parametrize(
    ("model", "summary", "suggestion"),
    [
        ("Gemini 2.5 Flash", "`Gemini 2.5 Flash` is not the id of a model", "gemini-2.5-flash"),
        ("gemini-2.5-falsh", "the model `gemini-2.5-falsh` is unknown", "gemini-2.5-flash"),
        ("gemini-3-flash", "us does not have the model `gemini-3-flash`", None),
        ("gemini-9-dream", "the model `gemini-9-dream` is unknown", None),
    ],
)
def test_a_model_that_the_table_does_not_have(model: str, summary: str, suggestion: str | None) -> None:
    """Misspelt, refused in this location, or newer than the table: each is said, on agents as on the app."""
    tree = app({"modelSettings": {"model": model}}, agents={"a": {"modelSettings": {"model": model}}})
    assert found(check_language_models, tree) == [
        f"CES096 apps/shop modelSettings.model: {summary}",
        f"CES096 agents/a modelSettings.model: {summary}",
    ]
    if suggestion:
        assert suggestions(check_language_models, tree) == [suggestion, suggestion]


@pytest.mark.parametrize("settings", [{}, {"model": ""}, {"model": "gemini-2.5-flash"}, {"temperature": 1}])
def test_known_models_and_none_are_fine(settings: dict[str, Any]) -> None:
    assert found(check_language_models, app({"modelSettings": settings})) == []


def test_a_finding_refuses_nothing() -> None:
    """The table is never complete, so it only warns, and a file can silence it."""
    assert (CODES["CES096"].severity, CODES["CES096"].silenceable) == (Severity.WARNING, True)


def test_each_row_of_the_table_has_its_evidence() -> None:
    table = json.loads(TABLE.read_bytes())
    assert re.fullmatch(r"20\d\d-[01]\d", language_models().date)
    assert all(row["evidence"] for row in table["models"].values())
