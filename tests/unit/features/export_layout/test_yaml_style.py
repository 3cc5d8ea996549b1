"""YAML as the service writes it."""

from hypothesis import given
from hypothesis import strategies as st

from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import plain
from cesplan.features.export_layout.yaml_style import yaml_text


def test_the_style_of_the_service() -> None:
    """80 columns, `|` for texts of several lines, lists not indented, words of YAML 1.1 in quotes."""
    value = {
        "displayName": "Bella Notte",
        "description": "word " * 20 + "end",
        "instruction": "One.\nTwo.\n",
        "tools": ["end_session", "no", "12:30"],
        "variableDeclarations": [{"name": "x", "schema": {"type": "STRING"}}],
        "llmAgent": {},
    }
    assert yaml_text(value) == (
        "displayName: Bella Notte\n"
        "description: word word word word word word word word word word word word word word\n"
        "  word word word word word word end\n"
        "instruction: |\n"
        "  One.\n"
        "  Two.\n"
        "tools:\n"
        "- end_session\n"
        "- 'no'\n"
        "- '12:30'\n"
        "variableDeclarations:\n"
        "- name: x\n"
        "  schema:\n"
        "    type: STRING\n"
        "llmAgent: {}\n"
    )


def test_a_long_word_stays_on_its_line() -> None:
    path = "agents/Front_desk/before_agent_callbacks/before_agent_callbacks_01/python_code.py/and/more"
    assert yaml_text({"pythonCode": path}) == f"pythonCode: {path}\n"


def test_a_long_text_with_escapes_is_read_as_it_is() -> None:
    """Folded, it would come back with a space that nobody wrote."""
    value = {"A": "0" * 18 + '""' + "\x1f" * 12 + "\x7f\x7f0 0"}
    assert plain(compose(yaml_text(value)).root) == value  # type: ignore[arg-type]


_TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cn", "Co")), max_size=120)
_VALUES = st.recursive(
    _TEXTS | st.booleans() | st.integers(-(2**40), 2**40),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(_TEXTS.filter(lambda t: len(t) < 60), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.from_regex(r"[A-Za-z]{1,8}", fullmatch=True), _VALUES, max_size=5))
def test_what_is_written_is_read_again(value: dict[str, object]) -> None:
    """Any text and any nesting; keys of free-form values are texts too."""
    document = compose(yaml_text(value))
    assert document.root is not None, document.problems
    assert plain(document.root) == value
