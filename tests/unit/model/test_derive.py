"""The compiled table of specs says what the models say."""

from cesplan.model.derive import all_models, compiled_table, derive_spec
from cesplan.model.kinds import KINDS
from cesplan.model.spec import COMPILED, message_names, message_spec


def test_the_committed_table_is_current() -> None:
    """A change of a model comes with its table: run `python tools/compile_specs.py`."""
    assert COMPILED.read_text(encoding="utf-8") == compiled_table()


def test_the_table_holds_every_message_and_nothing_is_lost_in_it() -> None:
    """Reading the table back gives the very specs that the models give."""
    models = all_models()
    assert message_names() == tuple(models)
    assert {name: message_spec(name) for name in models} == {
        name: derive_spec(model) for name, model in models.items()
    }


def test_the_class_of_a_kind_bears_the_name_of_its_message() -> None:
    """A kind finds its spec by the name of its class, without importing it."""
    assert {kind.model.MESSAGE: kind.name for kind in KINDS.values()} == {
        kind.class_name: kind.name for kind in KINDS.values()
    }
