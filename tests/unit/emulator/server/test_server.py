"""The embedded server: start, stop, files, control routes, concurrent requests."""

import json
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator, Switches, serve

APPS = "v1beta/projects/p/locations/us/apps"
NAME = "projects/p/locations/us/apps/desk1"


@pytest.fixture
def http():
    with urllib3.PoolManager(maxsize=16) as pool:
        yield pool


def url(emulator, path):
    return f"http://{emulator.address}/{path}"


def make_app(http, emulator):
    made = http.request("POST", url(emulator, f"{APPS}?appId=desk1"), json={"displayName": "D"})
    assert made.status == 200
    return http.request("GET", url(emulator, f"{APPS}/desk1")).json()


def test_it_serves_on_loopback_and_is_gone_afterwards(http):
    """The address is loopback; after the block nothing listens and no thread is left."""
    before = threading.active_count()
    with EmbeddedEmulator() as emulator:
        address = emulator.address
        assert address.startswith("127.0.0.1:")
        assert http.request("GET", url(emulator, APPS)).json() == {}
    assert threading.active_count() == before
    with pytest.raises(urllib3.exceptions.MaxRetryError):
        http.request("GET", f"http://{address}/{APPS}", retries=1)


def test_it_stops_at_once_even_when_nobody_asked():
    """A block without a request starts and stops as well."""
    with EmbeddedEmulator():
        pass


def test_serve_announces_itself_and_ends_with_ctrl_c(http):
    """serve() tells its address once it takes connections; SIGINT ends it, its port free again."""
    code = "from cesplan.emulator import serve; serve(0, announce=lambda at: print(at, flush=True))"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        address = process.stdout.readline().decode().strip()
        assert http.request("GET", f"http://{address}/{APPS}").json() == {}
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert errors.decode().strip().endswith("KeyboardInterrupt")


def test_a_taken_port_is_an_os_error():
    """serve() on a port that someone has raises OSError before anything is opened."""
    with EmbeddedEmulator() as emulator, pytest.raises(OSError, match="in use"):
        serve(int(emulator.address.rpartition(":")[2]))


def test_several_run_side_by_side(http):
    """Two emulators have two ports and two states."""
    with EmbeddedEmulator() as one, EmbeddedEmulator() as two:
        make_app(http, one)
        assert http.request("GET", url(two, APPS)).json() == {}


def test_a_file_outlives_the_server(http, tmp_path):
    """With a data file the state is there again."""
    path = tmp_path / "emulator.db"
    with EmbeddedEmulator(path) as emulator:
        app = make_app(http, emulator)
    with EmbeddedEmulator(path) as emulator:
        assert http.request("GET", url(emulator, f"{APPS}/desk1")).json() == app


def test_the_journal_proves_what_was_asked(http):
    """Requests are listed with method, path, rpc and status; control routes are not among them."""
    with EmbeddedEmulator() as emulator:
        make_app(http, emulator)
        http.request("GET", url(emulator, "v1/nothing"))
        summary = http.request("GET", url(emulator, "emulator/requests")).json()
        assert (summary["count"], summary["writes"]) == (3, 1)
        assert [(r["method"], r["rpc"], r["status"]) for r in summary["requests"]] == [
            ("POST", "CreateApp", 200),
            ("GET", "GetApp", 200),
            ("GET", "", 404),
        ]
        assert summary["requests"][0]["query"] == "appId=desk1"
        assert summary["requests"][0]["body"] == {"displayName": "D"}
        http.request("DELETE", url(emulator, "emulator/requests"))
        assert http.request("GET", url(emulator, "emulator/requests")).json()["count"] == 0
        assert emulator.journal.entries == []


def test_resources_can_be_put_past_every_rule(http):
    """POST /emulator/resources stores unknown fields, dangling references and short ids as they are."""
    agent = {"name": f"{NAME}/agents/x", "tools": ["gone"], "later": {"a": [1]}, "etag": "own"}
    with EmbeddedEmulator() as emulator:
        make_app(http, emulator)
        put = http.request("POST", url(emulator, "emulator/resources"), json={"resources": [agent]})
        assert put.json() == {"names": [agent["name"]]}
        read = http.request("GET", url(emulator, f"{APPS}/desk1/agents/x")).json()
        assert {key: read[key] for key in agent} == agent
        assert {"createTime", "updateTime"} <= set(read)


@pytest.mark.parametrize(
    "body", [{"resources": [{"name": "x"}]}, {"resources": [{}]}, {}, [], {"resources": "x"}, None]
)
def test_what_is_no_resource_cannot_be_put(http, body):
    """A name of no kind and a body of another shape are errors of the caller."""
    with EmbeddedEmulator() as emulator:
        put = http.request("POST", url(emulator, "emulator/resources"), body=json.dumps(body))
        assert (put.status, put.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_reset_forgets_everything(http):
    """After POST /emulator/reset it is as a new one."""
    with EmbeddedEmulator() as emulator:
        make_app(http, emulator)
        assert http.request("POST", url(emulator, "emulator/reset")).status == 200
        assert http.request("GET", url(emulator, APPS)).json() == {}
        assert emulator.journal.summary()["count"] == 1


def test_of_concurrent_writes_with_one_etag_one_wins(http):
    """Sixteen updates with the same etag at once: one is done, fifteen are ABORTED."""
    with EmbeddedEmulator() as emulator:
        etag = make_app(http, emulator)["etag"]

        def write(n):
            body = {"description": str(n), "etag": etag}
            path = f"{APPS}/desk1?updateMask=description"
            return http.request("PATCH", url(emulator, path), json=body).status

        with ThreadPoolExecutor(16) as pool:
            statuses = sorted(pool.map(write, range(16)))
    assert statuses == [200] + [409] * 15


@pytest.mark.parametrize("body", ["{", "NaN", '{"displayName": NaN}', "\ufeff{}"])
def test_a_body_that_is_not_json_is_refused(http, body):
    """Broken JSON is INVALID_ARGUMENT, in the shape of every error."""
    with EmbeddedEmulator() as emulator:
        sent = http.request("POST", url(emulator, APPS), body=body.encode())
        assert (sent.status, sent.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_an_author_is_taken_from_the_header(http):
    """x-emulator-author names the creator of a version; without it the switch does."""
    with EmbeddedEmulator(switches=Switches(author="bot@acme.example")) as emulator:
        make_app(http, emulator)
        versions = url(emulator, f"{APPS}/desk1/versions")
        bot = http.request("POST", versions, json={}).json()
        http.request("PATCH", url(emulator, f"{APPS}/desk1?updateMask=pinned"), json={"pinned": True})
        alice = http.request("POST", versions, json={}, headers={"x-emulator-author": "alice"}).json()
        assert (bot["creator"], alice["creator"]) == ("bot@acme.example", "alice")


@pytest.mark.parametrize("sent", [b"", b'{"displ'])
def test_half_a_request_takes_no_effect(http, sent):
    """A client that is killed between head and body has asked for nothing; the connection just ends."""
    body = b'{"displayName": "Front"}'
    with EmbeddedEmulator() as emulator:
        make_app(http, emulator)
        emulator.journal.clear()
        host, port = emulator.address.split(":")
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            head = f"POST /{APPS}/desk1/agents?agentId=front HTTP/1.1\r\nHost: {emulator.address}\r\n"
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + sent)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1000) == b""
        assert emulator.journal.entries == []
        assert http.request("GET", url(emulator, f"{APPS}/desk1/agents")).json() == {}


@pytest.mark.parametrize(
    "name",
    [*("x", "projects/p/apps/x", f"{NAME}/agents", f"{NAME}/gadgets/x", f"{NAME}/agents/a/agents/b"),
     *("projects//locations/us/apps/x", f"{NAME}:export", "projects/p/locations/us/operations/o")],
)  # fmt: skip
def test_what_is_seeded_has_the_name_of_a_resource(http, name):
    """What could never be read under its name is refused; any id will do."""
    with EmbeddedEmulator() as emulator:
        body = {"resources": [{"name": f"{NAME}/agents/a.b ü"}, {"name": name}]}
        answer = http.request("POST", url(emulator, "emulator/resources"), json=body)
        assert answer.json()["error"]["message"] == f"name: '{name}' is not the name of a resource"
        assert emulator.seed(body["resources"][0]) == [f"{NAME}/agents/a.b ü"]
