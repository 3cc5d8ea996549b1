"""Posting to a webhook: with retries, without redirects, and never with its URL in a text."""

import socket
import threading
from pathlib import Path

import pytest

from cesplan.remote.clock import Clock
from cesplan.remote.other_services import request
from cesplan.remote.other_services.webhook import parse_webhook, post
from tests.alarm.servers import SECRET, receiver
from tests.security.servers import drips, server
from tests.unit.remote.conftest import Hourglass


def sent(url: str, clock: Clock, text: str = '{"a": 1}') -> str:
    return post(parse_webhook(url), text, id="sha256:1", clock=clock)


@pytest.fixture
def glass() -> Hourglass:
    return Hourglass()


def test_a_message_arrives_as_it_is_with_a_key_that_tells_repetitions(glass: Hourglass) -> None:
    with receiver() as hook:
        assert sent(hook.url, glass.clock, '{"text": "grüß"}') == ""
    (arrived,) = hook.posts
    assert arrived.path == f"/services/{SECRET}?key={SECRET}"
    assert arrived.body == {"text": "grüß"}
    assert arrived.headers["Content-Type"] == "application/json; charset=utf-8"
    assert arrived.headers["Idempotency-Key"] == '"sha256:1"'
    assert "Authorization" not in arrived.headers


def test_what_may_pass_is_tried_again_with_longer_and_longer_pauses(glass: Hourglass) -> None:
    with receiver() as hook:
        hook.answers = [503, 429, 500]
        assert sent(hook.url, glass.clock) == ""
    assert len(hook.posts) == 4
    assert glass.slept == [1.0, 2.0, 4.0]


def test_after_four_tries_it_is_given_up(glass: Hourglass) -> None:
    with receiver() as hook:
        hook.answers = [503] * 9
        assert sent(hook.url, glass.clock) == "it answered 503; tried 4 times"
    assert len(hook.posts) == 4


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_refusal_is_not_tried_again(glass: Hourglass, status: int) -> None:
    with receiver() as hook:
        hook.answers = [status]
        assert sent(hook.url, glass.clock) == f"it answered {status}"
    assert len(hook.posts) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(glass: Hourglass, status: int) -> None:
    """The message would go to an address that nobody named."""
    with receiver() as hook, receiver() as elsewhere:
        hook.answers, hook.location = [status], elsewhere.url
        assert sent(hook.url, glass.clock) == f"it answered {status}: redirects are not followed"
    assert (len(hook.posts), len(elsewhere.posts)) == (1, 0)


def test_a_silent_receiver_is_left_after_a_while(glass: Hourglass, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request, "ANSWER_SECONDS", 0.05)
    with receiver() as hook:
        hook.hang = threading.Event()
        assert sent(hook.url, glass.clock) == "no complete response within 0 s; tried 4 times"


def test_a_receiver_that_drips_is_left_after_a_while(glass: Hourglass, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then is no answer: the whole of it has its time."""
    monkeypatch.setattr(request, "ANSWER_SECONDS", 0.2)
    with server(drips(b"HTTP/1.1 200 OK\r\nX-A: ")) as address:
        assert sent(f"http://{address}/x", glass.clock).endswith("; tried 4 times")
    with server(drips(b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n")) as address:
        assert sent(f"http://{address}/x", glass.clock).startswith("no complete response")


def test_a_receiver_that_is_not_there_is_told_in_our_own_words(glass: Hourglass) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    said = sent(f"http://127.0.0.1:{port}/services/{SECRET}", glass.clock)
    assert said == "it cannot be reached; tried 4 times"
    assert sent(f"https://nohost.invalid/services/{SECRET}", glass.clock).startswith(
        "its name cannot be resolved"
    )


def test_an_interrupt_ends_the_pauses(glass: Hourglass) -> None:
    clock = glass.clock
    clock.halt.request()
    with receiver() as hook:
        hook.answers = [503]
        assert sent(hook.url, clock) == "it answered 503; interrupted before the next attempt"
    assert len(hook.posts) == 1


def test_a_receiver_that_asks_for_hours_is_left_at_once(glass: Hourglass) -> None:
    """A run of cron cannot wait; the next one posts."""
    with receiver() as hook:
        hook.answers, hook.retry_after = [429], "3600"
        assert sent(hook.url, glass.clock) == "it answered 429"
    assert glass.slept == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example.com/a",
        "ftp://hooks.example.com/a",
        "http://hooks.example.com/a",
        "https://user:pass@hooks.example.com/a",
        "https://user@hooks.example.com/a",
        "https://hooks.example.com/a#b",
        "https://hooks.example.com/a b",
        "https://hooks.example.com/a\r\nX: y",
        "https://hooks.example.com\\@evil.example/a",
        "https:///a",
        "https://1.2.3/a",
        "https://hooks.example.com:99999/a",
        f"https://hooks.example.com/{'a' * 5000}",
    ],
)
def test_only_https_without_credentials_is_a_webhook(url: str) -> None:
    """And the error never quotes it: it may be the right URL with one letter too many."""
    with pytest.raises(ValueError) as caught:
        parse_webhook(url)
    assert not url or url not in str(caught.value)


def test_a_webhook_prints_as_its_host() -> None:
    made = parse_webhook(f"https://hooks.slack.com/services/{SECRET}?k={SECRET}")
    assert str(made) == "hooks.slack.com"
    assert SECRET not in repr(made)
    assert made.target == f"/services/{SECRET}?k={SECRET}"
    assert parse_webhook("https://h.example?k=v").target == "/?k=v"


def test_the_words_of_libraries_are_in_no_error() -> None:
    """urllib3 quotes the URL in its messages: the module raises `from None` and never says them."""
    text = Path(request.__file__).read_text(encoding="utf-8")
    assert "str(error)" not in text
    assert "from error" not in text
