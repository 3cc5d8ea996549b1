"""
Errors of requests, in the form of google.rpc.Status.

Any code below the HTTP layer raises `Refused`, and the HTTP layer converts it to a response. The pairs of code
name and HTTP status are those of google.rpc.Code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# The HTTP status, and the number of google.rpc.Code, as in the `error` of an operation.
_CODES = {
    "INVALID_ARGUMENT": (400, 3),
    "FAILED_PRECONDITION": (400, 9),
    "OUT_OF_RANGE": (400, 11),
    "UNAUTHENTICATED": (401, 16),
    "PERMISSION_DENIED": (403, 7),
    "NOT_FOUND": (404, 5),
    "ABORTED": (409, 10),
    "ALREADY_EXISTS": (409, 6),
    "RESOURCE_EXHAUSTED": (429, 8),
    "CANCELLED": (499, 1),
    "INTERNAL": (500, 13),
    "UNIMPLEMENTED": (501, 12),
    "UNAVAILABLE": (503, 14),
    "DEADLINE_EXCEEDED": (504, 4),
}
HTTP_STATUS = {code: status for code, (status, _) in _CODES.items()}
NUMBERS = {code: number for code, (_, number) in _CODES.items()}

# The most violations in a response: a hostile body can have millions of faults.
MOST_VIOLATIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One fault of a request: the field path in JSON names, and a description."""

    field: str
    description: str


class Refused(Exception):
    """
    A request fails with an error. `code` is a name in google.rpc.Code. `details` are google.rpc messages
    besides the violations, as JSON with `@type`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        violations: Sequence[Violation] = (),
        details: Sequence[dict[str, Any]] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.violations = tuple(violations)
        self.details = tuple(details)

    @property
    def http_status(self) -> int:
        return HTTP_STATUS[self.code]

    def body(self) -> dict[str, Any]:
        """Return the JSON body of the response."""
        error: dict[str, Any] = {
            "code": self.http_status,
            "message": self.message,
            "status": self.code,
        }
        if self.violations:
            fields = [{"field": v.field, "description": v.description} for v in self.violations]
            kind = "type.googleapis.com/google.rpc.BadRequest"
            error["details"] = [{"@type": kind, "fieldViolations": fields}]
        if self.details:
            error["details"] = [*error.get("details", []), *self.details]
        return {"error": error}


def invalid(field: str, description: str) -> Refused:
    """Return the error for one invalid argument."""
    violation = Violation(field=field, description=description)
    return Refused("INVALID_ARGUMENT", f"{field}: {description}", [violation])


def invalid_all(violations: Sequence[Violation]) -> Refused:
    """Return the error for a request with several faults, all of which are listed, up to a limit."""
    violations = violations[:MOST_VIOLATIONS]
    text = "; ".join(f"{v.field}: {v.description}" for v in violations)
    return Refused("INVALID_ARGUMENT", text, violations)


def not_found(name: str) -> Refused:
    """Return the error for a name that does not exist."""
    return Refused("NOT_FOUND", f"Resource '{name}' was not found.")
