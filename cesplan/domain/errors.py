"""
The errors of cesplan and their exit codes.

    CesplanError
    ├── UsageError               64  the command line makes no sense
    ├── InvalidConfiguration      7  the tree has errors; carries all diagnostics
    ├── NotAuthenticated          6  no usable credentials
    ├── Refused                   5  the guard says no; carries what it refuses and the flags
    ├── StalePlan                 4  live moved since the plan; nothing was written
    ├── FileChanged               4  a file of the tree changed since it was read
    ├── Declined                  1  the person said no
    ├── Interrupted             130  a stop came before it was sent
    └── ApiError                  1  the service answered with an error, or did not answer
        ├── PermissionDenied      6
        ├── Conflict              4  ABORTED: an etag that does not match
        ├── NotFound, AlreadyExists, FailedPrecondition, InvalidRequest, RateLimited, Unavailable
        └── LostResponse          1  sent, but the answer never came: the write may have happened

Exceptions carry fields; the text is made in `__str__` only. Errors of other libraries are translated once, at
the edge, and chained.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.frozen import dataclass

if TYPE_CHECKING:
    from cesplan.domain.change import LiveEdit


@dataclass(kw_only=True, eq=False)
class CesplanError(Exception):
    """The root: `summary` says what is wrong in one line, `detail` why and what to do."""

    summary: str
    detail: str = ""
    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        return f"{self.summary}\n{self.detail}" if self.detail else self.summary


class UsageError(CesplanError):
    exit_code = 64


@dataclass(kw_only=True, eq=False)
class InvalidConfiguration(CesplanError):
    """The tree cannot be used; `diagnostics` holds every finding, warnings included."""

    summary: str = "The configuration has errors."
    diagnostics: tuple[Diagnostic, ...] = ()
    exit_code = 7


class NotAuthenticated(CesplanError):
    exit_code = 6


@dataclass(kw_only=True, eq=False)
class Refused(CesplanError):
    """The guard's answer. Each of the `reasons` is one line with numbers, addresses, and the exact flag."""

    summary: str = "The plan is refused."
    reasons: tuple[str, ...] = ()
    exit_code = 5


class StalePlan(CesplanError):
    exit_code = 4


class FileChanged(CesplanError):
    exit_code = 4


class Declined(CesplanError):
    exit_code = 1


class Interrupted(CesplanError):
    exit_code = 130


@dataclass(kw_only=True, eq=False)
class ApiError(CesplanError):
    """
    An error response from the service (google.rpc.Status), or no response at all.

    `status` is the canonical code (`ABORTED`) and `http_status` the HTTP status code (0: no response). `method`
    and `resource` say what was requested. `retry_after` is in seconds, if the service sent it.
    """

    status: str = "UNKNOWN"
    http_status: int = 0
    method: str = ""
    resource: str = ""
    retry_after: float | None = None


class PermissionDenied(ApiError):
    exit_code = 6


@dataclass(kw_only=True, eq=False)
class Conflict(ApiError):
    """`edit` is the edit that caused the conflict, if the change log shows it."""

    edit: "LiveEdit | None" = None
    exit_code = 4


class NotFound(ApiError):
    pass


class AlreadyExists(ApiError):
    pass


class FailedPrecondition(ApiError):
    pass


class InvalidRequest(ApiError):
    pass


class RateLimited(ApiError):
    pass


class Unavailable(ApiError):
    pass


@dataclass(kw_only=True, eq=False)
class LostResponse(ApiError):
    """
    `accepted`: the service took the write and may still be at work, so an unchanged resource proves nothing.
    """

    accepted: bool = False


class Extra(StrEnum):
    """
    An optional dependency that only some commands need. If it is missing, they name it.

    The keys of `[project.optional-dependencies]` in pyproject.toml, apart from `dev`.
    """

    EMULATOR = "emulator"
    EVALUATION = "evaluation"
    HIGHLIGHT = "highlight"
    MCP = "mcp"
    POLICY = "policy"
    REPORT = "report"

    @property
    def command(self) -> str:
        """The command that installs it."""
        return f"pip install 'cesplan[{self}]'"

    @property
    def advice(self) -> str:
        """The detail of an error: the command, on a line of its own."""
        return f"Install the extra `{self}`:\n\n    {self.command}"
