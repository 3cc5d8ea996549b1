"""Pages: plain and coloured text from the same lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.style import Style

from cesplan.render.page import ATTRIBUTES, COLOURS, Span, line, paint, printable, width_of, wrapped


def test_marks_are_quotes_without_colour() -> None:
    """What changed is in angle quotes where it cannot be underlined."""
    page = [line("is ", Span("very", "green", marked=True), " late")]
    assert paint(page, colour=False) == "is ‹very› late\n"
    assert paint(page, colour=True) == "is \x1b[1;4;32mvery\x1b[0m late\n"


@pytest.mark.parametrize("colour", ["", *COLOURS, *(f"bright_{name}" for name in COLOURS)])
def test_inks_are_what_rich_makes_of_the_same_words(colour: str) -> None:
    for number in range(2 ** len(ATTRIBUTES)):
        chosen = [name for place, name in enumerate(ATTRIBUTES) if number >> place & 1]
        ink = " ".join([*reversed(chosen), colour]).strip()
        expected = Style.parse(ink).render("x", color_system=ColorSystem.STANDARD)
        assert paint([(Span("x", ink),)], colour=True) == f"{expected}\n"


def test_no_text_can_move_the_cursor_or_hide_its_neighbours() -> None:
    """Control signs and signs that turn the direction of writing are made visible."""
    assert printable("a\x1b[31mb\u202ec\td\re") == "a\\u001b[31mb\\u202ec    d␍e"


def test_wide_signs_take_two_columns() -> None:
    """Columns are those of a terminal, not characters."""
    assert width_of("日本") == 4
    assert width_of("e\u0301") == 1


def test_long_lines_break_at_spaces_and_hang() -> None:
    """What follows the first row is indented; a word too long stays whole."""
    page = wrapped(line("  - one two three ", "incomprehensibilities"), 14, 4)
    assert paint(page, colour=False) == "  - one two\n    three\n    incomprehensibilities\n"


@given(text=st.text("abc  ", max_size=60), width=st.integers(10, 40))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    """The words are the same in the same order."""
    rows = wrapped(line("    ", text), width, 4)
    assert paint(rows, colour=False).split() == text.split()


def test_a_flag_and_its_value_stay_on_one_line() -> None:
    """They are copied together; where no line has room for both, they part like other words."""
    text = "allow it with --allow-delete desk/deployments/web"
    shown = paint(wrapped(line(text), 40, 2), colour=False)
    assert shown == "allow it with\n  --allow-delete desk/deployments/web\n"
    shown = paint(wrapped(line(text), 30, 2), colour=False)
    assert shown == "allow it with --allow-delete\n  desk/deployments/web\n"


def test_a_long_change_is_cut_at_its_spaces_and_each_part_is_marked() -> None:
    """One that fits a line stays whole; a word is never cut, for it may be something to copy."""
    text = (Span("+ Offer "), Span("a refund, a voucher or a new parcel", marked=True), Span(" today."))
    shown = paint(wrapped(text, 24, 2), colour=False)
    assert shown == "+ Offer\n  ‹a refund, a voucher›\n  ‹or a new parcel›\n  today.\n"
    whole = "+ Offer ‹a refund, a voucher or a new parcel›\n  today.\n"
    assert paint(wrapped(text, 45, 2), colour=False) == whole
    url = Span("https://docs.acme.example/a/b/c", marked=True)
    assert paint(wrapped((Span("see "), url), 20, 2), colour=False) == f"see\n  ‹{url.text}›\n"


@given(text=st.text("abc  ", max_size=80), width=st.integers(12, 40))
def test_cutting_a_change_loses_no_word(text: str, width: int) -> None:
    shown = paint(wrapped((Span("    "), Span(text, marked=True)), width, 4), colour=False)
    assert shown.replace("‹", " ").replace("›", " ").split() == text.split()
    longest = max(map(len, text.split()), default=0)
    assert all(width_of(row) <= max(width, 6 + longest) for row in shown.split("\n"))
