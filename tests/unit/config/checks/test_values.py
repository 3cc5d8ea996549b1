"""Values that must fit one another: traffic, schedules, time zones, languages, personas, ignored fields."""

import os
from pathlib import Path
from typing import Any

import pytest

from cesplan.config.checks import time_zones
from cesplan.config.checks.ignored_fields import check_ignored_fields
from cesplan.config.checks.languages import check_languages
from cesplan.config.checks.personas import check_personas
from cesplan.config.checks.schedules import check_schedules
from cesplan.config.checks.time_zones import check_time_zones
from cesplan.config.checks.traffic import check_traffic
from cesplan.domain.value import Secret
from tests.unit.config.checks.builders import app, found, suggestions


def _deployment(*shares: Any) -> Any:
    rows = [{"id": str(at), "trafficPercentage": share} for at, share in enumerate(shares)]
    return app(deployments={"d": {"experimentConfig": {"versionRelease": {"trafficAllocations": rows}}}})


@pytest.mark.parametrize("shares", [(), (100,), (90, 10), (100, None), (100, 0)])
def test_traffic_that_sums_to_100_passes(shares: tuple[Any, ...]) -> None:
    """An absent share is 0; without shares there is no experiment."""
    assert found(check_traffic, _deployment(*shares)) == []


@pytest.mark.parametrize(("shares", "total"), [((90, 20), 110), ((50,), 50), ((None,), 0)])
def test_traffic_that_does_not_sum_to_100_is_an_error(shares: tuple[Any, ...], total: int) -> None:
    """Too much and too little."""
    assert found(check_traffic, _deployment(*shares)) == [
        (
            "CES066 deployments/d experimentConfig.versionRelease.trafficAllocations: "
            f"the traffic percentages add up to {total}, not 100"
        )
    ]


def _run(frequency: str | None, **request: Any) -> Any:
    config = {"frequency": frequency, "daysOfWeek": [1]}
    return app(scheduledEvaluationRuns={"r": {"schedulingConfig": config, "request": request}})


def test_days_go_with_weekly_schedules() -> None:
    """WEEKLY and BIWEEKLY take days, no other frequency does."""
    assert found(check_schedules, _run("WEEKLY")) == []
    assert found(check_schedules, _run("BIWEEKLY")) == []
    assert found(check_schedules, _run("DAILY")) == [
        (
            "CES067 scheduledEvaluationRuns/r schedulingConfig.daysOfWeek: "
            "`daysOfWeek` does not apply to the frequency DAILY"
        )
    ]
    assert found(check_schedules, _run(None)) == [
        (
            "CES067 scheduledEvaluationRuns/r schedulingConfig.daysOfWeek: "
            "`daysOfWeek` does not apply to the frequency unset"
        )
    ]


def test_a_run_takes_evaluations_or_a_dataset() -> None:
    """Both together exclude each other; empty ones are absent."""
    both = _run("WEEKLY", evaluations=["evaluations/a"], evaluationDataset="evaluationDatasets/d")

    assert found(check_schedules, both) == [
        (
            "CES071 scheduledEvaluationRuns/r request.evaluationDataset: "
            "`evaluationDataset` and `evaluations` are both set"
        )
    ]
    assert (
        found(check_schedules, _run("WEEKLY", evaluations=[], evaluationDataset="evaluationDatasets/d")) == []
    )


def _zone(name: str) -> Any:
    return app({"timeZoneSettings": {"timeZone": name}})


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Europe/Stokholm", "Europe/Stockholm"),
        ("Stockholm", "Europe/Stockholm"),
        ("new york", "America/New_York"),
        ("../etc/passwd", None),
        ("Europe", None),
    ],
)
def test_time_zones_are_names_of_the_list(name: str, meant: str | None) -> None:
    """What is not listed is an error, with the listed name nearest to it."""
    pytest.importorskip("zoneinfo").ZoneInfo("Etc/UTC")

    assert found(check_time_zones, _zone(name)) == [
        f"CES068 apps/shop timeZoneSettings.timeZone: `{name}` is not an IANA time zone"
    ]
    if meant:
        assert suggestions(check_time_zones, _zone(name)) == [meant]


def test_a_time_zone_opens_no_file_outside_of_the_list(tmp_path: Path) -> None:
    """Here a pipe, for whose other end the check would wait."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    for name in (str(pipe), f"../../..{pipe}", f"Europe/../../../..{pipe}", f"./{pipe}", "UTC\0"):
        assert len(found(check_time_zones, _zone(name))) == 1, name


@pytest.mark.parametrize("name", ["Europe/Stockholm", "America/Argentina/Buenos_Aires", "UTC", ""])
def test_listed_time_zones_pass(name: str) -> None:
    """Old and new names alike."""
    assert found(check_time_zones, _zone(name)) == []


def test_a_machine_without_the_list_judges_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then no name is known, not even UTC."""
    monkeypatch.setattr(time_zones, "_is_listed", lambda _: False)
    time_zones.is_time_zone.cache_clear()

    assert found(check_time_zones, _zone("Nowhere/Land")) == []
    time_zones.is_time_zone.cache_clear()


def test_languages_stand_once_and_have_their_form() -> None:
    """The default language is not repeated; case does not matter."""
    settings = {
        "defaultLanguageCode": "en-US",
        "supportedLanguageCodes": ["fr-CA", "en-us", "english", "FR-ca", None],
    }

    assert found(check_languages, app({"languageSettings": settings})) == [
        "CES069 apps/shop languageSettings.supportedLanguageCodes[1]: the language en-us is listed twice",
        ("CES069 apps/shop languageSettings.supportedLanguageCodes[2]: `english` is not a valid language code"),
        "CES069 apps/shop languageSettings.supportedLanguageCodes[3]: the language FR-ca is listed twice",
    ]


def test_voices_and_messages_are_for_languages_of_the_app() -> None:
    """Keys are compared without case; nothing is said where the app names no language."""
    body: dict[str, Any] = {
        "audioProcessingConfig": {"synthesizeSpeechConfigs": {"EN-us": {}, "de-DE": {}}},
        "errorHandlingSettings": {
            "fallbackResponseConfig": {"customFallbackMessages": {"fr-CA": "…", "es": "…"}}
        },
    }

    assert found(check_languages, app(body)) == []
    body["languageSettings"] = {"defaultLanguageCode": "en-US", "supportedLanguageCodes": ["fr-CA"]}
    assert found(check_languages, app(body)) == [
        (
            'CES069 apps/shop audioProcessingConfig.synthesizeSpeechConfigs["de-DE"]: the app does not '
            "support de-DE"
        ),
        (
            'CES069 apps/shop errorHandlingSettings.fallbackResponseConfig.customFallbackMessages["es"]: '
            "the app does not support es"
        ),
    ]


def test_personas_have_display_names_of_their_own() -> None:
    """Their keys do not help."""
    rows = [
        {"name": "a", "displayName": "Ann"},
        {"name": "b"},
        {"name": "c", "displayName": "Ann"},
        {"name": "d"},
    ]

    assert found(check_personas, app({"evaluationPersonas": rows})) == [
        "CES078 apps/shop evaluationPersonas[2].displayName: duplicate persona `Ann`"
    ]


def test_a_remote_agent_uses_nothing_else() -> None:
    """Names and empty fields are not claims."""
    agent = {
        "displayName": "IVR",
        "description": "…",
        "remoteDialogflowAgent": {"agent": "projects/p/locations/l/agents/a"},
        "instruction": Secret(variables=("s",), text="…"),
        "tools": ["tools/t"],
        "guardrails": [],
        "modelSettings": None,
    }

    assert found(check_ignored_fields, app(agents={"a": agent, "b": {"instruction": "…"}})) == [
        "CES077 agents/a instruction: `instruction` has no effect with `remoteDialogflowAgent`",
        "CES077 agents/a tools: `tools` has no effect with `remoteDialogflowAgent`",
    ]


def test_a_custom_policy_has_its_own_fail_open() -> None:
    """`failOpen` counts beside the default settings only."""
    tree = app(
        guardrails={
            "a": {"llmPromptSecurity": {"defaultSettings": {}, "failOpen": True}},
            "b": {"llmPromptSecurity": {"customPolicy": {"failOpen": False}, "failOpen": False}},
        }
    )

    assert found(check_ignored_fields, tree) == [
        "CES077 guardrails/b llmPromptSecurity.failOpen: `failOpen` has no effect with `customPolicy`"
    ]
