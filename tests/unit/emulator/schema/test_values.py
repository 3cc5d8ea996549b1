"""Scalars: one stored spelling for every accepted one, and a refusal for the rest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.emulator.contract import load
from cesplan.emulator.schema import values


@pytest.mark.parametrize(
    ("type_name", "sent", "stored"),
    [
        ("int32", 7, 7),
        ("int32", "7", 7),
        ("int32", 7.0, 7),
        ("int32", -(2**31), -(2**31)),
        ("int64", 2**63 - 1, "9223372036854775807"),
        ("double", 1, 1),
        ("double", "1.5", 1.5),
        ("double", "NaN", "NaN"),
        ("float", 0.1, 0.1),
        ("float", 16777217.0, 16777216.0),
        ("float", 16777217, 16777216.0),
        ("bytes", "", ""),
        ("bytes", "AQI", "AQI="),
        ("google.protobuf.Duration", "-0s", "0s"),
        ("google.protobuf.Duration", "1.000000100s", "1.000000100s"),
        ("google.protobuf.Timestamp", "2026-01-01t00:00:00z", "2026-01-01T00:00:00Z"),
        ("google.protobuf.Timestamp", "2026-01-01T01:00:00.120000+01:00", "2026-01-01T00:00:00.120Z"),
        ("google.protobuf.Timestamp", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ("google.protobuf.Value", [1, None, {"a": 2}], [1.0, None, {"a": 2.0}]),
    ],
)
def test_accepted(type_name, sent, stored):
    """What ProtoJSON accepts is stored in one spelling."""
    found = values.SCALARS[type_name](sent)
    assert (found, type(found)) == (stored, type(stored))


@pytest.mark.parametrize(
    ("type_name", "sent"),
    [
        ("string", 1),
        ("bool", 1),
        ("bool", "true"),
        ("int32", 2**31),
        ("int32", 1.5),
        ("int32", True),
        ("int32", "one"),
        ("int32", "1_0"),
        ("int64", 2**63),
        ("int64", "1e999999999"),
        ("double", "1e999"),
        ("double", 10**400),
        ("google.protobuf.Value", 10**400),
        ("double", "1,5"),
        ("double", True),
        ("float", 1e300),
        ("bytes", "§"),
        ("bytes", "A"),
        ("google.protobuf.Duration", "400000000000s"),
        ("google.protobuf.Duration", "٣s"),
        ("google.protobuf.Timestamp", "2026-01-01"),
        ("google.protobuf.Timestamp", "2026-13-01T00:00:00Z"),
        ("google.protobuf.Timestamp", "2026-01-01T00:00:00"),
        ("google.protobuf.Timestamp", "0001-01-01T00:00:00+01:00"),
        ("google.protobuf.Struct", []),
    ],
)
def test_refused(type_name, sent):
    """What ProtoJSON refuses raises ValueError with what was expected."""
    with pytest.raises(ValueError, match="expected"):
        values.SCALARS[type_name](sent)


def test_every_type_of_the_contract_is_known():
    """A field's type is a message or an enum of the contract, a map, or one of these."""
    known = {"map", *load().messages, *load().enums, *values.SCALARS}
    used = {kind for fields in load().messages.values() for f in fields.values() for kind in (f.type, f.value)}
    assert used - known == {""}


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float_survives_its_own_spelling(number):
    """The stored spelling of a 32-bit number is the same 32-bit number, and its own spelling."""
    stored = values.single(number)
    assert values.single(stored) == stored
    assert float(stored) == pytest.approx(number, rel=1e-6)
