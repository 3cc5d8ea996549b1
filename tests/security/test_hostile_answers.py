"""
A hostile or broken server, between us and the service or in its place.

It may answer with bytes that never end, that unpack to gigabytes, that nest without end, or that lead from page
to page for ever. Each of these ends soon, in an error that says what the server did; and none in a defect.
"""

import gzip
import json
import zlib

import pytest

from cesplan.cli.running import run
from cesplan.domain import errors
from cesplan.domain.service.quota import Quotas
from cesplan.model.kinds import kind_of
from cesplan.remote import calls
from cesplan.remote.calling import Calling
from cesplan.remote.clock import Backoff, Clock, duration
from cesplan.remote.endpoints import emulator_endpoint
from cesplan.remote.fetching import Fetching
from cesplan.remote.pools import direct_pool
from cesplan.remote.statuses import read_status
from cesplan.remote.throttle import Throttles
from cesplan.remote.transport import WRITING, Answer, NoAnswer, Transport
from tests.security.servers import answers, drips, server

APP = "projects/acme-dev/locations/us/apps/support-desk"
READ = calls.get(kind_of("apps"), APP)
CREATE = calls.create(kind_of("agents"), APP, "front-desk", {"displayName": "x"})
MIB = 1024 * 1024


def send(behavior, call=READ, *, seconds=120.0, **chosen):
    with server(behavior) as address:
        made = Transport(
            endpoint=emulator_endpoint(address),
            pool=direct_pool(answer_seconds=seconds),
            methods=WRITING,
            api_version="v1beta",
            **chosen,
        )
        try:
            return made.send(call, {})
        finally:
            made.close()


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nX-Long: ",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n",
    ],
    ids=["status", "header", "body", "body-to-the-end", "chunk-size", "chunk"],
)
def test_an_answer_that_trickles_ends_at_its_deadline(beginning):
    """A byte at a time keeps every timeout of a socket from firing; the deadline of the whole answer does."""
    with pytest.raises(NoAnswer, match=r"timed out|too long"):
        send(drips(beginning, b"1"), seconds=0.3)


def test_continuations_without_end_are_over_at_the_deadline():
    """`100 Continue`, again and again, is not an answer either."""
    with pytest.raises(NoAnswer, match=r"timed out|too long"):
        send(drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), seconds=0.3)


def test_an_answer_has_a_largest_size():
    """What is larger is not read to its end, and asking again would bring no better one."""
    with pytest.raises(NoAnswer, match="larger than 1 MiB") as caught:
        send(answers(b"", b"x" * (2 * MIB)), most_bytes=MIB)
    assert caught.value.permanent


def test_a_small_answer_that_unpacks_to_much_is_stopped_while_it_is_unpacked():
    """A gzip bomb: 64 MiB from 64 KiB. No more than one piece beyond the limit is ever unpacked."""
    import tracemalloc

    bomb = gzip.compress(bytes(64 * MIB), 9)
    tracemalloc.start()
    try:
        with pytest.raises(NoAnswer, match="larger than 1 MiB"):
            send(answers(b"Content-Encoding: gzip\r\n", bomb), most_bytes=MIB)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 24 * MIB


@pytest.mark.parametrize(
    "encoding", ["deflate", "gzip, gzip", "gzip, gzip, gzip, gzip, gzip", "br", "zstd", "x"]
)
def test_only_the_encoding_that_was_asked_for_is_unpacked(encoding):
    """Encodings inside each other multiply: each of gzip's makes a thousand bytes of one."""
    data = gzip.compress(gzip.compress(b"{}"))
    with pytest.raises(NoAnswer, match="not requested") as caught:
        send(answers(f"Content-Encoding: {encoding}\r\n".encode(), data))
    assert caught.value.permanent


@pytest.mark.parametrize(
    "data",
    [b"no gzip", gzip.compress(b"{}")[:-8] + bytes(8), zlib.compress(b"{}")],
    ids=["another text", "a wrong checksum", "zlib"],
)
def test_what_cannot_be_unpacked_is_no_answer(data):
    """Something else, and a stream whose checksum is wrong."""
    with pytest.raises(NoAnswer):
        send(answers(b"Content-Encoding: gzip\r\n", data))


class _Sender:
    """Answers by a function of the number of the request; counts."""

    def __init__(self, reply):
        self.reply = reply
        self.count = 0

    def send(self, call, headers):
        self.count += 1
        made = self.reply(self.count)
        return (
            made if isinstance(made, Answer) else Answer(status=200, headers={}, data=json.dumps(made).encode())
        )


def calling(reply, clock=None, **chosen):
    clock = clock or Clock(sleep=lambda seconds: None, chance=lambda: 0.0)
    sender = _Sender(reply)
    made = Calling(
        transport=sender,
        credentials=None,
        throttles=Throttles(Quotas(), clock),
        clock=clock,
        backoff=Backoff(),
        **chosen,
    )
    return made, sender


DEEP = [b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 500 + b"1" + b"}" * 500, b'{"a":[' * 60 + b"]}" * 60]


@pytest.mark.parametrize("data", DEEP, ids=["too deep for the parser", "too deep for a walk", "mixed"])
def test_deep_json_is_an_error_and_is_not_asked_for_again(data):
    """Nesting cannot exhaust the interpreter, neither where JSON is read nor where it is walked."""
    made, sender = calling(lambda _: Answer(status=200, headers={}, data=data))
    with pytest.raises(errors.Unavailable, match="nested more than 100 levels"):
        made.call(READ)
    assert sender.count == 1


@pytest.mark.parametrize("data", DEEP)
def test_deep_json_in_a_refusal_is_an_error_too(data):
    """The answer is then no google.rpc.Status."""
    made, _ = calling(lambda _: Answer(status=400, headers={}, data=data))
    with pytest.raises(errors.ApiError, match="HTTP 400"):
        made.call(READ)


def test_a_hundred_levels_are_read():
    """The limit is that of protocol buffers, so no real answer meets it."""
    data = b'{"a":' * 99 + b"{}" + b"}" * 99
    made, _ = calling(lambda _: Answer(status=200, headers={}, data=data))
    assert list(made.call(READ)) == ["a"]


def test_a_write_with_a_deep_answer_may_have_happened():
    """The request was carried out, whatever came back."""
    made, _ = calling(lambda _: Answer(status=200, headers={}, data=DEEP[0]))
    with pytest.raises(errors.LostResponse, match="nested"):
        made.call(CREATE)


def fetching(reply, **chosen):
    made, sender = calling(reply, **chosen)
    clock = chosen.get("clock") or Clock(sleep=lambda seconds: None)
    return Fetching(calling=made, api_version="v1beta", clock=clock), sender


def agent(number):
    return {"name": f"{APP}/agents/a{number}"}


def test_a_page_token_that_comes_again_ends_the_list():
    """Two pages that point at each other."""
    made, sender = fetching(lambda count: {"agents": [agent(count)], "nextPageToken": "ab"[count % 2]})
    with pytest.raises(errors.ApiError, match=r"does not end: a page token was repeated") as caught:
        made.all(kind_of("agents"), APP)
    assert sender.count == 3
    assert "changes nothing" in caught.value.detail


@pytest.mark.parametrize("items", [[], [agent(1)]], ids=["empty", "the same again"])
def test_pages_that_bring_nothing_new_end(items):
    """Ever-new tokens, and nothing behind them."""
    made, sender = fetching(lambda count: {"agents": items, "nextPageToken": f"t{count}"})
    with pytest.raises(errors.ApiError, match="100 pages in a row contained nothing new"):
        made.all(kind_of("agents"), APP)
    assert sender.count <= 102


def test_a_list_has_a_last_page():
    """Ever-new tokens with something ever-new behind each."""
    made, sender = fetching(lambda count: {"agents": [agent(count)], "nextPageToken": f"t{count}"})
    with pytest.raises(errors.ApiError, match="after 1000 pages"):
        made.all(kind_of("agents"), APP)
    assert sender.count == 1000


def test_the_change_log_ends_too():
    """It is read by another way, which has the same end."""
    made, sender = fetching(lambda count: {"changelogs": [], "nextPageToken": f"t{count}"})
    with pytest.raises(errors.ApiError, match="contained nothing new"):
        made.changes(APP, "", 1000)
    assert sender.count == 100


def test_a_list_that_is_read_for_too_long_ends():
    """Each page comes in time, all of them together do not."""
    now = [0.0]

    def reply(count):
        now[0] += 100.0
        return {"agents": [agent(count)], "nextPageToken": f"t{count}"}

    made, sender = fetching(reply, clock=Clock(monotonic=lambda: now[0], sleep=lambda seconds: None))
    with pytest.raises(errors.ApiError, match="after 15 minutes"):
        made.all(kind_of("agents"), APP)
    assert sender.count == 10


def test_lists_cannot_fill_the_memory_page_by_page():
    """Every page is small enough, all of them together are not."""
    page = {"agents": [{**agent(0), "instruction": "x" * MIB}], "nextPageToken": "t"}
    made, sender = fetching(
        lambda count: {**page, "agents": [{**page["agents"][0], **agent(count)}], "nextPageToken": f"t{count}"},
        most_listed=4 * MIB,
    )
    with pytest.raises(errors.ApiError, match="exceed 4 MiB in total"):
        made.all(kind_of("agents"), APP)
    assert sender.count == 4


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("3600", "60 minutes"),
        ("86400", "24 hours"),
        ("9" * 400, "more than 9999 days"),
        ("151", "2.52 minutes"),
    ],
)
def test_a_wait_that_is_too_long_is_said(header, words):
    """If the service asks for a retry tomorrow, the error says when."""
    made, sender = calling(lambda _: Answer(status=429, headers={"retry-after": header}, data=b""))
    with pytest.raises(errors.RateLimited) as caught:
        made.call(READ)
    assert f"asks for a wait of {words} before a retry (Retry-After)" in caught.value.detail
    assert sender.count == 1


@pytest.mark.parametrize(
    "header", ["soon", "-1", "Mon, 99 Xyz 99999 99:99:99 GMT", "1e5", "Sat, 01 Jan 0001", ",", "0" * 9999]
)
def test_what_is_no_time_to_wait_is_passed_over(header):
    """A header cannot break the reading of an error."""
    assert not read_status(Answer(status=503, headers={"retry-after": header}, data=b""), wall=0).retry_after


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1.5, "1.5 s"), (90, "90 s"), (120, "2 minutes"), (float("inf"), "more than 9999 days")],
)
def test_durations_are_said_in_their_unit(seconds, words):
    """Also the longest one."""
    assert duration(seconds) == words


@pytest.mark.parametrize("value", [1, None, [], {"a": []}, "x" * 10_001, ["x"] * 1000])
def test_odd_details_of_an_error_are_no_defect(value):
    """Where google.rpc.Status has texts, anything may be, and not all of it is shown."""
    names = ("fieldViolations", "reason", "metadata", "retryDelay")
    members = {
        **dict.fromkeys(names, value),
        "fieldViolations": [{"field": value, "description": value}] * 200,
    }
    kinds = ("BadRequest", "ErrorInfo", "RetryInfo")
    details = [{"@type": f"type.googleapis.com/google.rpc.{kind}", **members} for kind in kinds]
    data = json.dumps({"error": {"code": 400, "status": value, "message": value, "details": details}}).encode()
    made, _ = calling(lambda _: Answer(status=400, headers={}, data=data))
    with pytest.raises(errors.ApiError) as caught:
        made.call(READ)
    assert len(str(caught.value)) < 150_000


def test_a_page_of_half_open_titles_is_read_in_no_time():
    """The words of a foreign page are looked for in its beginning only: its patterns are not linear."""
    status = read_status(Answer(status=502, headers={}, data=b"<title " * (8 * MIB // 7)), wall=0)
    assert len(status.message) < 1000


def test_a_plan_ends_with_the_words_of_an_error(tmp_path, monkeypatch, capsys):
    """The whole command: no defect, no traceback, exit code 1."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cesplan.yaml").write_text("cesplan: 1\nproject: acme-dev\nlocation: us\n")
    app = tmp_path / "apps" / "support-desk"
    app.mkdir(parents=True)
    (app / "app.yaml").write_text("displayName: Support desk\n")
    with server(answers(b"", DEEP[0])) as address:
        monkeypatch.setenv("CES_EMULATOR_HOST", address)
        assert run(["plan"]) == 1
    told = capsys.readouterr().err
    assert "nested more than 100 levels deep" in told
    assert "defect" not in told
