"""Texts that differ in their line ends alone."""

from typing import Any

import pytest

from cesplan.render.services.markdown import plan_markdown
from cesplan.render.text.plan import plan_text
from cesplan.render.values import line_ends_only
from tests.unit.render.builders import change, plan, update


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("a\r\nb\r\n", "a\nb\n", "CRLF → LF"),
        ("a\nb", "a\r\nb", "LF → CRLF"),
        ("a\rb", "a\nb", "CR → LF"),
        ("a\r\nb\nc", "a\nb\nc", "mixed → LF"),
        ("a\r\nb", "a\nc", ""),
        ("a\nb", "a\nb\n", ""),
        ("a\nb", "a\nb", ""),
        (None, "a\n", ""),
        ("1", 1, ""),
    ],
)
def test_only_line_ends_are_told_in_a_word(before: Any, after: Any, said: str) -> None:
    """Anything else that differs is shown as it is."""
    assert line_ends_only(before, after) == said


def test_a_plan_says_it_and_shows_no_lines() -> None:
    """On the page and in a comment."""
    texts = ("One.\r\nTwo.\r\n", "One.\nTwo.\n")
    made = plan(update("desk/agents/front", change("instruction", *texts, language="markdown")))
    assert "line ends only CRLF → LF" in " ".join(plan_text(made).split())
    assert "`instruction`: line ends only, CRLF → LF" in plan_markdown(made)
    assert "Two." not in plan_text(made) + plan_markdown(made)
