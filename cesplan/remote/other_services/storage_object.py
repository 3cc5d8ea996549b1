"""
An object in Cloud Storage that is read as a whole, and replaced only if it has not changed since.

The JSON API's `ifGenerationMatch` makes a write fail with 412 if another write came first. Generation 0 means
that the object does not exist. STORAGE_EMULATOR_HOST names an emulator on this machine, which gets no token.
Source: Cloud Storage, "Request preconditions" and "Objects: insert, get".
"""

import re
from functools import partial
from urllib.parse import quote

from cesplan.domain.errors import ApiError, CesplanError, Interrupted, PermissionDenied, Unavailable
from cesplan.domain.frozen import dataclass
from cesplan.domain.service.endpoint import Endpoint
from cesplan.remote.clock import Backoff, Clock
from cesplan.remote.other_services.attempts import Attempts, with_retries
from cesplan.remote.other_services.request import (
    Login,
    connections,
    endpoint_of,
    identity,
    request,
)
from cesplan.remote.transport import Answer

STORAGE = Endpoint(scheme="https", host="storage.googleapis.com", port=443)
BACKOFF = Backoff(first=0.5, longest=8.0, tries=5, total=40.0)

_ADDRESS = re.compile(
    r"gs://(?P<bucket>[a-z0-9][a-z0-9._-]{1,220}[a-z0-9])/(?P<name>[^\x00-\x1f\x7f#\[\]*?]{1,1000})"
)
"""Bucket names in their documented format, and object names without what Google advises against."""


class GenerationMoved(Exception):
    """The object has changed since it was read. Nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectName:
    """A bucket and the name of an object in it."""

    bucket: str
    name: str

    def __str__(self) -> str:
        return f"gs://{self.bucket}/{self.name}"


def parse_object_name(text: str) -> ObjectName:
    """Parse `gs://bucket/name`. Raises ValueError for any other text."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise ValueError("write gs://BUCKET/OBJECT")
    return ObjectName(bucket=found["bucket"], name=found["name"])


storage_endpoint = partial(endpoint_of, STORAGE)


class StorageObject:
    """`login` is None for an emulator."""

    def __init__(
        self,
        name: ObjectName,
        *,
        endpoint: Endpoint = STORAGE,
        login: Login | None,
        quota_project: str = "",
        clock: Clock,
        backoff: Backoff = BACKOFF,
    ) -> None:
        self._name = name
        self._endpoint = endpoint
        self._login = login
        self._quota_project = quota_project
        self._clock = clock
        self._backoff = backoff
        self._pool = connections(endpoint)

    def read(self) -> tuple[str | None, str]:
        """The text and its generation; None and `0` if the object does not exist. Raises CesplanError."""
        found = self._call("GET", f"{self._path}?alt=media", "read")
        if found.status == 404:
            return None, "0"
        answer = self._checked(found, "read")
        generation = answer.headers.get("x-goog-generation", "")
        if not generation.isdecimal():
            raise CesplanError(summary=f"Could not read {self._name}: the response has no generation.")
        return answer.data.decode("utf-8", "replace"), generation

    def write(self, text: str, generation: str) -> str:
        """
        Replace the object of this generation with a text, and return the new generation.

        Raises GenerationMoved and CesplanError. After a lost response, the object is read to find out.
        """
        bucket, name = quote(self._name.bucket, safe=""), quote(self._name.name, safe="")
        query = f"uploadType=media&name={name}&ifGenerationMatch={generation}"
        result = self._call("POST", f"/upload/storage/v1/b/{bucket}/o?{query}", "write", text.encode())
        if result.status in (0, 412):
            # If a write succeeded, its retry conflicts with the new generation.
            found, current = self.read()
            if found == text:
                return current
            if result.status:
                raise GenerationMoved
        new_generation = _generation(self._checked(result, "write").data)
        return new_generation or self.read()[1]

    @property
    def _path(self) -> str:
        return f"/storage/v1/b/{quote(self._name.bucket, safe='')}/o/{quote(self._name.name, safe='')}"

    def _call(self, method: str, target: str, what: str, body: bytes | None = None) -> Attempts:
        def send(_: int) -> Answer:
            headers = identity(self._login, self._quota_project)
            return request(self._pool, self._endpoint, method, target, body=body, headers=headers)

        found = with_retries(send, self._clock, self._backoff)
        if found.interrupted:
            raise Interrupted(summary=f"Interrupted: could not {what} {self._name}.")
        return found

    def _checked(self, found: Attempts, what: str) -> Answer:
        if found.answer is None:
            summary = f"Could not {what} {self._name}: {found.why}."
            raise Unavailable(summary=summary, status="UNAVAILABLE")
        answer = found.answer
        if 200 <= answer.status < 300:
            return answer
        summary = f"Could not {what} {self._name}: Cloud Storage answered {answer.status}."
        match answer.status:
            case 401 | 403:
                raise PermissionDenied(
                    summary=summary,
                    detail="The account needs storage.objects.get, create, and delete on the object, which "
                    "roles/storage.objectUser on the bucket grants.",
                    http_status=answer.status,
                )
            case 404:
                raise ApiError(summary=summary, detail="The bucket does not exist.", http_status=404)
        raise ApiError(summary=summary, http_status=answer.status)


def _generation(data: bytes) -> str:
    from cesplan.domain.text.json_text import decoded

    try:
        body = decoded(data)
    except ValueError:
        return ""
    found = body.get("generation") if isinstance(body, dict) else None
    return found if isinstance(found, str) and found.isdecimal() else ""
