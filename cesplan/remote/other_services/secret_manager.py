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
from functools import cache, partial

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
from cesplan.domain.service.endpoint import Endpoint
from cesplan.domain.service.secret_source import SecretVersion
from cesplan.domain.text.json_text import decoded
from cesplan.remote.clock import Backoff, Clock
from cesplan.remote.credentials import WHAT_TO_DO
from cesplan.remote.exchange import Exchange, Log
from cesplan.remote.other_services.attempts import with_retries
from cesplan.remote.other_services.request import (
    Login,
    connections,
    endpoint_of,
    identity,
    request,
)
from cesplan.remote.statuses import TRANSIENT, Status, read_status
from cesplan.remote.transport import Answer, NoAnswer, NotSent

SERVICE = Endpoint(scheme="https", host="secretmanager.googleapis.com", port=443)
BACKOFF = Backoff(first=0.5, longest=8.0, tries=5, total=40.0)
MOST_BYTES = 65_536
"""The maximum payload of a version (Secret Manager, quotas and limits)."""

_ROLE = "roles/secretmanager.secretAccessor"
_POLYNOMIAL = 0x82F63B78
"""The reversed polynomial of CRC-32C (Castagnoli; RFC 3720, appendix B.4)."""


secrets_endpoint = partial(endpoint_of, SERVICE)


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

    Raises PermissionDenied, NotFound, NotAuthenticated, Unavailable, and Interrupted, and ApiError for a
    version that is disabled or destroyed, or for a value whose checksum does not match.
    """
    clock = clock or Clock()
    pool = connections(endpoint)

    def send(number: int) -> Answer:
        return _requested(version, pool, endpoint, identity(login, quota_project), number, log)

    try:
        found = with_retries(send, clock, backoff)
    finally:
        pool.clear()
    if found.interrupted:
        raise Interrupted(summary=f"Interrupted: {version} was not read.")
    if found.answer is not None and found.status not in TRANSIENT:
        return _payload(version, found.answer, clock)
    times = f", tried {found.count} times" if found.count > 1 else ""
    raise Unavailable(
        summary=f"Could not read {version} from Secret Manager: {found.why}{times}.", status="UNAVAILABLE"
    )


def _requested(
    version: SecretVersion,
    pool: PoolManager,
    endpoint: Endpoint,
    headers: Mapping[str, str],
    number: int,
    log: Log | None,
) -> Answer:
    """One request. The log reveals neither the value nor its length."""
    target, began = f"/v1/{version}:access", time.monotonic()
    status, note = 0, "the response is not shown"
    try:
        answer = request(pool, endpoint, "GET", target, headers=headers)
        status = answer.status
    except (NotSent, NoAnswer) as error:
        note = str(error)
        raise
    finally:
        if log is not None:
            seconds = time.monotonic() - began
            shown = f"{endpoint}{target}"
            log(Exchange(number=number, method="GET", target=shown, status=status, seconds=seconds, note=note))
    return answer


def _payload(version: SecretVersion, answer: Answer, clock: Clock) -> bytes:
    if not 200 <= answer.status < 300:
        raise _refused(version, answer, read_status(answer, clock.wall()))
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
