"""Texts of others in Markdown, as a real CommonMark parser with GitHub's tables and strokes reads them."""

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cesplan.domain.errors import Refused
from cesplan.domain.features.policy import RuleSeverity, RuleVerdict
from cesplan.render.page import printable
from cesplan.render.services.markdown import plan_markdown
from cesplan.render.services.markdown_escaping import code_html, inert, inert_html
from cesplan.render.services.markdown_outcomes import error_markdown
from tests.unit.render.builders import FRONT_DESK, parse_address, plan

_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_HARMLESS = {"ul", "li", "p", "code", "pre", "br"}
HOSTILE = (
    "![p](https://evil.example/p.png) [l](https://evil.example) <https://evil.example> @acme/all #12 !12 "
    "`</summary><script>` `` ` \\`[x](https://evil.example)` </details> --> *b* __b__ ~~s~~ a | b"
)
_SIGNS = "\\`*_[]~|!()<>&@#$%1a.-+=:/\"' \n"


def _tags(rendered: str) -> set[str]:
    return set(re.findall(r"<(\w+)", rendered))


def _shown(rendered: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", rendered)).replace("\u2060", "")


@given(st.text(_SIGNS, max_size=60))
@example(HOSTILE)
@example("__a__ _a_ a_b_c **a**")
@example("a\n===\n# b\n1. c\n- d\n> e\n| a | b |\n|---|---|")
def test_no_text_becomes_structure(text: str) -> None:
    """Nothing but code and the lines that were there; and each sign but white space and ticks is shown."""
    rendered = _PARSER.render("- " + inert(text).replace("\n", "\n  "))
    assert _tags(rendered) <= _HARMLESS
    assert re.sub(r"[\s`]", "", _shown(rendered)) == re.sub(r"[\s`]", "", text)


@given(st.text(_SIGNS.replace("\n", ""), max_size=60))
def test_no_text_becomes_structure_between_tags(text: str) -> None:
    """Where only HTML is read, and where Markdown is read as well."""
    made = inert_html(text)
    assert _tags(made) <= {"code"}
    assert re.sub(r"[\s`]", "", _shown(made)) == re.sub(r"[\s`]", "", text)
    assert _tags(_PARSER.render(f"- x {made}")) <= _HARMLESS


@given(st.text(_SIGNS.replace("\n", ""), max_size=60))
def test_a_name_is_shown_as_it_is(text: str) -> None:
    """Sign by sign, so that it can be copied."""
    for rendered in (code_html(text), _PARSER.render(f"- x {code_html(text)}")):
        assert _tags(rendered) <= {"ul", "li", "code"}
        assert html.unescape(rendered.partition("<code>")[2].partition("</code>")[0]) == text


@given(st.text(_SIGNS, max_size=60))
@example("@`1`1")
def test_nobody_is_called_and_nothing_is_referred_to(text: str) -> None:
    """In each piece of text outside code, where services do not look."""
    rendered = _PARSER.render(f"- x {inert(text)}")
    for piece in re.split(r"(?s)<code>.*?</code>", rendered):
        shown = html.unescape(re.sub(r"<[^>]*>", "", piece))
        assert not re.search(r"@\w|[#!&%$~]\d", shown)


def test_what_is_no_sign_is_made_visible() -> None:
    """On every line of a text: signs that move a cursor or turn the direction of writing."""
    assert inert(
        "one \x1b[31m\ntwo \u202e"
    ) == f"one {printable(chr(27))}&#91;31m\ntwo {printable(chr(0x202E))}".replace("\\", "&#92;")


@pytest.mark.parametrize("severity", RuleSeverity)
def test_a_comment_of_hostile_texts_has_no_picture_no_link_and_no_tag(severity: RuleSeverity) -> None:
    """In refusals, notices, verdicts and names."""
    verdict = RuleVerdict(
        rule="rule", severity=severity, address=parse_address("support-desk/agents/front-desk"), message=HOSTILE
    )
    made = plan(
        FRONT_DESK,
        notices=(HOSTILE, f"x\n{HOSTILE}"),
        refusals=(HOSTILE,),
        would_remove=(HOSTILE,),
        verdicts=(verdict,),
    )
    for limit in (65_536, 4_000):
        text = plan_markdown(made, limit=limit)
        rendered = _PARSER.render(text)
        assert not _tags(rendered) & {"a", "img", "script", "em"}
        assert rendered.count("<details") == rendered.count("</details>")
        assert "<script>" not in rendered
    assert not _tags(_PARSER.render(error_markdown("plan", Refused(reasons=(HOSTILE,)), exit_code=5))) & {
        "a",
        "img",
    }


def test_the_exit_code_is_no_part_of_the_last_reason() -> None:
    text = error_markdown("plan", Refused(reasons=("No.",)), exit_code=5)
    assert text.endswith("- ⛔ No.\n\nExit code 5.\n\n")
