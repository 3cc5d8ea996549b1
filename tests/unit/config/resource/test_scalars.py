"""Scalars in the JSON forms of the API."""

from typing import Any

import pytest

from cesplan.config.resource.scalars import Misfit, fit
from cesplan.model.scalars import Scalar


@pytest.mark.parametrize(
    ("scalar", "value", "sent"),
    [
        (Scalar.INT32, 2**31 - 1, 2**31 - 1), (Scalar.INT32, -(2**31), -(2**31)), (Scalar.INT32, 3.0, 3),
        (Scalar.INT64, "9223372036854775807", 2**63 - 1), (Scalar.INT64, 5, 5), (Scalar.DOUBLE, 1, 1),
        (Scalar.DURATION, "3.5s", "3.5s"), (Scalar.DURATION, "-1s", "-1s"), (Scalar.DURATION, "0s", "0s"),
        (Scalar.TIMESTAMP, "2027-01-04T09:00:00+05:30", "2027-01-04T09:00:00+05:30"),
        (Scalar.TIMESTAMP, "2027-01-04T09:00:00.123456789Z", "2027-01-04T09:00:00.123456789Z"),
        (Scalar.BYTES, "aGk=", "aGk="), (Scalar.BYTES, "aGk", "aGk"), (Scalar.BYTES, "_-8=", "_-8="),
        (Scalar.BYTES, "aG\nk=\n", "aGk="), (Scalar.BYTES, "", ""),
    ],
)  # fmt: skip
def test_values_of_the_right_form_are_sent(scalar: Scalar, value: Any, sent: Any) -> None:
    """As they are, but for line breaks in base64 and whole numbers written as such."""
    assert fit(scalar, value) == sent
    assert type(fit(scalar, value)) is type(sent)


@pytest.mark.parametrize(
    ("scalar", "value", "is_type"),
    [
        (Scalar.STRING, 1, True), (Scalar.BOOL, 1, True), (Scalar.BOOL, "true", True),
        (Scalar.INT32, True, True), (Scalar.INT32, "1", True),
        (Scalar.INT32, 2**31, False), (Scalar.INT32, 1.5, False),
        (Scalar.INT64, 2**63, False), (Scalar.INT64, "x", True),
        (Scalar.DOUBLE, "1", True), (Scalar.DOUBLE, True, True),
        (Scalar.DOUBLE, float("inf"), False), (Scalar.FLOAT, float("nan"), False),
        (Scalar.DURATION, 30, True), (Scalar.DURATION, "30", False), (Scalar.DURATION, "1m", False),
        (Scalar.DURATION, "1.0123456789s", False), (Scalar.DURATION, "315576000001s", False),
        (Scalar.TIMESTAMP, "2027-01-04", False), (Scalar.TIMESTAMP, "2027-01-04T09:00:00", False),
        (Scalar.TIMESTAMP, "2027-02-30T09:00:00Z", False), (Scalar.TIMESTAMP, "2027-01-04T25:00:00Z", False),
        (Scalar.BYTES, "a", False), (Scalar.BYTES, "a!==", False), (Scalar.BYTES, 1, True),
    ],
)  # fmt: skip
def test_others_do_not_fit(scalar: Scalar, value: Any, is_type: bool) -> None:
    """A wrong type is distinguished from a wrong form."""
    with pytest.raises(Misfit) as caught:
        fit(scalar, value)
    assert caught.value.is_type is is_type
