"""No secret in an error, although the service quotes what it refuses."""

import pytest

from cesplan.domain.errors import InvalidRequest
from cesplan.domain.value import Secret
from cesplan.model.kinds import kind_of
from cesplan.remote import calls
from cesplan.remote.statuses import Status, readable, to_error
from cesplan.remote.text_redactor import redacted, text_redactor

APP = "projects/p/locations/us/apps/a"


def _redacted(kind, body, text):
    error = InvalidRequest(summary=f"bad value: {text}", detail=f"pin: {text}")
    return redacted(error, calls.create(kind_of(kind), APP, "x", body))


def test_input_only_fields_are_secret():
    """The PIN of a WhatsApp connection never comes back, not even in an error."""
    body = {"displayName": "web", "whatsappCredentials": {"pin": "123456", "authCode": "12345678"}}
    error = _redacted("deployments", body, "12345678 and 123456")
    assert error.summary == "bad value: (secret) and (secret)"
    assert error.detail == "pin: (secret) and (secret)"


def test_secrets_that_are_still_wrapped_are_secret_anywhere():
    """Wherever a secret variable is used."""
    body = {"metadata": {"crm": Secret(variables=("crmKey",), text="hunter2")}, "displayName": "A"}
    assert _redacted("apps", body, "hunter2").summary == "bad value: (secret)"


@pytest.mark.parametrize(
    ("value", "shown"), [("ya29.token", "(secret)"), ("$context.variables.token", "$context.variables.token")]
)
def test_fields_that_would_be_secret_if_misused(value, shown):
    """A token in clear is taken out; the name of a variable stays, for it is what the person must see."""
    body = {"mcpToolset": {"apiAuthentication": {"bearerTokenConfig": {"token": value}}}}
    assert _redacted("toolsets", body, value).summary == f"bad value: {shown}"


def test_secrets_inside_maps():
    """Every header of an MCP server counts."""
    body = {"mcpToolset": {"customHeaders": {"x-key": "hunter2"}}}
    assert _redacted("toolsets", body, "hunter2").summary == "bad value: (secret)"


def test_other_values_stay():
    """What is not a secret helps to find the mistake."""
    error = _redacted("agents", {"displayName": "Front desk", "unknownYet": {"a": 1}}, "Front desk")
    assert error.summary == "bad value: Front desk"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("apps", {"guardrails": [Secret(variables=("v",), text="hunter2")]}),
        ("deployments", {"whatsappCredentials": ["hunter2"]}),
        ("toolsets", {"mcpToolset": "no message", "displayName": Secret(variables=("v",), text="hunter2")}),
    ],
)
def test_bodies_of_the_wrong_shape_are_redacted_too(kind, body):
    """It is such bodies that the service refuses."""
    assert _redacted(kind, body, "hunter2").summary == "bad value: (secret)"


def test_a_secret_at_the_place_where_a_message_is_cut_is_taken_out_before():
    """Half a secret is not recognized: texts are redacted whole, and shortened then."""
    secret = "correct-horse-battery"
    call = calls.get(kind_of("agents"), f"{APP}/agents/front")
    status = Status(code="INVALID_ARGUMENT", message="x" * 9_990 + secret, violations=("y" * 990 + secret,))
    error = to_error(readable(status, text_redactor(call, {secret})), call)
    assert secret[:6] not in error.summary + error.detail
