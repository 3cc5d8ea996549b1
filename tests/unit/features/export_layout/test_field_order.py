"""The order of fields in exports: that of their numbers."""

import importlib.util
from pathlib import Path

from cesplan.features.export_layout.shape import COMPILED, ordered
from cesplan.model.spec import message_names, message_spec

TOOL = Path(__file__).parents[4] / "tools" / "compile_export_order.py"


def test_the_table_is_what_google_s_client_says() -> None:
    """`python tools/compile_export_order.py` would write the same."""
    found = importlib.util.spec_from_file_location("compile_export_order", TOOL)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    assert COMPILED.read_text() == module.compiled()


def test_every_field_has_its_place() -> None:
    for name in message_names():
        spec = message_spec(name)
        assert sorted(field.name for field in ordered(spec)) == sorted(spec.fields)


def test_an_app_as_exports_in_public_have_it() -> None:
    """The order seen in exports, which is not that of the declaration."""
    seen = [
        "name", "displayName", "rootAgent", "audioProcessingConfig", "loggingSettings", "guardrails",
        "variableDeclarations", "globalInstruction", "languageSettings", "defaultChannelProfile",
        "timeZoneSettings", "toolExecutionMode",
    ]  # fmt: skip
    assert [field.name for field in ordered(message_spec("App")) if field.name in seen] == seen
