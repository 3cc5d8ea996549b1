"""Which texts must not be seen."""

from cesplan.domain.address import Address, AppKey, Key, KindName
from cesplan.domain.desired import DesiredResource, secrets_of
from cesplan.domain.text.template import values_in
from cesplan.domain.value import Secret, joined, known_secrets, secrets_in

KEY = Secret(("key",), "s3cret")
BEARER = joined(["Bearer ", KEY, "$"])


def test_secrets_are_found_at_any_depth() -> None:
    """In lists, in mappings, and alone."""
    assert [*secrets_in({"a": [KEY, {"b": (BEARER,)}], "c": "s3cret"}, KEY)] == [KEY, BEARER, KEY]


def test_the_parts_of_a_text_that_is_put_together_are_secret_too() -> None:
    """A service that quotes only the key quotes the secret."""
    assert {(item.variables, item.text) for item in known_secrets([BEARER])} == {
        (("key",), "Bearer s3cret$"),
        (("key",), "s3cret"),
    }


def test_an_empty_secret_is_none() -> None:
    """Everything contains the empty text."""
    assert known_secrets(Secret(("key",), "")) == ()


def test_without_secret_variables_no_file_is_looked_at() -> None:
    """Secrets come by variables alone; with them, what files compose and what `$extra` says counts too."""
    address = Address(app=AppKey("shop"), kind=KindName("tools"), key=Key("crm"))
    extra = {"b": joined([KEY, "!"])}
    file = DesiredResource(address=address, body={"a": [BEARER]}, file="crm.yaml", extra=extra)
    assert [item.text for item in secrets_of([KEY], [file])] == ["s3cret", "Bearer s3cret$", "s3cret!"]
    files = iter([file])
    assert secrets_of([], files) == ()
    assert next(files) is file


def test_values_are_read_back_from_a_text() -> None:
    """A variable that is twice has one value; a text that was not made so tells nothing."""
    assert values_in("${a}-$$-${b}-${a}", "x-$-y\nz-x") == {"a": "x", "b": "y\nz"}
    assert values_in("${a}-${a}", "x-y") == {}
    assert values_in("", "") == {}
