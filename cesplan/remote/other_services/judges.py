"""
Vertex AI's evaluateInstances: each request asks a judge model one question.

Source: EvaluationService of Vertex AI v1beta1, `projects.locations:evaluateInstances`, scope cloud-platform. A
question has no effect, so it may be retried, but each request costs money, and is counted before it is sent.
"""

import json
import threading
import time
from collections.abc import Callable, Collection, Mapping

from cesplan.domain.errors import ApiError, Interrupted, NotAuthenticated, PermissionDenied, Refused, UsageError
from cesplan.domain.features.judges import JudgeFailed
from cesplan.domain.resource_name import Place
from cesplan.domain.service.endpoint import Endpoint, is_confirmed, parse_endpoint
from cesplan.domain.service.quota import Quota
from cesplan.domain.text.json_text import decoded
from cesplan.domain.value import Body
from cesplan.remote.calling import Authorizer
from cesplan.remote.clock import Backoff, Clock, Tries
from cesplan.remote.credentials import WHAT_TO_DO
from cesplan.remote.endpoints import emulator_endpoint
from cesplan.remote.exchange import Exchange, Log, answer_names, field_names
from cesplan.remote.other_services.request import connections, request
from cesplan.remote.statuses import Status, read_status, readable
from cesplan.remote.throttle import Throttle
from cesplan.remote.transport import Answer, NoAnswer, NotSent

PER_MINUTE = 240
"""Requests per minute: a quarter of the documented quota, because judges share the quota of a model."""

BACKOFF = Backoff(first=2.0, longest=60.0, tries=6, total=240.0)
SECONDS = 90.0
"""The timeout of a response: the service limits a call to 60 s, and the first use is slow."""

_TRANSIENT = frozenset({408, 409, 429, 499, 500, 502, 503, 504})
"""The statuses to retry according to the documentation of evaluateInstances."""

_GLOBAL = "global"
_PROJECT_PATHS = "publishers/"


def judges_endpoint(
    location: str, *, emulator: str = "", chosen: str = "", confirmed: Collection[str] = ()
) -> Endpoint:
    """
    The endpoint for the judges of a location. `chosen` replaces Google's own endpoint.

    Raises UsageError for an invalid endpoint, and Refused for one that would get a token but is neither
    Google's nor among the `confirmed` ones, which the user named.
    """
    if emulator:
        return emulator_endpoint(emulator)
    host = "aiplatform" if location == _GLOBAL else f"{location}-aiplatform"
    try:
        found = parse_endpoint(chosen or f"{host}.googleapis.com")
    except ValueError as error:
        raise UsageError(
            summary=f"`{chosen or location}` is not a usable endpoint for judges: {error}."
        ) from error
    if not is_confirmed(found, confirmed):
        raise Refused(
            summary=f"The endpoint {found} is not confirmed. Nothing was sent.",
            reasons=(f"{found} is outside googleapis.com and would receive your access token.",),
        )
    return found


class VertexJudge:
    """
    Calls the judges of a project and location. Safe to share between threads.

    `login` is None for an emulator, which gets no token. `per_minute` is the rate of requests; 0 means no
    limit.
    """

    def __init__(
        self,
        place: Place,
        *,
        endpoint: Endpoint,
        login: Authorizer | None,
        quota_project: str = "",
        per_minute: int = PER_MINUTE,
        log: Log | None = None,
        clock: Clock | None = None,
        backoff: Backoff = BACKOFF,
    ) -> None:
        if problem := place.problem:
            raise UsageError(summary=f"{problem[0].upper()}{problem[1:]}.")
        self._place = place
        self._endpoint = endpoint
        self._login = login
        self._headers = {"x-goog-user-project": quota_project} if quota_project else {}
        self._log = log
        self._clock = clock or Clock()
        self._backoff = backoff
        self._throttle = Throttle(Quota(per_minute), self._clock)
        self._pool = connections(endpoint, SECONDS)
        self._lock = threading.Lock()
        self.requests = 0
        """The number of requests sent, including retries."""

    def evaluate(self, body: Body, may_send: Callable[[], str]) -> Body:
        """
        Ask one question, with retries; see `cesplan.domain.features.judges.Judge`. Also raises Interrupted.
        """
        sent = json.dumps(self._placed(body), ensure_ascii=False).encode("utf-8", "replace")
        names = field_names(body)
        tries = Tries(self._backoff, self._clock)
        while True:
            if not self._throttle.acquire():
                raise Interrupted(summary="Interrupted: no more questions were sent to judges.")
            answer = self._authorized(sent, names, may_send)
            if isinstance(answer, Answer) and 200 <= answer.status < 300:
                return _body(answer)
            why, at_least = self._judged(answer)
            delay = tries.next_delay(at_least)
            if delay is None:
                times = f", tried {tries.count} times" if tries.count > 1 else ""
                raise JudgeFailed(reason=f"{why}{times}", is_outage=True)
            if isinstance(answer, Answer) and answer.status == 429:
                self._throttle.pause(delay)
            elif not self._clock.rest(delay):
                raise Interrupted(summary="Interrupted: no more questions were sent to judges.")

    def interrupt(self) -> None:
        self._clock.halt.request()

    def close(self) -> None:
        """Close all connections."""
        self._pool.clear()

    @property
    def _target(self) -> str:
        return f"/v1beta1/{self._place.name}:evaluateInstances"

    def _placed(self, body: Body) -> Body:
        """The body with the full resource name of the judge model."""
        config = body.get("autoraterConfig") or {}
        model = str(config.get("autoraterModel") or "")
        if not model.startswith(_PROJECT_PATHS):
            return body
        return {**body, "autoraterConfig": {**config, "autoraterModel": f"{self._place.name}/{model}"}}

    def _authorized(
        self, sent: bytes, names: tuple[str, ...], may_send: Callable[[], str]
    ) -> Answer | Exception:
        """The response, or why there is none. A rejected token is renewed once."""
        login = self._login.headers() if self._login else {}
        answer = self._sent(sent, names, login, may_send)
        if self._login is None or not isinstance(answer, Answer) or answer.status != 401:
            return answer
        self._login.renew(login)
        return self._sent(sent, names, self._login.headers(), may_send)

    def _sent(
        self, sent: bytes, names: tuple[str, ...], login: Mapping[str, str], may_send: Callable[[], str]
    ) -> Answer | Exception:
        if why := may_send():
            raise JudgeFailed(reason=why)
        began = time.monotonic()
        result: Answer | Exception
        headers = {**self._headers, **login}
        try:
            result = request(
                self._pool, self._endpoint, "POST", self._target, body=sent, headers=headers, seconds=SECONDS
            )
        except (NotSent, NoAnswer) as error:
            result = error
        self._note(names, result, time.monotonic() - began)
        return result

    def _note(self, names: tuple[str, ...], result: Answer | Exception, seconds: float) -> None:
        with self._lock:
            self.requests += 1
            if self._log is None:
                return
            self._log(
                Exchange(
                    number=self.requests,
                    method="POST",
                    target=self._target,
                    sent=names,
                    status=result.status if isinstance(result, Answer) else 0,
                    seconds=seconds,
                    size=len(result.data) if isinstance(result, Answer) else 0,
                    received=answer_names(result.data) if isinstance(result, Answer) else (),
                    note="" if isinstance(result, Answer) else str(result),
                )
            )

    def _judged(self, answer: Answer | Exception) -> tuple[str, float]:
        """Why there is no answer yet, and how long to wait. Raises the error if a retry cannot help."""
        if not isinstance(answer, Answer):
            if getattr(answer, "permanent", False):
                raise JudgeFailed(reason=f"the judge could not be asked: {answer}")
            return f"the judge could not be asked: {answer}", 0.0
        status = readable(read_status(answer, self._clock.wall()), _as_it_is)
        first = status.message.strip().partition("\n")[0][:200]
        error = f"the judge answered {answer.status}: {first}"
        if answer.status in _TRANSIENT:
            return error, status.retry_after or 0.0
        if answer.status == 401:
            raise NotAuthenticated(summary=f"Vertex AI rejected the credentials: {first}", detail=WHAT_TO_DO)
        if answer.status in (403, 404):
            raise self._refused(answer.status, status, first)
        raise JudgeFailed(reason=error)

    def _refused(self, http_status: int, status: Status, first: str) -> ApiError:
        error_type = PermissionDenied if http_status == 403 else ApiError
        advice = (
            "The API is not enabled in this project:\n\n    gcloud services enable aiplatform.googleapis.com"
            if status.reason == "SERVICE_DISABLED"
            else f"The account needs roles/aiplatform.user on the project {self._place.project}."
            if http_status == 403
            else f"Check the location: {self._place.location} may not have the service or the model."
        )
        return error_type(
            summary=f"Vertex AI does not judge in {self._place.name}: {first}",
            detail=advice,
            status=status.code,
            http_status=http_status,
            method="POST",
            resource=self._place.name,
        )


def _body(answer: Answer) -> Body:
    try:
        found = decoded(answer.data)
    except ValueError as error:
        raise JudgeFailed(reason="the judge's response is not JSON") from error
    if not isinstance(found, dict):
        raise JudgeFailed(reason="the judge's response is not a JSON object")
    return found


def _as_it_is(text: str) -> str:
    """No redaction: judges never receive secrets, so no message can contain one."""
    return text
