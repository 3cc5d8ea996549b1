"""
An object in Cloud Storage that is read as a whole, and replaced only if it has not changed since.

The JSON API's `ifGenerationMatch` makes a write fail with 412 if another write came first. Generation 0 means
that the object does not exist. STORAGE_EMULATOR_HOST names an emulator on this machine, which gets no token.
Source: Cloud Storage, "Request preconditions" and "Objects: insert, get".
"""

import re
from urllib.parse import quote

from cesplan.domain.errors import ApiError, CesplanError, Interrupted, PermissionDenied, Unavailable
from cesplan.domain.frozen import dataclass
from cesplan.domain.service.endpoint import Endpoint, parse_endpoint
from cesplan.remote.clock import Backoff, Clock, Tries
from cesplan.remote.other_services.request import Login, connections, request
from cesplan.remote.statuses import TRANSIENT
from cesplan.remote.transport import Answer, NoAnswer, NotSent

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


def storage_endpoint(emulator: str) -> Endpoint:
    """
    The endpoint of Cloud Storage, or of the emulator in STORAGE_EMULATOR_HOST.

    Raises ValueError for an emulator that is not on this machine.
    """
    if not emulator:
        return STORAGE
    endpoint = parse_endpoint(emulator, scheme="http")
    if not endpoint.is_loopback:
        raise ValueError("STORAGE_EMULATOR_HOST must name a host on this machine, such as 127.0.0.1:9023")
    return endpoint


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
        self._quota = {"x-goog-user-project": quota_project} if quota_project else {}
        self._clock = clock
        self._backoff = backoff
        self._pool = connections(endpoint)

    def read(self) -> tuple[str | None, str]:
        """The text and its generation; None and `0` if the object does not exist. Raises CesplanError."""
        answer = self._call("GET", f"{self._path}?alt=media", "read")
        if isinstance(answer, str):
            raise self._unavailable("read", answer)
        if answer.status == 404:
            return None, "0"
        self._check(answer, "read")
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
        answer = self._call("POST", f"/upload/storage/v1/b/{bucket}/o?{query}", "write", text.encode())
        if isinstance(answer, str) or answer.status == 412:
            # If a write succeeded, its retry conflicts with the new generation.
            found, current = self.read()
            if found == text:
                return current
            if isinstance(answer, str):
                raise self._unavailable("write", answer)
            raise GenerationMoved
        self._check(answer, "write")
        new_generation = _generation(answer.data)
        return new_generation or self.read()[1]

    @property
    def _path(self) -> str:
        return f"/storage/v1/b/{quote(self._name.bucket, safe='')}/o/{quote(self._name.name, safe='')}"

    def _call(self, method: str, target: str, what: str, body: bytes | None = None) -> Answer | str:
        """The response, if a retry makes no sense, or why there is none."""
        tries = Tries(self._backoff, self._clock)
        while True:
            result: Answer | str
            try:
                headers = {**self._quota, **(self._login.headers() if self._login else {})}
                result = request(self._pool, self._endpoint, method, target, body=body, headers=headers)
            except (NotSent, NoAnswer) as error:
                result = str(error)
                if error.permanent:
                    return result
            if isinstance(result, Answer) and result.status not in TRANSIENT:
                return result
            delay = tries.next_delay()
            if delay is None:
                return result
            if not self._clock.rest(delay):
                raise Interrupted(summary=f"Interrupted: could not {what} {self._name}.")

    def _check(self, answer: Answer, what: str) -> None:
        if 200 <= answer.status < 300:
            return
        summary = f"Could not {what} {self._name}: Cloud Storage answered {answer.status}."
        match answer.status:
            case 401 | 403:
                raise PermissionDenied(
                    summary=summary,
                    detail="The account needs storage.objects.get, create and delete on the object, which "
                    "roles/storage.objectUser on the bucket grants.",
                    http_status=answer.status,
                )
            case 404:
                raise ApiError(summary=summary, detail="The bucket does not exist.", http_status=404)
        raise ApiError(summary=summary, http_status=answer.status)

    def _unavailable(self, what: str, why: str) -> Unavailable:
        return Unavailable(summary=f"Could not {what} {self._name}: {why}.", status="UNAVAILABLE")


def _generation(data: bytes) -> str:
    from cesplan.domain.text.json_text import decoded

    try:
        body = decoded(data)
    except ValueError:
        return ""
    found = body.get("generation") if isinstance(body, dict) else None
    return found if isinstance(found, str) and found.isdecimal() else ""
