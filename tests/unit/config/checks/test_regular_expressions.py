"""The syntax of RE2."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cesplan.config.checks.regular_expressions import PatternFault, fault_of


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
        ("a)b", 1, 1, "this `)` has no matching `(`"),
        ("[a-", 0, 1, "this `[` is not closed"),
        ("[]", 0, 1, "this `[` is not closed"),
        ("*a", 0, 1, "there is nothing to repeat"),
        ("a|+", 2, 1, "there is nothing to repeat"),
        ("(?i)*", 4, 1, "there is nothing to repeat"),
        ("a**", 2, 1, "there is nothing to repeat"),
        ("a{2}{3}", 4, 3, "there is nothing to repeat"),
        ("a{5,2}", 1, 5, "the first number is larger than the second"),
        ("[z-a]", 1, 3, "this range is reversed or ends in a class"),
        (r"[a-\d]", 1, 4, "this range is reversed or ends in a class"),
        ("a\\", 1, 1, "a trailing `\\`"),
        (r"\x4", 0, 2, "`\\x` is not complete"),
        (r"\p{", 0, 2, "`\\p` is not complete"),
        ("(?P<1-2>a)", 0, 4, "the group name has no closing `>`"),
        ("(?P<a>x)(?P<a>y)", 12, 1, "duplicate group name `a`"),
        ("(?y)", 0, 3, "invalid group syntax"),
    ],
)
def test_what_nobody_reads(pattern: str, offset: int, span: int, message: str) -> None:
    """Mistakes in any dialect, at the sign that is wrong."""
    assert fault_of(pattern) == PatternFault(message=message, offset=offset, span=span)


@pytest.mark.parametrize(
    ("pattern", "offset", "span", "message"),
    [
        ("a(?=b)", 1, 3, "a lookahead, which RE2 does not support"),
        ("a(?!b)", 1, 3, "a negative lookahead, which RE2 does not support"),
        ("(?<=a)b", 0, 4, "a lookbehind, which RE2 does not support"),
        ("(?<!a)b", 0, 4, "a negative lookbehind, which RE2 does not support"),
        ("(?>a)", 0, 3, "an atomic group, which RE2 does not support"),
        (r"(a)\1", 3, 2, "a backreference, which RE2 does not support"),
        ("(?P<a>x)(?P=a)", 8, 4, "a backreference, which RE2 does not support"),
        ("a++", 2, 1, "a possessive quantifier, which RE2 does not support"),
        ("a{1001}", 1, 6, "RE2 allows at most 1000 repetitions"),
        (r"a\Z", 1, 2, "RE2 does not support `\\Z`"),
        (r"[\b]", 1, 2, "RE2 does not support `\\b`"),
        ("(?#why)a", 0, 3, "a comment, which RE2 does not support"),
        ("(?(1)a|b)", 0, 3, "a condition, which RE2 does not support"),
    ],
)
def test_what_other_engines_know(pattern: str, offset: int, span: int, message: str) -> None:
    """Good expressions elsewhere: distinguished from mistakes."""
    assert fault_of(pattern) == PatternFault(message=message, offset=offset, span=span, foreign=True)


@settings(deadline=None)
@given(st.text(alphabet="a1\\()[]{}|*+?^$-,:<>=!PQEdxpi.é", max_size=25) | st.text(max_size=25))
def test_any_text_gets_an_answer_inside_it(pattern: str) -> None:
    """The reader never stops and never points outside the pattern."""
    fault = fault_of(pattern)

    assert fault is None or 0 <= fault.offset < len(pattern)
