"""`$ignore` inside an element or an entry that the file does not have."""

from cesplan.config.checks.ignored_elements import check_ignored_elements
from cesplan.domain.field_path import FieldPath
from tests.unit.config.checks.builders import app, found

BODY = {
    "variableDeclarations": [{"name": "locale", "description": "Where."}],
    "audioProcessingConfig": {"synthesizeSpeechConfigs": {"en-US": {"voice": "a"}}},
}


def told(*paths: str) -> list[str]:
    return found(check_ignored_elements, app(BODY, ignore=tuple(map(FieldPath.parse, paths))))


def test_a_place_in_what_the_file_does_not_have_is_a_warning() -> None:
    """It leaves nothing alone, and anyone who wrote it believes that it does."""
    first, second = told(
        "variableDeclarations[name=local].description",
        'audioProcessingConfig.synthesizeSpeechConfigs["de-DE"].voice',
    )
    assert first.removeprefix("CES099 apps/shop $ignore[0]: ") == (
        "`variableDeclarations[name=local].description` leaves nothing alone: the file does not have "
        "`variableDeclarations[name=local]`"
    )
    assert second.endswith('does not have `audioProcessingConfig.synthesizeSpeechConfigs["de-DE"]`')
    (finding,) = check_ignored_elements(
        app(BODY, ignore=(FieldPath.parse("variableDeclarations[name=local].description"),))
    )
    assert finding.suggestion == "variableDeclarations[name=locale]"


def test_what_the_file_has_and_what_only_live_has_can_be_left_alone() -> None:
    """An element that only live has is left alone by its name; codes of languages mean the same in any case."""
    assert (
        told(
            "variableDeclarations[name=locale].description",
            "variableDeclarations[name=debug]",
            'audioProcessingConfig.synthesizeSpeechConfigs["en-us"].voice',
            'audioProcessingConfig.synthesizeSpeechConfigs["de-DE"]',
            "loggingSettings.redactionConfig.enableRedaction",
        )
        == []
    )
