"""
The only translation of error responses to our errors.

The service returns google.rpc.Status as JSON (AIP-193): code, message, status, and typed details. Of the
details, the reason, the violated fields, and the delay are kept. Proxies and front ends may return anything.
The message of the service is kept, and advice is added if there is any.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from email.utils import parsedate_to_datetime
from typing import Any

from cesplan.domain import errors
from cesplan.domain.errors import ApiError
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.json_text import decoded
from cesplan.remote.calls import Call, Verb
from cesplan.remote.transport import Answer

CODES = (
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
    "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
)  # fmt: skip
"""google.rpc.Code by number."""

TRANSIENT = frozenset({408, 429, 500, 502, 503, 504})
"""HTTP statuses after which a read is retried."""

_STATUS_OF_HTTP = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    412: "FAILED_PRECONDITION",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    502: "UNAVAILABLE",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}

_CLASSES: Mapping[str, type[ApiError]] = {
    "ABORTED": errors.Conflict,
    "ALREADY_EXISTS": errors.AlreadyExists,
    "FAILED_PRECONDITION": errors.FailedPrecondition,
    "INVALID_ARGUMENT": errors.InvalidRequest,
    "NOT_FOUND": errors.NotFound,
    "OUT_OF_RANGE": errors.InvalidRequest,
    "PERMISSION_DENIED": errors.PermissionDenied,
    "RESOURCE_EXHAUSTED": errors.RateLimited,
    "UNAVAILABLE": errors.Unavailable,
}

_TRUSTED_FROM_ANYONE = frozenset({"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "UNAVAILABLE"})
"""
Codes that count even without a genuine Status.

NOT_FOUND does not: an HTML page with 404 does not prove that a resource is gone.
"""

NOT_THE_SERVICE = "This response is not from the service. Check the endpoint, and any proxy in between."
_HINTS = {
    "SERVICE_DISABLED": (
        "The API is not enabled in this project:\n\n    gcloud services enable ces.googleapis.com"
    ),
    "USER_PROJECT_DENIED": "The quota project needs the role roles/serviceusage.serviceUsageConsumer.",
    "ACCESS_TOKEN_SCOPE_INSUFFICIENT": (
        "The credentials lack the scope cloud-platform:\n\n    gcloud auth application-default login"
    ),
}
"""Advice by the reason of a google.rpc.ErrorInfo."""

_PERMISSION = re.compile(r"\bces\.(?!googleapis\b)\w+\.\w+")
_LONGEST_FOREIGN_TEXT = 200
_READ_OF_FOREIGN_TEXT = 8192
"""In bytes. The title of a page is at its beginning. A longer text without a title is left out."""

_LONGEST_MESSAGE = 10_000
_LONGEST_LINE = 1_000
_MOST_LINES = 50
"""The most characters of a message to show. It is cut after redaction, and the output says so."""

_LONGEST_READ = 256 * 1024
"""A longer text is omitted entirely: if it were cut, half a secret at the end would not be recognized."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """
    A google.rpc.Status. `code` is the canonical name. `reason` is from ErrorInfo. `violations` are lines such
    as `field: description`. `retry_after` is in seconds. `genuine` is false if the response was not a Status,
    so that `code` is only derived from the HTTP status.
    """

    code: str
    message: str
    http_status: int = 0
    reason: str = ""
    permission: str = ""
    violations: tuple[str, ...] = ()
    retry_after: float | None = None
    genuine: bool = True


def read_status(answer: Answer, wall: float) -> Status:
    """The status in an error response. `wall` is the time in seconds since the epoch, for Retry-After dates."""
    raw = _raw_status(answer.data)
    delay = _retry_after(answer.headers.get("retry-after", ""), wall)
    if raw is None:
        message = _foreign_text(answer)
        code = _STATUS_OF_HTTP.get(answer.status, "UNKNOWN")
        return Status(code=code, message=message, http_status=answer.status, retry_after=delay, genuine=False)
    return parse_status(raw, answer.status, delay)


def parse_status(raw: Mapping[str, Any], http_status: int = 0, retry_after: float | None = None) -> Status:
    """The status in the JSON of a response or an operation, whose code may be a name or a number."""
    details = _Details.read(raw.get("details"))
    return Status(
        code=_code(raw, http_status),
        message=_message(raw.get("message")) or "the service returned no message",
        http_status=http_status,
        reason=details.reason,
        permission=details.permission,
        violations=tuple(details.violations),
        retry_after=details.retry_after if retry_after is None else retry_after,
    )


def readable(status: Status, redact: Callable[[str], str]) -> Status:
    """A status that is safe to show: redacted first, and then cut to a readable length."""
    longest = _LONGEST_MESSAGE if status.genuine else _LONGEST_FOREIGN_TEXT
    return replace(
        status,
        message=_cut(redact(status.message), longest),
        reason=redact(status.reason)[:_LONGEST_LINE],
        permission=redact(status.permission)[:_LONGEST_LINE],
        violations=tuple(redact(line)[:_LONGEST_LINE] for line in status.violations),
    )


def to_error(status: Status, call: Call) -> ApiError:
    """The error for a call that failed with a status."""
    known = status.genuine or status.code in _TRUSTED_FROM_ANYONE
    error_type = _CLASSES.get(status.code, ApiError) if known else ApiError
    return error_type(
        summary=_summary(status, call),
        detail="\n".join(_details(status, call)),
        status=status.code,
        http_status=status.http_status,
        method=call.method,
        resource=call.resource,
        retry_after=status.retry_after,
    )


def _summary(status: Status, call: Call) -> str:
    first = status.message.strip().partition("\n")[0]
    if status.code == "PERMISSION_DENIED":
        return f"Not permitted to {call.what}: {first}"
    return f"Could not {call.what}: {first} ({status.code})"


def _details(status: Status, call: Call) -> list[str]:
    lines = [line for line in status.message.strip().splitlines()[1:] if line.strip()]
    lines += [line for line in status.violations if line not in status.message]
    if status.reason:
        lines.append(f"Reason: {status.reason}")
    if status.code == "PERMISSION_DENIED":
        lines += _permission_lines(status, call)
    if hint := _HINTS.get(status.reason):
        lines.append(hint)
    if _refuses_nested_mask(status, call):
        lines.append(
            "The service may not support nested paths in a mask: set `maskDepth: top` in cesplan.yaml."
        )
    if not status.genuine:
        lines.append(NOT_THE_SERVICE)
    return lines


def _permission_lines(status: Status, call: Call) -> list[str]:
    if status.reason in _HINTS or not status.genuine:
        return []
    named = status.permission or "".join(_PERMISSION.findall(status.message)[:1])
    if not named and call.kind is not None:
        named = f"{call.kind.permissions}.{call.verb}"
    return [f"The permission {named} on {call.resource} is required."] if named else []


def _refuses_nested_mask(status: Status, call: Call) -> bool:
    if status.code != "INVALID_ARGUMENT" or call.verb is not Verb.UPDATE:
        return False
    text = " ".join([status.message, *status.violations]).lower().replace("_", "").replace(" ", "")
    return "." in call.query.get("updateMask", "") and ("updatemask" in text or "fieldmask" in text)


def _raw_status(data: bytes) -> Mapping[str, Any] | None:
    try:
        parsed = decoded(data)
    except ValueError:
        return None
    if isinstance(parsed, list) and parsed:
        parsed = parsed[0]
    error = parsed.get("error") if isinstance(parsed, dict) else None
    return error if isinstance(error, dict) and ("code" in error or "status" in error) else None


def _text(value: object) -> str:
    """A text of a status; empty if it is not a text or is too long."""
    return value if isinstance(value, str) and len(value) <= _LONGEST_READ else ""


def _message(value: object) -> str:
    if isinstance(value, str) and len(value) > _LONGEST_READ:
        return f"The message has {len(value)} characters and is omitted."
    return _text(value)


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    return f"{text[:longest]}…\n(The message has {len(text)} characters; the rest is omitted.)"


def _code(raw: Mapping[str, Any], http_status: int) -> str:
    if isinstance(name := raw.get("status"), str) and name in CODES:
        return name
    number = raw.get("code")
    if isinstance(number, int) and 0 <= number < len(CODES):
        return CODES[number]
    return _STATUS_OF_HTTP.get(http_status, "UNKNOWN")


@dataclass(slots=True)
class _Details:
    """The typed details of a Status that are kept."""

    reason: str = ""
    permission: str = ""
    violations: list[str] = field(default_factory=list)
    retry_after: float | None = None

    @classmethod
    def read(cls, raw: object) -> "_Details":
        found = cls()
        for item in raw if isinstance(raw, list) else ():
            if isinstance(item, dict):
                found._take(item)
        return found

    def _take(self, item: Mapping[str, Any]) -> None:
        match _text(item.get("@type")).rpartition(".")[2]:
            case "ErrorInfo":
                metadata = item.get("metadata")
                self.reason = _text(item.get("reason"))
                named = metadata.get("permission", "") if isinstance(metadata, dict) else ""
                self.permission = _text(named)
            case "BadRequest":
                self.violations += _violations(item.get("fieldViolations"), "field")
            case "PreconditionFailure":
                self.violations += _violations(item.get("violations"), "subject")
            case "QuotaFailure":
                self.violations += _violations(item.get("violations"), "subject")
            case "RetryInfo":
                self.retry_after = _seconds(_text(item.get("retryDelay")))


def _violations(raw: object, subject: str) -> list[str]:
    items = [item for item in raw if isinstance(item, dict)] if isinstance(raw, list) else []
    pairs = [[_text(item.get(name)) for name in (subject, "description")] for item in items[:_MOST_LINES]]
    return [": ".join(filter(None, texts)) for texts in pairs]


def _seconds(text: str) -> float | None:
    """A google.protobuf.Duration in JSON, `1.5s`, in seconds."""
    try:
        return max(0.0, float(text.removesuffix("s")))
    except ValueError:
        return None


def _retry_after(text: str, wall: float) -> float | None:
    """The Retry-After header (RFC 9110 §10.2.3) in seconds: a number, or a date."""
    if not text:
        return None
    if text.strip().isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - wall)
    except (ValueError, TypeError, IndexError, OverflowError):  # raised by its parser for an invalid date
        return None


def _foreign_text(answer: Answer) -> str:
    """A line about a response that is not a Status: the title of a page, or its text."""
    text = answer.data[:_READ_OF_FOREIGN_TEXT].decode("utf-8", "replace")
    title = re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
    whole = text if len(answer.data) <= _READ_OF_FOREIGN_TEXT else ""
    words = " ".join((title.group(1) if title else re.sub(r"<[^>]*>", " ", whole)).split())
    # Without the query, which may contain secrets.
    location = answer.headers.get("location", "").partition("?")[0]
    where = f", leads to {location}" if location else ""
    return f"HTTP {answer.status}{where}: {words}" if words else f"HTTP {answer.status}{where}"
