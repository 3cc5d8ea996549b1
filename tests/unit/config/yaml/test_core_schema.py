"""Scalars by YAML 1.2."""

import math
from typing import Any

import pytest

from cesplan.config.yaml.core_schema import resolve


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("~", None), ("null", None), ("NULL", None), ("nUll", "nUll"),
        ("true", True), ("False", False), ("TRUE", True), ("tRue", "tRue"),
        ("no", "no"), ("yes", "yes"), ("on", "on"), ("off", "off"), ("y", "y"),
        ("0", 0), ("-12", -12), ("+3", 3), ("012", 12), ("0o17", 15), ("0xFF", 255), ("1_000", "1_000"),
        ("0b1", "0b1"), ("12:30:45", "12:30:45"), ("2026-01-01", "2026-01-01"), ("-", "-"), (".", "."),
        ("1.5", 1.5), (".5", 0.5), ("1.", 1.0), ("-1e3", -1000.0), ("1e", "1e"), ("0o8", "0o8"), ("+", "+"),
        (".inf", math.inf), ("-.INF", -math.inf), ("inf", "inf"), ("<<", "<<"), ("=", "="),
    ],
)  # fmt: skip
def test_plain_scalars_follow_the_core_schema(text: str, value: Any) -> None:
    """Only true and false are booleans, numbers have no underscores or sexagesimals, dates are texts."""
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


def test_not_a_number_is_a_number() -> None:
    """`.nan` is a float, which no field takes."""
    assert math.isnan(resolve(".nan"))


def test_a_row_of_digits_without_end_stays_a_text() -> None:
    """Python refuses to read integers of thousands of digits; such a row is not a number here."""
    assert resolve("9" * 5000) == "9" * 5000
