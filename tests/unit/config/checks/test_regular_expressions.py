"""The syntax of RE2."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cesplan.config.checks.regular_expressions import Fault, fault_of


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "abc",
        r"\b(?:\d[ -]?){13,19}\b",
        r"(?i)\b(cvv|cvc)\W{0,3}\d{3,4}\b",
        "a(?i)b",
        "(?i:a)(?s-m:b)",
        "(?P<year>[0-9]+)(?<month>x)",
        "[]a]",
        "[^]a-z-]",
        r"[\d\-\]a-]",
        "[[:alpha:]_]",
        "[[:^space:]]+",
        r"\p{Greek}\pL\P{^Latin}",
        r"\Q(*\E+",
        r"\Q(* to the end",
        r"\x41\x{10FFFF}\07\123",
        "a{2}b{2,}c{2,5}?d*?e+?f??",
        "{x}{,3}a{b",
        r"^*$",
        r"\.\_\-\é",
        r"[\x41-\x5A]",
        "(a|b||c)",
        r"\z\A\B",
        "(?)",
    ],
)
def test_what_re2_reads(pattern: str) -> None:
    """The whole of its syntax page, one sign of each kind."""
    assert fault_of(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "offset", "span", "message"),
    [
        ("a(b", 1, 1, "this group is not closed"),
        ("a)b", 1, 1, "this `)` closes nothing"),
        ("[a-", 0, 1, "this `[` is not closed"),
        ("[]", 0, 1, "this `[` is not closed"),
        ("*a", 0, 1, "there is nothing to repeat before this"),
        ("a|+", 2, 1, "there is nothing to repeat before this"),
        ("(?i)*", 4, 1, "there is nothing to repeat before this"),
        ("a**", 2, 1, "there is nothing to repeat before this"),
        ("a{2}{3}", 4, 3, "there is nothing to repeat before this"),
        ("a{5,2}", 1, 5, "the first number is larger than the second"),
        ("[z-a]", 1, 3, "this range runs backwards or ends in a class"),
        (r"[a-\d]", 1, 4, "this range runs backwards or ends in a class"),
        ("a\\", 1, 1, "a lone `\\` at the end"),
        (r"\x4", 0, 2, "`\\x` is not complete"),
        (r"\p{", 0, 2, "`\\p` is not complete"),
        ("(?P<1-2>a)", 0, 4, "the name of this group is not closed by `>`"),
        ("(?P<a>x)(?P<a>y)", 12, 1, "a second group called `a`"),
        ("(?y)", 0, 3, "no group begins like this"),
    ],
)
def test_what_nobody_reads(pattern: str, offset: int, span: int, message: str) -> None:
    """Mistakes in any dialect, at the sign that is wrong."""
    assert fault_of(pattern) == Fault(message=message, offset=offset, span=span)


@pytest.mark.parametrize(
    ("pattern", "offset", "span", "message"),
    [
        ("a(?=b)", 1, 3, "a look ahead, which RE2 does not have"),
        ("a(?!b)", 1, 3, "a look ahead, which RE2 does not have"),
        ("(?<=a)b", 0, 4, "a look behind, which RE2 does not have"),
        ("(?<!a)b", 0, 4, "a look behind, which RE2 does not have"),
        ("(?>a)", 0, 3, "an atomic group, which RE2 does not have"),
        (r"(a)\1", 3, 2, "a reference back to a group, which RE2 does not have"),
        ("(?P<a>x)(?P=a)", 8, 4, "a reference back to a group, which RE2 does not have"),
        ("a++", 2, 1, "a possessive repetition, which RE2 does not have"),
        ("a{1001}", 1, 6, "RE2 repeats at most 1000 times"),
        (r"a\Z", 1, 2, "RE2 does not know `\\Z`"),
        (r"[\b]", 1, 2, "RE2 does not know `\\b`"),
        ("(?#why)a", 0, 3, "a comment, which RE2 does not have"),
        ("(?(1)a|b)", 0, 3, "a condition, which RE2 does not have"),
    ],
)
def test_what_other_engines_know(pattern: str, offset: int, span: int, message: str) -> None:
    """Good expressions elsewhere: told apart from mistakes."""
    assert fault_of(pattern) == Fault(message=message, offset=offset, span=span, foreign=True)


@settings(deadline=None)
@given(st.text(alphabet="a1\\()[]{}|*+?^$-,:<>=!PQEdxpi.é", max_size=25) | st.text(max_size=25))
def test_any_text_gets_an_answer_inside_it(pattern: str) -> None:
    """The reader never stops and never points outside the pattern."""
    fault = fault_of(pattern)

    assert fault is None or 0 <= fault.offset < len(pattern)
