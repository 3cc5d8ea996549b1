"""evaluateInstances is asked with patience, within the limit, and nowhere but where the user said."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from cesplan.domain.errors import ApiError, NotAuthenticated, PermissionDenied, Refused, UsageError
from cesplan.domain.features.judges import JudgeFailed
from cesplan.domain.resource_name import Place
from cesplan.domain.service.endpoint import Endpoint
from cesplan.remote.other_services.judges import VertexJudge, judges_endpoint
from tests.unit.remote.conftest import Hourglass

PLACE = Place(project="acme-eval", location="us-central1")
ASKED = {
    "safetyInput": {"metricSpec": {}, "instance": {"prediction": "fine"}},
    "autoraterConfig": {"autoraterModel": "publishers/google/models/gemini-2.5-flash"},
}
SAFE = {"safetyResult": {"score": 1}}


class Service(ThreadingHTTPServer):
    """Answers with the statuses and bodies in `answers`, the last one for ever; keeps what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        self.answers: list[tuple[int, Any, dict[str, str]]] = [(200, SAFE, {})]
        self.sent: list[tuple[str, dict[str, str], Any]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(scheme="http", host="127.0.0.1", port=self.server_address[1])


class _Handler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        number = len(self.server.sent)
        self.server.sent.append((self.path, dict(self.headers), body))
        status, found, headers = self.server.answers[min(number, len(self.server.answers) - 1)]
        data = found if isinstance(found, bytes) else json.dumps(found).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


class Login:
    """A token, and a new one after it was refused."""

    def __init__(self) -> None:
        self.number = 1

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer t0ken-{self.number}"}

    def renew(self, refused: Any) -> None:
        self.number += 1


class Budget:
    """Allows so many requests."""

    def __init__(self, calls: int = 100) -> None:
        self.left = calls

    def may_send(self) -> str:
        self.left -= 1
        return "" if self.left >= 0 else "the limit is reached"


def judge(service: Service, time: Hourglass | None = None, login: Login | None = None, **options: Any) -> Any:
    clock = (time or Hourglass()).clock
    return VertexJudge(PLACE, endpoint=service.endpoint, login=login, clock=clock, per_minute=0, **options)


def refusal(status: int, name: str, message: str = "No.", **headers: str) -> tuple[int, Any, dict[str, str]]:
    return status, {"error": {"code": status, "status": name, "message": message}}, headers


def test_a_question_names_the_place_the_model_and_who_pays(service: Service) -> None:
    found = judge(service, login=Login(), quota_project="acme-billing").evaluate(ASKED, Budget().may_send)
    assert found == SAFE
    ((path, headers, body),) = service.sent
    assert path == "/v1beta1/projects/acme-eval/locations/us-central1:evaluateInstances"
    assert headers["Authorization"] == "Bearer t0ken-1"
    assert headers["x-goog-user-project"] == "acme-billing"
    model = "projects/acme-eval/locations/us-central1/publishers/google/models/gemini-2.5-flash"
    assert body == {**ASKED, "autoraterConfig": {"autoraterModel": model}}


@pytest.mark.parametrize("status", [408, 409, 429, 499, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again_and_counted(service: Service, status: int) -> None:
    """The statuses that the service says to retry; each try counts."""
    service.answers = [refusal(status, "UNAVAILABLE")] * 2 + [(200, SAFE, {})]
    budget = Budget()
    assert judge(service).evaluate(ASKED, budget.may_send) == SAFE
    assert (len(service.sent), budget.left) == (3, 97)


def test_a_try_that_the_limit_forbids_is_not_sent(service: Service) -> None:
    service.answers = [refusal(503, "UNAVAILABLE")]
    with pytest.raises(JudgeFailed, match="the limit is reached"):
        judge(service).evaluate(ASKED, Budget(2).may_send)
    assert len(service.sent) == 2


def test_a_judge_that_stays_away_has_not_answered(service: Service) -> None:
    """After six tries, and at once where the service asks for a longer wait than that."""
    time = Hourglass()
    service.answers = [refusal(429, "RESOURCE_EXHAUSTED", "Quota exceeded.")]
    with pytest.raises(JudgeFailed, match=r"the judge answered 429: Quota exceeded\., tried 6 times"):
        judge(service, time).evaluate(ASKED, Budget().may_send)
    assert len(service.sent) == 6
    service.answers = [refusal(503, "UNAVAILABLE", **{"Retry-After": "3600"})]
    with pytest.raises(JudgeFailed, match="503"):
        judge(service).evaluate(ASKED, Budget().may_send)
    assert len(service.sent) == 7


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (refusal(400, "INVALID_ARGUMENT", "instance: not set."), "the judge answered 400: instance: not set."),
        (refusal(501, "UNIMPLEMENTED", "No model."), "the judge answered 501: No model."),
        ((200, b"<html>", {}), "the judge's response is not JSON"),
        ((200, b"[]", {}), "the judge's response is not a JSON object"),
        ((200, b"[" * 100_000, {}), "the judge's response is not JSON"),
        ((302, b"", {"Location": "https://elsewhere.invalid/"}), "the judge answered 302"),
    ],
)
def test_one_bad_question_is_no_verdict_and_not_sent_again(service: Service, answer: Any, said: str) -> None:
    service.answers = [answer]
    with pytest.raises(JudgeFailed) as failed:
        judge(service).evaluate(ASKED, Budget().may_send)
    assert said in failed.value.reason
    assert len(service.sent) == 1


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (refusal(403, "PERMISSION_DENIED"), PermissionDenied, "roles/aiplatform.user on the project acme-eval"),
        (refusal(404, "NOT_FOUND"), ApiError, "Check the location: us-central1"),
        (refusal(401, "UNAUTHENTICATED"), NotAuthenticated, "gcloud auth application-default login"),
    ],
)
def test_what_every_question_would_meet_is_an_error(
    service: Service, answer: Any, error: type[Exception], said: str
) -> None:
    service.answers = [answer]
    with pytest.raises(error) as raised:
        judge(service, login=Login()).evaluate(ASKED, Budget().may_send)
    assert said in raised.value.detail  # type: ignore[attr-defined]


def test_an_old_token_is_renewed_once(service: Service) -> None:
    service.answers = [refusal(401, "UNAUTHENTICATED"), (200, SAFE, {})]
    assert judge(service, login=Login()).evaluate(ASKED, Budget().may_send) == SAFE
    assert [headers["Authorization"] for _, headers, _ in service.sent] == ["Bearer t0ken-1", "Bearer t0ken-2"]


def test_a_service_that_cannot_be_reached_is_no_verdict(service: Service) -> None:
    asked = judge(service)
    service.shutdown()
    service.server_close()
    budget = Budget()
    with pytest.raises(JudgeFailed, match=r"the judge could not be asked: .*, tried 6 times"):
        asked.evaluate(ASKED, budget.may_send)
    assert budget.left == 94


def test_requests_are_logged_without_what_was_said(service: Service) -> None:
    seen: list[Any] = []
    judge(service, log=seen.append).evaluate(ASKED, Budget().may_send)
    assert "fine" not in str(seen[0])
    assert "POST /v1beta1/projects/acme-eval/locations/us-central1:evaluateInstances" in str(seen[0])


@pytest.mark.parametrize(
    ("location", "host"),
    [("us-central1", "us-central1-aiplatform.googleapis.com"), ("global", "aiplatform.googleapis.com")],
)
def test_judges_are_asked_at_google_unless_the_user_says_otherwise(location: str, host: str) -> None:
    assert judges_endpoint(location).host == host
    assert judges_endpoint(location).is_google
    elsewhere = "https://judge.acme.example"
    assert judges_endpoint(location, chosen=elsewhere, confirmed=[elsewhere]).host == "judge.acme.example"
    with pytest.raises(Refused):
        judges_endpoint(location, chosen=elsewhere)
    assert str(judges_endpoint(location, emulator="127.0.0.1:8470")) == "http://127.0.0.1:8470"


@pytest.mark.parametrize("location", ["evil.example/", "us@evil.example", "", "../x"])
def test_a_location_cannot_lead_to_another_host(location: str) -> None:
    """It may come from a tree: whatever it is, no host outside of Google is asked."""
    with pytest.raises((UsageError, Refused)):
        VertexJudge(Place(project="acme", location=location), endpoint=judges_endpoint(location), login=Login())
