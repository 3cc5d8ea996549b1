"""The algebra of hunks and changed words."""

from hypothesis import given
from hypothesis import strategies as st

from cesplan.render.page import paint
from cesplan.render.text.layout import Layout, View
from cesplan.render.text.long_text import hunks_page
from cesplan.render.text.text_diff import Sign, text_diff, word_diff

_LINES = st.lists(
    st.sampled_from(["", "a", "b", "- a rule", "- a rule again", "  x = 1", "  x = 2"]), max_size=12
)


def _rows(before: str, after: str) -> list[str]:
    return [
        f"{item.sign}{''.join(piece.text for piece in item.pieces)}" for item in text_diff(before, after).lines
    ]


def test_a_replaced_line_is_shown_twice_with_its_surroundings() -> None:
    """The old line, then the new one, with two lines of context on both sides."""
    assert _rows("a\nb\nc\nold\nd\ne\nf", "a\nb\nc\nnew\nd\ne\nf") == [
        " b", " c", "-old", "+new", " d", " e",
    ]  # fmt: skip


def test_distant_changes_are_apart() -> None:
    """Between two hunks is a gap."""
    before = "\n".join(map(str, range(20)))
    after = before.replace("3", "three", 1).replace("17", "seventeen")
    signs = [item.sign for item in text_diff(before, after).lines]
    assert signs.count(Sign.GAP) == 1


def test_blank_lines_and_a_final_line_feed_count() -> None:
    """A line feed at the end of a text is an empty line more."""
    assert _rows("a\n\nb", "a\n\nb\n") == [" ", " b", "+"]


def test_numbers_count_in_the_text_a_line_belongs_to() -> None:
    """Old lines have the number of the old text, all others that of the new one."""
    lines = text_diff("a\nb\nc", "x\na\nB\nc").lines
    assert [(str(item.sign), item.number) for item in lines] == [
        ("+", 1), (" ", 2), ("-", 2), ("+", 3), (" ", 4),
    ]  # fmt: skip


def test_the_size_of_a_change_is_told() -> None:
    """A replaced line counts once; the total are these and the lines that both have."""
    diff = text_diff("a\nb\nc", "a\nB\nc\nd")
    assert (diff.changed, diff.total) == (2, 4)
    many, one = "\n".join("abcdefghijklmno"), "x"
    assert [(d.changed, d.total) for d in (text_diff(many, one), text_diff(one, many))] == [(15, 15), (15, 15)]
    gone = text_diff("\n".join("abcdefghij"), "\n".join("abcdefgh"))
    assert (gone.changed, gone.total) == (2, 10)


@given(_LINES, _LINES)
def test_no_more_lines_change_than_there_are(old: list[str], new: list[str]) -> None:
    """And all that do not change are in both texts."""
    diff = text_diff("\n".join(old), "\n".join(new))
    lengths = [max(1, len(side)) for side in (old, new)]
    assert diff.changed <= diff.total
    assert max(lengths) <= diff.total <= sum(lengths)
    assert diff.total - diff.changed <= min(lengths)


def test_changed_words_are_marked_without_the_space_around_them() -> None:
    """Words that came are in one piece."""
    _, after = word_diff("when the order is late.", "when the order is more than three days late.")
    assert [piece.text for piece in after if piece.changed] == ["more than three days"]


def test_unlike_lines_have_no_marks() -> None:
    """Where hardly a word is the same, the whole line is one piece."""
    before, after = word_diff("Greet the caller.", "def f(x): return 1")
    assert (len(before), len(after)) == (1, 1)


@given(before=_LINES, after=_LINES)
def test_hunks_with_all_lines_give_back_both_texts(before: list[str], after: list[str]) -> None:
    """With enough context a diff is the old text and the new one."""
    old, new = "\n".join(before), "\n".join(after)
    lines = text_diff(old, new, context=100).lines
    if old == new:
        assert lines == ()
        return
    text = {item: "".join(piece.text for piece in item.pieces) for item in lines}
    assert "\n".join(text[item] for item in lines if item.sign in (Sign.SAME, Sign.NEW)) == new
    assert "\n".join(text[item] for item in lines if item.sign in (Sign.SAME, Sign.OLD)) == old


@given(before=st.text("ab \t.", max_size=30), after=st.text("ab \t.", max_size=30))
def test_pieces_give_back_the_line(before: str, after: str) -> None:
    """Marking loses no character."""
    one, other = word_diff(before, after)
    assert "".join(piece.text for piece in one) == before
    assert "".join(piece.text for piece in other) == after


def test_very_long_lines_are_not_compared_word_by_word() -> None:
    """Comparing takes the square of the words: beyond a bound what differs is one piece between equal ends."""
    before = "same " + "a b " * 600 + "end"
    after = "same " + "b a " * 600 + "end"
    _, pieces = word_diff(before, after)
    assert [piece.changed for piece in pieces] == [False, True, False]


def test_a_long_difference_is_shown_in_part_and_says_how_much_is_missing() -> None:
    """All of it is behind `--full`, which the end of a plan names; the numbers count everything."""
    before, after = ("\n".join(f"{word} {n}" for n in range(5000)) for word in ("old", "new"))
    page, said = hunks_page(before, after, "markdown", Layout(view=View(width=100), column=40))
    assert (len(page), said) == (401, "5,000 of 5,000 lines, in part compared as a whole")
    assert paint(page[-1:], colour=False).strip() == "… 9,600 more lines (--full shows them)"
    assert any(span.cut for span in page[-1])
    whole, _ = hunks_page(before, after, "markdown", Layout(view=View(width=100, full=True), column=40))
    assert len(whole) == 10_000
