"""Fields that lead to secrets."""

from typing import Any

import pytest

from cesplan.config.checks.secret_fields import check_secret_fields
from cesplan.domain.value import Secret
from tests.unit.config.checks.builders import app, found

SECRET = "s3cr3t-value"


def _bearer(token: Any) -> Any:
    return app(
        toolsets={"s": {"openApiToolset": {"apiAuthentication": {"bearerTokenConfig": {"token": token}}}}}
    )


@pytest.mark.parametrize("token", ["$context.variables.session_token", "", None])
def test_a_token_names_a_variable(token: Any) -> None:
    """The one form that is documented; absent and empty are others' business."""
    assert found(check_secret_fields, _bearer(token)) == []


@pytest.mark.parametrize(
    "token",
    [
        SECRET,
        "$context.variables.",
        f"Bearer $context.variables.{SECRET}",
        Secret(variables=("v",), text=SECRET),
    ],
)
def test_any_other_token_is_refused_and_not_shown(token: Any) -> None:
    """In clear, or from a secret variable: both would be sent as they are."""
    [finding] = check_secret_fields(_bearer(token))

    assert (finding.code, str(finding.path)) == (
        "CES073",
        "openApiToolset.apiAuthentication.bearerTokenConfig.token",
    )
    assert SECRET not in finding.summary + finding.detail + finding.suggestion + str(finding.correction)


def test_every_header_names_a_variable() -> None:
    """Entries of a map are looked at one by one."""
    headers = {"X-A": "$context.variables.a", "X-B": SECRET, "X-C": None}

    assert found(check_secret_fields, app(toolsets={"s": {"mcpToolset": {"customHeaders": headers}}})) == [
        (
            'CES073 toolsets/s mcpToolset.customHeaders["X-B"]: '
            "`customHeaders` must be `$context.variables.<name>`"
        )
    ]
