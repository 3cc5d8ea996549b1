"""Regular expressions of content filters."""

from cesplan.config.checks.content_filters import check_content_filters
from tests.unit.config.checks.builders import app, found


def test_banned_contents_are_expressions_where_the_match_type_says_so() -> None:
    """All three lists; mistakes and foreign dialects have codes of their own."""
    content = {
        "matchType": "REGEXP_MATCH",
        "bannedContents": [r"\d{4}", "(open", None],
        "bannedContentsInUserInput": [r"(?<!a)b"],
        "bannedContentsInAgentResponse": ["a**"],
    }

    assert found(check_content_filters, app(guardrails={"g": {"contentFilter": content}})) == [
        (
            "CES060 guardrails/g contentFilter.bannedContents[1]: "
            "invalid regular expression: this group is not closed, at character 1: `(`"
        ),
        (
            "CES061 guardrails/g contentFilter.bannedContentsInUserInput[0]: "
            "unsupported regular expression: a negative lookbehind, which RE2 does not support, "
            "at character 1: `(?<!`"
        ),
        (
            "CES060 guardrails/g contentFilter.bannedContentsInAgentResponse[0]: "
            "invalid regular expression: there is nothing to repeat, at character 3: `*`"
        ),
    ]


def test_other_match_types_take_any_text() -> None:
    """A plain text may hold any sign."""
    content = {"matchType": "SIMPLE_STRING_MATCH", "bannedContents": ["(open", "a**"]}

    assert found(check_content_filters, app(guardrails={"g": {"contentFilter": content}})) == []
