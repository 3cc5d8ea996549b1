"""A setting is one field of Settings: all that knows settings follows from the table."""

from dataclasses import fields

from cesplan.domain.resource_name import Place
from cesplan.domain.settings import SETTINGS, LiveEdits, MaskDepth, Settings, settings_of
from cesplan.model.editor_schemas.project import project_schema
from cesplan.render.machine.formats.plan_files.plan_file import SettingsJson

PLACE = Place(project="acme", location="us")


def test_every_key_is_the_name_of_its_field() -> None:
    """In camel case, as everywhere in a tree; three keys are kept elsewhere."""
    assert [*SETTINGS] == [
        "project", "location", "apps", "apiVersion", "endpoint", "prune", "adopt", "stamp", "maskDepth",
        "verifyBeforeWrite", "deletes", "protect", "tree", "lease", "liveEdits", "readsPerMinute",
            "writesPerMinute",
    ]  # fmt: skip
    assert [key for key, item in SETTINGS.items() if not item.field] == ["project", "location", "apps"]
    known = {item.name for item in fields(Settings)} - {"place", "environment", "emulated"}
    assert {item.field for item in SETTINGS.values() if item.field} == known


def test_what_a_file_does_not_say_has_the_default_of_the_field() -> None:
    assert settings_of(PLACE, "", {}) == Settings(place=PLACE)


def test_what_a_file_says_becomes_a_value_of_the_type_of_the_field() -> None:
    said = {
        "maskDepth": "top",
        "protect": ["a/*", "a/*"],
        "prune": False,
        "liveEdits": "revert",
        "project": "x",
    }
    made = settings_of(PLACE, "prod", said)
    assert made == Settings(
        place=PLACE,
        environment="prod",
        mask_depth=MaskDepth.TOP,
        protect=("a/*",),
        prune=False,
        live_edits=LiveEdits.REVERT,
    )


def test_the_schema_for_editors_has_every_key() -> None:
    """In environments, those that an environment may set."""
    properties = project_schema()["properties"]
    assert {*SETTINGS} <= {*properties}
    inner = {*properties["environments"]["additionalProperties"]["anyOf"][0]["properties"]}
    assert inner == {key for key, item in SETTINGS.items() if item.in_environment} | {"variables"}


def test_a_plan_file_holds_every_setting() -> None:
    made = Settings(place=PLACE, prune=False, live_edits=LiveEdits.REVERT, protect=("a",))
    document = SettingsJson.of(made).document()
    assert {*document} == {item.name for item in fields(Settings)} - {"place"} | {"project", "location"}
    assert SettingsJson.model_validate_json(SettingsJson.of(made).model_dump_json()).value() == made
