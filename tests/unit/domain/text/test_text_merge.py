"""Tests of merging two edited versions of a text: what is taken from each, and what collides."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cesplan.domain.text.conflict_markers import line_of_markers
from cesplan.domain.text.text_merge import Collided, Collision, Finest, Merged, merge_text
from tests.costs import growth

TEN = "\n".join(f"line {number}" for number in range(1, 11))

PARAGRAPH = (
    "We sell fruit and flowers. Orders above one hundred euros are never refunded without the manager. "
    "Be kind to everybody who calls. Never give out a card number."
)


def merged(base: str, ours: str, theirs: str, **more: Finest) -> str:
    found = merge_text(base, ours, theirs, **more)
    assert isinstance(found, Merged), found
    return found.text


def collisions(base: str, ours: str, theirs: str, **more: Finest) -> tuple[Collision, ...]:
    found = merge_text(base, ours, theirs, **more)
    assert isinstance(found, Collided), found
    return found.collisions


def test_edits_with_an_unchanged_line_between_them_are_both_taken() -> None:
    ours, theirs = TEN.replace("line 4", "by tree"), TEN.replace("line 6", "by live")
    assert merged(TEN, ours, theirs) == ours.replace("line 6", "by live")


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        ("a\nb\nc", "a\ntree\nc", "a\nlive\nc"),
        ("a\nb\nc", "tree\nb\nc", "a\nlive\nc"),
        ("a\nb", "a\ntree\nb", "a\nlive\nb"),
        ("a\nb\nc", "a\nc", "a\nlive\nc"),
        ("a\nb\nc", "a\ntree\nb\nc", "a\nlive\nc"),
        ("", "tree", "live"),
    ],
    ids=["same line", "neighbors", "two insertions", "deleted and changed", "inserted above", "from nothing"],
)
def test_edits_of_the_same_or_of_neighboring_lines_collide_as_in_git(base: str, ours: str, theirs: str) -> None:
    assert len(collisions(base, ours, theirs)) == 1


def test_what_both_sides_did_alike_is_no_collision() -> None:
    both = TEN.replace("line 5", "alike")
    assert merged(TEN, both.replace("line 1\n", "tree\n"), both) == both.replace("line 1\n", "tree\n")


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        ("5\n6\n7", "five\nsix\n7", "five\n6\n7"),
        ("4\n5\n6", "four\nfive\n6", "4\nfive\n6"),
        ("a\nc", "a\nlive\ntree\nc", "a\nlive\nc"),
        ("a\nc", "a\ntree\nlive\nc", "a\nlive\nc"),
    ],
)
def test_an_edit_beside_a_live_edit_that_the_tree_has_already_does_not_collide(
    base: str, ours: str, theirs: str
) -> None:
    """A merge took the live line; the base is still what was applied when the tree is edited beside it."""
    assert merged(base, ours, theirs) == ours


def test_a_line_that_the_tree_changed_beside_two_that_live_made_one_is_no_agreement() -> None:
    (found,) = collisions("a\nb1\nb2\nc", "a\nX\ntree\nc", "a\nX\nc")
    assert (found.line, found.lines, found.base, found.ours, found.theirs) == (3, 1, "b1\nb2", "tree", None)


def test_a_collision_says_where_it_is_and_does_not_keep_the_rest_from_being_merged() -> None:
    ours = TEN.replace("line 2", "new\nline 2").replace("line 5", "tree")
    theirs = TEN.replace("line 5", "live").replace("line 9", "by live")
    found = merge_text(TEN, ours, theirs)
    assert isinstance(found, Collided)
    assert found.collisions == (Collision(line=6, lines=1, base="line 5", ours="tree", theirs="live"),)
    assert found.with_ours == ours.replace("line 9", "by live")
    assert found.with_theirs == ours.replace("tree", "live").replace("line 9", "by live")
    assert found.marked == found.with_ours.replace(
        "\ntree\n", "\n<<<<<<< tree\ntree\n||||||| base\nline 5\n=======\nlive\n>>>>>>> live\n"
    )


def test_sentences_of_a_paragraph_are_told_apart() -> None:
    ours, theirs = PARAGRAPH.replace("fruit", "bread"), PARAGRAPH.replace("a card number", "any number")
    assert merged(PARAGRAPH, ours, theirs) == ours.replace("a card number", "any number")
    assert len(collisions(PARAGRAPH, ours, theirs, finest=Finest.LINE)) == 1


def test_a_text_that_may_be_an_expression_is_never_mixed_inside_a_sentence() -> None:
    ours, theirs = (
        PARAGRAPH.replace("one hundred", "two hundred"),
        PARAGRAPH.replace("the manager", "a manager"),
    )
    assert len(collisions(PARAGRAPH, ours, theirs, finest=Finest.SENTENCE)) == 1
    theirs = PARAGRAPH.replace("a card number", "any number")
    assert merged(PARAGRAPH, ours, theirs, finest=Finest.SENTENCE) == ours.replace(
        "a card number", "any number"
    )


def test_words_of_one_sentence_are_told_apart_by_three_others_between_them() -> None:
    ours, theirs = (
        PARAGRAPH.replace("one hundred", "two hundred"),
        PARAGRAPH.replace("the manager", "a manager"),
    )
    assert merged(PARAGRAPH, ours, theirs) == ours.replace("the manager", "a manager")
    near = PARAGRAPH.replace("euros", "dollars")
    (found,) = collisions(PARAGRAPH, ours, near)
    assert found == Collision(
        line=1,
        lines=1,
        base="Orders above one hundred euros are never refunded without the manager.",
        ours="Orders above two hundred euros are never refunded without the manager.",
        theirs="Orders above one hundred dollars are never refunded without the manager.",
    )


def test_a_sentence_that_was_written_anew_is_not_mixed_with_another_edit_of_it() -> None:
    """The words that happen to be in both, `the` and `of`, do not hold the two apart."""
    base = "The answer to the question of the customer is given in the language of the question. " * 2
    ours = base.replace("The answer to the question of the customer is given", "Reply to the customer", 1)
    theirs = base.replace("in the language of the question", "in the tongue of the day", 1)
    anew = base.replace("The answer to the question of the customer is given in the language of the question",
                        "Speak the tongue of the customer and be the friend of the house", 1)  # fmt: skip
    assert len(collisions(base, anew, theirs)) == 1
    assert len(collisions(base, anew, ours)) == 1


def test_a_short_line_is_never_mixed() -> None:
    """`gemini-2.5-flash` of one side and another model of the other are not a third model."""
    assert (
        len(collisions("model gemini 2.5 flash in us", "model gemini 3 flash in us", "gemini 2.5 flash in eu"))
        == 1
    )


def test_a_paragraph_of_several_long_lines_keeps_its_lines() -> None:
    base = f"{PARAGRAPH}\n{PARAGRAPH.replace('We', 'They')}\n"
    ours, theirs = (
        base.replace("a card number.\n", "a number.\n", 1),
        base.replace("They sell fruit and flowers", "They sell fruit and bread"),
    )
    assert merged(base, ours, theirs) == ours.replace(
        "They sell fruit and flowers", "They sell fruit and bread"
    )


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_ends_stay(ending: str) -> None:
    base, ours, theirs = (
        text.replace("\n", ending)
        for text in (TEN, TEN.replace("line 1\n", "tree\n"), TEN.replace("line 9", "live"))
    )
    assert merged(base, ours, theirs) == ours.replace("line 9", "live")


def test_line_ends_that_one_side_changed_are_changed_and_are_no_collision() -> None:
    base, ours = TEN.replace("\n", "\r\n"), TEN.replace("\n", "\r\n").replace("line 2", "tree")
    theirs = TEN.replace("line 9", "live")
    expected = TEN.replace("line 2", "tree").replace("line 9", "live")
    assert merged(base, ours, theirs) == expected
    assert merged(base, theirs, ours) == expected


def test_mixed_line_ends_stay_as_they_are() -> None:
    base = "a\r\nb\nc\r\nd\ne"
    assert merged(base, base.replace("a", "A"), base.replace("e", "E")) == "A\r\nb\nc\r\nd\nE"


def test_a_line_at_the_end_does_not_touch_the_one_above_the_last() -> None:
    """The last line of a value has no break, and is not changed by getting one."""
    assert merged("a\nb\nc", "A\nb\nc", "a\nb\nc\nd") == "A\nb\nc\nd"
    assert merged("a\nb\nc", "A\nb\nc", "a\nb\nc\n") == "A\nb\nc\n"


def test_signs_that_belong_together_are_not_cut() -> None:
    """Combining characters, marks of order, and scripts without blanks between words."""
    base = (
        "e\u0301te\u0301 " * 30
        + "\u6771\u4eac\u3002\u5927\u962a\u3002\u540d\u53e4\u5c4b\u3002\u4eac\u90fd\u3002"
    )
    ours, theirs = base.replace("\u6771\u4eac", "\u6a2a\u6d5c"), base.replace("\u4eac\u90fd", "\u5948\u826f")
    assert merged(base, ours, theirs) == ours.replace("\u4eac\u90fd", "\u5948\u826f")
    (found,) = collisions(
        base, base.replace("e\u0301te\u0301", "e\u0300te\u0301"), base.replace("e\u0301te\u0301", "ete")
    )
    assert "e\u0300te\u0301" in (found.ours or "")


def test_texts_that_are_too_long_to_compare_are_one_collision_that_says_so() -> None:
    base, ours, theirs = ("\n".join([word] * 9000) for word in ("same", "tree", "live"))
    found = merge_text(base, ours, theirs)
    assert isinstance(found, Collided)
    assert found.why == "more than 4000 lines in a row differ: they are compared as a whole"


@pytest.mark.parametrize("width", [0, 30, 400])
def test_ten_times_the_lines_take_ten_times_as_long(width: int) -> None:
    def merging(number: int) -> Callable[[], str]:
        dice = random.Random(7)
        lines = [
            f"{'' if dice.random() < 0.3 else dice.randrange(4000)} {'word ' * (width // 5)}"
            for _ in range(number)
        ]
        ours, theirs = [*lines], [*lines]
        for place in range(10, number, 400):
            ours[place], theirs[place + 100] = f"tree {place}", f"live {place}"
        return lambda: merged(*("\n".join(side) for side in (lines, ours, theirs)))

    text = merging(20_000)()
    assert (text.count("tree "), text.count("live ")) == (50, 50)
    assert growth(merging, 2_000, 20_000) < 30


@pytest.mark.parametrize("sign", [".", " ", "\n", '"', ". ", '."', "a ", "\u3002"])
def test_no_text_takes_long(sign: str) -> None:
    """One sign, again and again, in a paragraph that both sides edited."""

    def merging(length: int) -> Callable[[], object]:
        many = sign * (length // len(sign))
        base = f"{'x' * 121} {many}x{many} end"
        return lambda: merge_text(base, base.replace("end", "tree"), base.replace("end", "live"))

    assert growth(merging, 4_000, 40_000) < 30


@settings(deadline=None)
@given(st.data())
def test_the_result_is_what_a_plain_model_of_cells_says(data: st.DataObject) -> None:
    """
    A text of cells, each a line to edit between two that nobody touches: each cell is merged on its own.
    """
    kinds = st.sampled_from(["same", "changed", "gone", "inserted"])
    cells = data.draw(st.lists(st.tuples(kinds, kinds), min_size=1, max_size=8))

    def line(number: int, kind: str, who: str) -> list[str]:
        old = f"cell {number}"
        return {"same": [old], "changed": [who], "gone": [], "inserted": [old, who]}[kind]

    sides: tuple[list[str], list[str], list[str], list[str]] = ([], [], [], [])
    collide = 0
    for number, (mine, their) in enumerate(cells):
        states = line(number, "same", ""), line(number, mine, "tree"), line(number, their, "live")
        both = mine != "same" and their != "same" and states[1] != states[2]
        collide += both
        result = states[2] if mine == "same" else states[1]
        for side, state in zip(sides, (*states, result), strict=True):
            side += [f"fence {number}", *state]
    base, ours, theirs, expected = ("\n".join([*side, "end"]) for side in sides)
    found = merge_text(base, ours, theirs)
    match found:
        case Merged(text=text):
            assert (collide, text) == (0, expected)
        case Collided():
            assert (len(found.collisions), found.with_ours) == (collide, expected)
    assert _swapped(base, ours, theirs) == found


def _swapped(base: str, ours: str, theirs: str) -> Merged | Collided:
    """The same merge seen from the other side, turned back."""
    found = merge_text(base, theirs, ours)
    if isinstance(found, Merged):
        return found
    straight = merge_text(base, ours, theirs)
    assert isinstance(straight, Collided)
    assert (found.with_ours, found.with_theirs) == (straight.with_theirs, straight.with_ours)
    return straight


LINES = st.lists(st.sampled_from(["", "a", "b", "c", "d", "e"]), max_size=8).map("\n".join)


@settings(deadline=None, max_examples=300)
@given(LINES, LINES, LINES)
def test_the_laws_of_merging_hold_for_any_three_texts(base: str, ours: str, theirs: str) -> None:
    """
    An empty edit changes nothing, the same edit twice is one, and the choice of a side never invents a line.
    """
    assert merged(base, base, theirs) == theirs
    assert merged(base, ours, base) == ours
    assert merged(base, ours, ours) == ours
    found = merge_text(base, ours, theirs)
    if isinstance(found, Collided):
        for text in (found.with_ours, found.with_theirs):
            assert set(text.split("\n")) <= {*base.split("\n"), *ours.split("\n"), *theirs.split("\n")}
        assert line_of_markers(found.marked) > 0
    assert _swapped(base, ours, theirs) == found


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n<<<<<<< tree\nb\n||||||| base\nc\n=======\nd\n>>>>>>> live\n", 2),
        ("a\r\n<<<<<<< HEAD\r\nb\r\n=======\r\nd\r\n>>>>>>> other\r\n", 2),
        ("Title\n=======\n\ntext", 0),
        ("<<<<<<< a\nb\n>>>>>>> c", 0),
        ("x <<<<<<< a\n=======\n>>>>>>> c", 0),
        ("<<<<<<<< a\n=======\n>>>>>>> c", 0),
    ],
)
def test_markers_are_found_where_they_are_those_of_a_collision(text: str, line: int) -> None:
    assert line_of_markers(text) == line
