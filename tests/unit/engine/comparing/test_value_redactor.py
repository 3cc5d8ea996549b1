"""A secret that live returns in clear never reaches a plan in clear."""

from cesplan.domain.value import Secret, mask_secrets
from cesplan.engine.comparing.value_redactor import ValueRedactor
from tests.unit.engine.builders import desired, live, planned

KEY = Secret(("crmKey",), "tok-1234567")


def test_texts_that_are_or_hold_a_known_secret_become_secrets() -> None:
    found = ValueRedactor([KEY]).redact({"a": ["tok-1234567", "Bearer tok-1234567", "other"]})
    assert mask_secrets(found) == {"a": ["(secret crmKey)", "(secret crmKey)", "other"]}


def test_how_a_text_is_made_of_secrets_is_known_but_where_they_overlap() -> None:
    """A plan file holds the template; what is left beside an overlap would be a part of a secret."""
    redactor = ValueRedactor([KEY, Secret(("crmKey",), "Bearer tok-1234567", "Bearer ${crmKey}")])

    def template(text: str) -> str:
        found = redactor.redact(text)
        assert isinstance(found, Secret)
        return found.recipe

    assert template("tok-1234567") == "${crmKey}"
    assert template("X Bearer tok-1234567 ${y}") == "X Bearer ${crmKey} $${y}"
    assert template("tok-1234567, tok-1234567") == "${crmKey}, ${crmKey}"
    twins = ValueRedactor([Secret(("a",), "abcabc"), Secret(("b",), "bcabcd")]).redact("abcabcd")
    assert (twins.variables, twins.recipe) == (("a", "b"), "")


def test_a_short_secret_matches_whole_texts_only() -> None:
    redactor = ValueRedactor([Secret(("pin",), "12")])
    assert mask_secrets(redactor.redact(["12", "1234"])) == ["(secret pin)", "1234"]


def test_a_header_that_is_renamed_does_not_show_its_old_value() -> None:
    def body(header: str, value: object) -> dict[str, object]:
        return {"mcpToolset": {"serverAddress": "https://x", "customHeaders": {header: value}}}

    tree = desired({"toolsets/shop-mcp": body("X-New", KEY)})
    plan = planned(tree, live({"toolsets/shop-mcp": body("X-Old", "tok-1234567")}))
    (operation,) = plan.shown
    assert "tok-1234567" not in repr((operation.changes, operation.before, operation.after))
    assert "tok-1234567" not in str([mask_secrets(step.body) for step in operation.steps])
