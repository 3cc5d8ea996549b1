"""Instructions: sections, mentions and size."""

import pytest

from cesplan.features.typed_diffs.instructions import instruction_diff

PROMPT = """You greet callers.

<role>
A friendly clerk.
</role>

# Refunds

Use {@TOOL: refund} for {customer_tier}.

## Limits
At most 100.
"""


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        (PROMPT.replace("friendly", "kind"), "in <role>; about 33 → 32 tokens"),
        (PROMPT.replace("100", "200"), "in “Limits”; about 33 → 33 tokens"),
        (PROMPT.replace("callers", "all callers"), "in text outside any section; about 33 → 34 tokens"),
        (PROMPT.replace("\n\n", "\n\n\n"), "only white space changed; about 33 → 34 tokens"),
        (
            PROMPT.replace("{@TOOL: refund}", "{@AGENT: A}"),
            "in “Refunds”; no longer mentions {@TOOL: refund}, now mentions {@AGENT: A}; about 33 → 32 tokens",
        ),
        (
            PROMPT.replace(" for {customer_tier}", ""),
            "in “Refunds”; no longer mentions {customer_tier}; about 33 → 28 tokens",
        ),
    ],
)
def test_the_verdict_names_sections_mentions_and_size(after: str, verdict: str) -> None:
    assert instruction_diff(PROMPT, after).verdict == verdict


def test_of_many_mentions_the_rest_is_counted() -> None:
    now = "now mentions {@AGENT: A}, now mentions {@AGENT: B}"
    found = [
        instruction_diff("", "{@AGENT: A} {@AGENT: B} {@AGENT: C}" + more) for more in ("", " {@AGENT: D}")
    ]
    assert [item.verdict.partition("; about")[0] for item in found] == [
        f"{now}, and 1 more mention",
        f"{now}, and 2 more mentions",
    ]


def test_a_section_that_comes_or_goes_is_named() -> None:
    found = instruction_diff(PROMPT, PROMPT.replace("## Limits\nAt most 100.\n", "# Tone\nBe brief.\n"))
    assert [item.text for item in found.details] == ["“Limits” removed", "“Tone” added"]


def test_headings_in_code_and_tags_that_never_close_are_text() -> None:
    """Fenced code is an example; `a < b > c` is no tag."""
    before = "```\n# not a heading\n```\nif a <b> c\n# Heading\ntext"
    assert (
        instruction_diff(before, before.replace("c\n", "d\n")).details[0].text
        == "text outside any section changed"
    )


def test_a_prompt_without_sections_has_only_its_size() -> None:
    found = instruction_diff("Greet callers.", "Greet all callers.")
    assert (found.verdict, found.details) == ("about 4 → 5 tokens", ())


def test_hostile_prompts_end_soon() -> None:
    """Thousands of tags, open or closed, and of braces."""
    for text in ("<a>" * 20_000, "<a>\n" * 20_000 + "</a>\n" * 20_000, "{" * 50_000, "# \n" * 50_000):
        assert "tokens" in instruction_diff(text, f"{text} x").verdict
