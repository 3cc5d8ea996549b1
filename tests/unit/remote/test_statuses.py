"""google.rpc.Status, and what is none, into our errors."""

import pytest

from cesplan.domain import errors
from cesplan.domain.field_path import mask_path
from cesplan.model.kinds import kind_of
from cesplan.remote import calls
from cesplan.remote.statuses import CODES, parse_status, read_status, readable, to_error
from cesplan.remote.text_redactor import text_redactor

APP = "projects/acme-dev/locations/us/apps/support-desk"
AGENT = f"{APP}/agents/front-desk"
GET = calls.get(kind_of("agents"), AGENT)


def _error(answer, call=GET):
    return to_error(readable(read_status(answer, wall=0), text_redactor(call)), call)


@pytest.mark.parametrize(
    ("http", "status", "expected"),
    [
        (400, "INVALID_ARGUMENT", errors.InvalidRequest),
        (400, "OUT_OF_RANGE", errors.InvalidRequest),
        (400, "FAILED_PRECONDITION", errors.FailedPrecondition),
        (403, "PERMISSION_DENIED", errors.PermissionDenied),
        (404, "NOT_FOUND", errors.NotFound),
        (409, "ABORTED", errors.Conflict),
        (409, "ALREADY_EXISTS", errors.AlreadyExists),
        (429, "RESOURCE_EXHAUSTED", errors.RateLimited),
        (500, "INTERNAL", errors.ApiError),
        (501, "UNIMPLEMENTED", errors.ApiError),
        (503, "UNAVAILABLE", errors.Unavailable),
    ],
)
def test_each_status_has_its_error(refused, http, status, expected):
    """The class follows from the status, and the fields say what was asked of what."""
    error = _error(refused(http, status, "Because."))
    assert type(error) is expected
    assert (error.status, error.http_status) == (status, http)
    assert (error.method, error.resource) == ("GET", AGENT)


def test_the_summary_is_one_line_with_the_services_words(refused):
    """What was asked, what the service said, and the status; further lines of the message go to the detail."""
    error = _error(refused(400, "INVALID_ARGUMENT", "Bad model.\nUse another."))
    assert error.summary == "Could not get agents/front-desk: Bad model. (INVALID_ARGUMENT)"
    assert error.detail == "Use another."


def test_the_status_name_decides_over_the_http_code(answered):
    """Without a name the number counts, as google.rpc.Code or as HTTP."""
    assert _error(answered(409, {"error": {"code": 409, "message": "x"}})).status == "ABORTED"
    assert _error(answered(400, {"error": {"code": 6, "message": "x"}})).status == "ALREADY_EXISTS"
    assert _error(answered(418, {"error": {"code": 418, "message": "x"}})).status == "UNKNOWN"


def test_violated_fields_and_reason_are_told(refused):
    """Details of BadRequest, PreconditionFailure and ErrorInfo become lines."""
    details = [
        {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [{"field": "agent.instruction", "description": "too long"}],
        },
        {
            "@type": "type.googleapis.com/google.rpc.PreconditionFailure",
            "violations": [{"type": "REF", "subject": "agents/b", "description": "is used"}],
        },
        {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TOO_LONG", "domain": "ces"},
        {"@type": "type.googleapis.com/something.New", "x": 1},
        "no message at all",
    ]
    error = _error(refused(400, "INVALID_ARGUMENT", "Bad.", details))
    assert error.detail.splitlines() == [
        "agent.instruction: too long",
        "agents/b: is used",
        "Reason: TOO_LONG",
    ]


@pytest.mark.parametrize(
    ("kind", "verb", "permission"),
    [
        ("agents", "get", "ces.agents.get"),
        ("versions", "get", "ces.appVersions.get"),
        ("versions", "list", "ces.appVersions.list"),
        ("tools", "create", "ces.tools.create"),
        ("guardrails", "update", "ces.guardrails.update"),
        ("deployments", "delete", "ces.deployments.delete"),
    ],
)
def test_a_403_names_the_permission(refused, kind, verb, permission):
    """IAM permissions are `ces.<collection>.<verb>`, but versions are `appVersions`."""
    row = kind_of(kind)
    made = {
        "get": lambda: calls.get(row, AGENT),
        "list": lambda: calls.list_page(row, APP),
        "create": lambda: calls.create(row, APP, "x", {}),
        "update": lambda: calls.update(row, AGENT, {}, (mask_path("x"),)),
        "delete": lambda: calls.delete(row, AGENT, "", False),
    }
    call = made[verb]()
    error = _error(refused(403, "PERMISSION_DENIED", "The caller does not have permission"), call)
    assert error.exit_code == 6
    assert error.detail == f"The permission {permission} on {call.resource} is required."


def test_a_permission_that_the_service_names_wins(refused):
    """In its message, or in the metadata of ErrorInfo; the name of the API itself is not a permission."""
    said = (
        "Permission 'ces.apps.get' denied on resource '//ces.googleapis.com/projects/p' (or it may not exist)."
    )
    assert "The permission ces.apps.get on" in _error(refused(403, "PERMISSION_DENIED", said)).detail
    info = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "IAM_PERMISSION_DENIED",
        "metadata": {"permission": "ces.apps.list"},
    }
    assert "The permission ces.apps.list on" in _error(refused(403, "PERMISSION_DENIED", "No.", [info])).detail


def test_a_disabled_api_gets_the_command_that_enables_it(refused):
    """SERVICE_DISABLED is a 403 that no permission would cure."""
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SERVICE_DISABLED"}
    detail = _error(refused(403, "PERMISSION_DENIED", "CES API has not been used", [info])).detail
    assert "gcloud services enable ces.googleapis.com" in detail
    assert "permission" not in detail


@pytest.mark.parametrize("said", ["Invalid update_mask path.", "updateMask is wrong", "bad field mask"])
def test_a_refused_nested_mask_names_the_setting(refused, said):
    """Whether the live service takes nested paths is not established; the error says what to set."""
    call = calls.update(kind_of("agents"), AGENT, {}, (mask_path("modelSettings.temperature"),))
    assert "maskDepth: top" in _error(refused(400, "INVALID_ARGUMENT", said), call).detail


def test_a_refused_mask_of_top_level_paths_does_not(refused):
    """Then the setting would change nothing."""
    call = calls.update(kind_of("agents"), AGENT, {}, (mask_path("instruction"),))
    assert "maskDepth" not in _error(refused(400, "INVALID_ARGUMENT", "Invalid update_mask."), call).detail


HTML = b"<html><head><title>502 Bad\n Gateway</title><style>p{}</style></head><body><p>nginx</p></body></html>"


def test_a_page_is_told_by_its_title(answered):
    """Proxies answer with HTML; its title is the message, and the reader learns who spoke."""
    error = _error(answered(502, HTML))
    assert error.summary == "Could not get agents/front-desk: HTTP 502: 502 Bad Gateway (UNAVAILABLE)"
    assert "not from the service" in error.detail


def test_a_text_is_told_by_its_beginning(answered):
    """A body without a title is cut; one without a body leaves the number."""
    assert "HTTP 418: " + "x" * 190 + "… (UNKNOWN)" in _error(answered(418, b"x" * 5000)).summary
    assert "HTTP 418 (UNKNOWN)" in _error(answered(418, b"")).summary


def test_a_page_that_says_404_does_not_prove_that_a_resource_is_gone(answered):
    """NotFound and Conflict are conclusions; only the service itself may make them."""
    assert type(_error(answered(404, b"<title>Not Found</title>"))) is errors.ApiError
    assert type(_error(answered(409, b"busy"))) is errors.ApiError
    assert type(_error(answered(404, {"message": "no route"}))) is errors.ApiError


def test_a_redirect_tells_where_to_without_its_query(answered):
    """Login pages carry tokens in the query."""
    error = _error(answered(302, b"", location="https://login.example/in?token=hunter2"))
    assert "leads to https://login.example/in" in error.summary
    assert "hunter2" not in str(error)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 90.0),
        ("Thu, 01 Jan 1970 00:00:01 GMT", 0.0),
        ("soon", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(answered, header, seconds):
    """RFC 9110 §10.2.3; a date in the past is now, nonsense is nothing."""
    assert read_status(answered(503, b"", retry_after=header), wall=10).retry_after == seconds


def test_retry_info_counts_where_there_is_no_header(refused):
    """google.rpc.RetryInfo carries a duration."""
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.5s"}]
    assert read_status(refused(429, "RESOURCE_EXHAUSTED", "x", details), wall=0).retry_after == 1.5


def test_operations_carry_the_code_as_a_number():
    """google.rpc.Code by its number, as in `operation.error`."""
    assert parse_status({"code": 10, "message": "x"}).code == "ABORTED"
    assert parse_status({"code": 99, "message": "x"}).code == "UNKNOWN"
    assert len(CODES) == 17
