"""Limits of single fields, as the models mark them."""

from typing import Any

import pytest

from cesplan.config.checks.limits import check_limits, findings
from cesplan.config.checks.walking import Visit
from cesplan.domain.field_path import FieldPath
from cesplan.domain.value import Secret
from cesplan.model.marks import AtMost, Choices, Form, Mark, Presence, Secrecy, Sensitive, Within
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec
from tests.unit.config.checks.builders import app, found, resource, suggestions


def _speech(**fields: Any) -> Any:
    return app({"audioProcessingConfig": {"synthesizeSpeechConfigs": {"en-US": fields}}})


SPEECH = 'apps/shop audioProcessingConfig.synthesizeSpeechConfigs["en-US"]'


def test_a_number_is_in_its_range() -> None:
    """Both ends belong to the range; one step outside does not."""
    for rate in (0.25, 1, 2.0):
        assert found(check_limits, _speech(speakingRate=rate)) == []
    assert found(check_limits, _speech(speakingRate=2.1)) == [
        f"CES062 {SPEECH}.speakingRate: `2.1` is outside 0.25 to 2"
    ]


def test_zero_is_unset_where_nothing_tells_it_from_absent() -> None:
    """A field without presence may hold 0 outside its range; an element of a list may not."""
    run = {"schedulingConfig": {"daysOfWeek": [1, 0, 7, 8]}}

    assert found(check_limits, _speech(speakingRate=0)) == []
    assert found(check_limits, app(scheduledEvaluationRuns={"r": run})) == [
        "CES062 scheduledEvaluationRuns/r schedulingConfig.daysOfWeek[1]: `0` is outside 1 to 7",
        "CES062 scheduledEvaluationRuns/r schedulingConfig.daysOfWeek[3]: `8` is outside 1 to 7",
    ]


def test_zero_counts_where_there_is_presence() -> None:
    """Then it was written on purpose."""
    assert _findings(0, Within(1, 5)) == []
    assert _findings(0, Within(1, 5), Presence()) == ["CES062 limited: `0` is outside 1 to 5"]


def test_lists_are_no_longer_than_allowed() -> None:
    """100 turns pass, 101 do not."""
    turns = [{"steps": []}] * 101

    assert found(check_limits, app(evaluations={"v": {"golden": {"turns": turns[:100]}}})) == []
    assert found(check_limits, app(evaluations={"v": {"golden": {"turns": turns}}})) == [
        "CES063 evaluations/v golden.turns: `turns` has 101 entries, but at most 100 are allowed"
    ]


def test_texts_are_no_longer_than_allowed() -> None:
    """Characters are counted, not bytes."""
    assert _findings("é" * 5, AtMost(5)) == []
    assert _findings("é" * 6, AtMost(5)) == [
        "CES063 limited: `limited` has 6 characters, but at most 5 are allowed"
    ]


def test_texts_have_their_form() -> None:
    """The whole text must match; an empty one is unset."""
    bucket: dict[str, Any] = {"loggingSettings": {"audioRecordingConfig": {"gcsBucket": "calls"}}}

    assert found(check_limits, app(bucket)) == [
        "CES064 apps/shop loggingSettings.audioRecordingConfig.gcsBucket: `calls` is not a bucket such as gs://name"
    ]
    bucket["loggingSettings"]["audioRecordingConfig"]["gcsBucket"] = ""
    assert found(check_limits, app(bucket)) == []


def test_names_of_variables_have_their_form() -> None:
    """A letter or `_`, then letters, digits, and `_`."""
    rows = [{"name": "customer_1"}, {"name": "_x"}, {"name": "1st"}, {"name": "a-b"}]

    assert found(check_limits, app({"variableDeclarations": rows})) == [
        (
            "CES064 apps/shop variableDeclarations[2].name: "
            "`1st` is not a letter or `_`, then letters, digits, and `_`"
        ),
        (
            "CES064 apps/shop variableDeclarations[3].name: "
            "`a-b` is not a letter or `_`, then letters, digits, and `_`"
        ),
    ]


def test_words_are_among_the_choices() -> None:
    """The nearest one is suggested."""
    tree = app(deployments={"d": {"channelProfile": {"noiseSuppressionLevel": "hihg"}}})

    assert found(check_limits, tree) == [
        (
            "CES065 deployments/d channelProfile.noiseSuppressionLevel: "
            "`hihg` is not one of low, moderate, high, very_high"
        )
    ]
    assert suggestions(check_limits, tree) == ["high"]


def test_elements_of_lists_and_maps_are_looked_at_one_by_one() -> None:
    """Nulls and secrets among them are passed over."""
    secret = Secret(variables=("s",), text="X")
    form = Form("[a-z]+", "small letters")

    assert _findings(["a", "B", None, secret], form, cardinality=Cardinality.LIST) == [
        "CES064 limited[1]: `B` is not small letters"
    ]
    assert _findings({"k": "C"}, form, cardinality=Cardinality.MAP) == [
        'CES064 limited["k"]: `C` is not small letters'
    ]


@pytest.mark.parametrize("value", ["tok-123", "x" * 61, "two\nlines"])
def test_sensitive_and_long_values_are_not_repeated(value: str) -> None:
    """A message names the field instead."""
    marks: tuple[Mark, ...] = (Form("[0-9]{6}", "six digits"),)
    if value == "tok-123":
        marks += (Sensitive(Secrecy.VARIABLE_ONLY),)

    assert _findings(value, *marks) == ["CES064 limited: the value of `limited` is not six digits"]


@pytest.mark.parametrize("value", [True, "many", {}, [], float("nan")])
def test_what_is_no_number_is_not_measured(value: Any) -> None:
    """Types are the business of others; what cannot be compared is outside."""
    expected = ["CES062 limited: `nan` is outside 1 to 5"] if isinstance(value, float) else []

    assert _findings(value, Within(1, 5)) == expected


def test_unknown_marks_say_nothing() -> None:
    """Only limits limit."""
    assert _findings("x", Presence(), Choices(("x",))) == []


def _findings(value: Any, *marks: Mark, cardinality: Cardinality = Cardinality.ONE) -> list[str]:
    field = FieldSpec(name="limited", scalar=Scalar.STRING, cardinality=cardinality, marks=marks)
    visit = Visit(
        file=resource("tools", "t", {}),
        message="M",
        holder={},
        field=field,
        path=FieldPath(("limited",)),
        value=value,
    )
    return [f"{item.code} {item.path}: {item.summary}" for item in findings(visit)]
