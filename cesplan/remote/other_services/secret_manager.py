"""
Secret Manager: the value of one version of a secret.

Only `projects.secrets.versions.access` of v1 is called. The value is verified by its CRC-32C if the service
sends one. Messages never contain any part of it. SECRET_MANAGER_EMULATOR_HOST names an emulator on this
machine, which gets no token. Source: Secret Manager API v1, discovery document.
"""

import base64
import binascii
import time
from collections.abc import Mapping
from functools import cache

from urllib3 import PoolManager

from cesplan.domain.errors import (
    ApiError,
    CesplanError,
    Interrupted,
    NotAuthenticated,
    NotFound,
    PermissionDenied,
    Unavailable,
)
from cesplan.domain.service.endpoint import Endpoint, parse_endpoint
from cesplan.domain.service.secret_source import SecretVersion
from cesplan.domain.text.json_text import decoded
from cesplan.remote.clock import Backoff, Clock, Tries
from cesplan.remote.credentials import WHAT_TO_DO
from cesplan.remote.exchange import Exchange, Log
from cesplan.remote.other_services.request import Login, connections, request
from cesplan.remote.statuses import TRANSIENT, Status, read_status
from cesplan.remote.transport import Answer, NoAnswer, NotSent

SERVICE = Endpoint(scheme="https", host="secretmanager.googleapis.com", port=443)
BACKOFF = Backoff(first=0.5, longest=8.0, tries=5, total=40.0)
MOST_BYTES = 65_536
"""The maximum payload of a version (Secret Manager, quotas and limits)."""

_ROLE = "roles/secretmanager.secretAccessor"
_POLYNOMIAL = 0x82F63B78
"""The reversed polynomial of CRC-32C (Castagnoli; RFC 3720, appendix B.4)."""


def secrets_endpoint(emulator: str = "") -> Endpoint:
    """
    The endpoint of Secret Manager, or of the emulator at `host:port`.

    Raises ValueError for an emulator that is not on this machine.
    """
    if not emulator:
        return SERVICE
    found = parse_endpoint(emulator, scheme="http")
    if not found.is_loopback:
        raise ValueError("it must be a host on this machine, such as 127.0.0.1:9024")
    return found


def access(
    version: SecretVersion,
    *,
    endpoint: Endpoint = SERVICE,
    login: Login | None,
    quota_project: str = "",
    log: Log | None = None,
    clock: Clock | None = None,
    backoff: Backoff = BACKOFF,
) -> bytes:
    """
    The value of a version. `login` is None for an emulator. `log` is called for each request, without the
    value.

    Raises PermissionDenied, NotFound, NotAuthenticated, Unavailable and Interrupted, and ApiError for a version
    that is disabled or destroyed, or for a value whose checksum does not match.
    """
    clock = clock or Clock()
    pool = connections(endpoint)
    tries = Tries(backoff, clock)
    quota = {"x-goog-user-project": quota_project} if quota_project else {}
    try:
        while True:
            headers = {**quota, **(login.headers() if login else {})}
            answer = _asked(version, pool, endpoint, headers, tries.count, log)
            if isinstance(answer, Answer) and 200 <= answer.status < 300:
                return _payload(version, answer)
            why, at_least = _why_again(version, answer, clock)
            delay = None if getattr(answer, "permanent", False) else tries.next_delay(at_least)
            if delay is None:
                times = f", tried {tries.count} times" if tries.count > 1 else ""
                raise Unavailable(
                    summary=f"Could not read {version} from Secret Manager: {why}{times}.", status="UNAVAILABLE"
                )
            if not clock.rest(delay):
                raise Interrupted(summary=f"Interrupted: {version} was not read.")
    finally:
        pool.clear()


def _asked(
    version: SecretVersion,
    pool: PoolManager,
    endpoint: Endpoint,
    headers: Mapping[str, str],
    number: int,
    log: Log | None,
) -> Answer | NotSent | NoAnswer:
    """One request. The log reveals neither the value nor its length."""
    target, began = f"/v1/{version}:access", time.monotonic()
    answer: Answer | NotSent | NoAnswer
    try:
        answer = request(pool, endpoint, "GET", target, headers=headers)
    except (NotSent, NoAnswer) as error:
        answer = error
    if log is not None:
        is_answer = isinstance(answer, Answer)
        log(
            Exchange(
                number=number,
                method="GET",
                target=f"{endpoint}{target}",
                status=answer.status if isinstance(answer, Answer) else 0,
                seconds=time.monotonic() - began,
                note="the response is not shown" if is_answer else str(answer),
            )
        )
    return answer


def _why_again(version: SecretVersion, answer: Answer | NotSent | NoAnswer, clock: Clock) -> tuple[str, float]:
    """
    Why a version was not read yet, and the minimum wait in seconds. Raises the error if a retry cannot help.
    """
    if not isinstance(answer, Answer):
        return str(answer), 0.0
    status = read_status(answer, clock.wall())
    if answer.status not in TRANSIENT:
        raise _refused(version, answer, status)
    return f"it answered {answer.status}", status.retry_after or 0.0


def _payload(version: SecretVersion, answer: Answer) -> bytes:
    try:
        body = decoded(answer.data)
        payload = body["payload"] if isinstance(body, dict) else {}
        data = base64.b64decode(payload["data"], validate=True)
        expected = payload.get("dataCrc32c")
        checksum = None if expected is None else int(expected)
    except (ValueError, KeyError, TypeError, binascii.Error):
        raise _wrong(version, "the response is not a secret") from None
    if len(data) > MOST_BYTES:
        raise _wrong(version, f"it is larger than {MOST_BYTES // 1024} KiB")
    if checksum is not None and checksum != crc32c(data):
        raise _wrong(version, "its checksum (CRC-32C) does not match: it was corrupted in transit")
    return data


def _refused(version: SecretVersion, answer: Answer, status: Status) -> CesplanError:
    first = status.message.strip().partition("\n")[0][:200]
    match answer.status:
        case 401:
            return NotAuthenticated(
                summary=f"Secret Manager rejected the credentials: {first}", detail=WHAT_TO_DO
            )
        case 403 if status.reason == "SERVICE_DISABLED":
            return PermissionDenied(
                summary=f"Secret Manager is not enabled: {first}",
                detail="Enable it in the project whose quota is used:\n\n"
                "    gcloud services enable secretmanager.googleapis.com",
                http_status=403,
                resource=version.secret_name,
            )
        case 403:
            return PermissionDenied(
                summary=f"You may not read {version}.",
                detail=f"The account needs {_ROLE} on the secret:\n\n"
                f"    gcloud secrets add-iam-policy-binding {version.secret} --project {version.project} \\\n"
                f"        --role {_ROLE} --member MEMBER",
                http_status=403,
                resource=version.secret_name,
            )
        case 404:
            return NotFound(
                summary=f"Secret Manager has no {version}.",
                detail="Neither the secret nor a version of this name may exist: "
                f"gcloud secrets versions list {version.secret} --project {version.project}",
                http_status=404,
                resource=version.secret_name,
            )
        case 400 if status.code == "FAILED_PRECONDITION":
            return _wrong(version, f"the version is disabled or destroyed: {first}")
    return _wrong(version, f"Secret Manager answered {answer.status}: {first}")


def _wrong(version: SecretVersion, why: str) -> ApiError:
    return ApiError(summary=f"Could not read {version}: {why}.", resource=version.secret_name)


def crc32c(data: bytes) -> int:
    """The CRC-32C of some kilobytes at most."""
    table = _table()
    found = 0xFFFFFFFF
    for byte in data:
        found = table[(found ^ byte) & 0xFF] ^ (found >> 8)
    return found ^ 0xFFFFFFFF


@cache
def _table() -> tuple[int, ...]:
    values = []
    for number in range(256):
        value = number
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        values.append(value)
    return tuple(values)
