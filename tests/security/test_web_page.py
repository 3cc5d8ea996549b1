"""
A web page in the browser of someone who runs the emulator.

The page may send what a browser lets it send to 127.0.0.1: reads, simple POSTs without asking, and, after it
made its own name resolve to 127.0.0.1, anything. None of it may have an effect or be answered with data.
"""

import http.client
import json

import pytest

from cesplan.emulator import EmbeddedEmulator, Switches

APPS = "/v1/projects/p/locations/us/apps"
EVIL = "http://evil.example"
SIMPLE = {"Origin": EVIL, "Content-Type": "text/plain;charset=UTF-8"}
CALL = {
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": {
        "name": "create_app",
        "arguments": {"parent": "projects/p/locations/us", "app": {"displayName": "E"}},
    },
}  # fmt: skip
WRITES = [
    ("POST", f"{APPS}?appId=evil1", {"displayName": "Evil"}),
    ("POST", "/emulator/reset", {}),
    ("POST", "/emulator/resources", {"resources": [{"name": "projects/p/locations/us/apps/evil2"}]}),
    ("POST", "/emulator/faults", {"faults": [{"status": {"code": "INTERNAL"}}]}),
    ("POST", "/emulator/evaluations", {"evaluations": []}),
    ("PUT", "/emulator/objects?uri=gs://b/o", {}),
    ("DELETE", "/emulator/requests", None),
    ("DELETE", f"{APPS}/desk1", None),
    ("POST", "/mcp", CALL),
]


@pytest.fixture
def emulator():
    with EmbeddedEmulator() as running:
        running.seed({"name": "projects/p/locations/us/apps/desk1", "displayName": "Desk"})
        yield running


def send(emulator, verb, path, body=None, headers=None):
    """Send a request whose headers are just these, and return status, headers and body."""
    connection = http.client.HTTPConnection(emulator.address, timeout=20)
    try:
        connection.putrequest(verb, path, skip_host=True, skip_accept_encoding=True)
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {"Host": emulator.address, **(headers or {})}
        if data:
            given.setdefault("Content-Length", str(len(data)))
        for name, value in given.items():
            for one in value if isinstance(value, list) else [value]:
                connection.putheader(name, one)
        connection.endheaders(data)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def untouched(emulator):
    """Say whether the state is what the fixture made."""
    status, _, apps = send(emulator, "GET", APPS)
    return status == 200 and [app["name"] for app in json.loads(apps)["apps"]] == [
        "projects/p/locations/us/apps/desk1"
    ]


@pytest.mark.parametrize(
    ("verb", "path", "body"), WRITES, ids=lambda value: value if isinstance(value, str) else ""
)
@pytest.mark.parametrize(
    "headers",
    [
        SIMPLE,
        {"Origin": "null"},
        {"Origin": "https://localhost"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://127.0.0.1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example"},
        {"Host": "evil.example", "Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
    ],
    ids=str,
)
def test_a_page_changes_nothing(emulator, verb, path, body, headers):
    """Foreign and opaque origins, another local port, a rebound name: refused, whatever is asked for."""
    accept = {"Accept": "application/json, text/event-stream"}
    status, answered, data = send(emulator, verb, path, body, accept | headers)
    assert status == 403
    assert json.loads(data)["error"]["status"] == "PERMISSION_DENIED"
    assert not [name for name in answered if name.lower().startswith("access-control-")]
    assert untouched(emulator)
    assert emulator.faults.report() == []


@pytest.mark.parametrize("path", [APPS, "/emulator/requests", "/emulator/objects?uri=gs://b/o", "/nothing"])
def test_a_rebound_name_reads_nothing(emulator, path):
    """After DNS rebinding a page is of the same origin as what answers it; only Host tells."""
    emulator.journal.clear()
    status, _, data = send(emulator, "GET", path, headers={"Host": "evil.example:8470"})
    assert status == 403
    assert b"desk1" not in data


@pytest.mark.parametrize(
    "host",
    [
        *("", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost@evil.example"),
        *("evil.example@localhost", "127.0.0.1, evil.example", "10.0.0.1", "0.0.0.0", "[::]", "localhost:x"),
        *("127.0.0.1\\@evil.example", "localhost/", "xn--lcalhost-n0b"),
    ],
)
def test_only_loopback_is_a_host(emulator, host):
    """Names that begin or end like a loopback one are not one."""
    assert send(emulator, "GET", APPS, headers={"Host": host})[0] in (400, 403)


@pytest.mark.parametrize("hosts", [["127.0.0.1", "evil.example"], ["evil.example", "127.0.0.1"], []])
def test_there_is_one_host(emulator, hosts):
    """Two say two things, and none says nothing."""
    assert send(emulator, "GET", APPS, headers={"Host": hosts})[0] in (400, 403)


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8470", "127.0.0.1", "127.1.2.3:1", "[::1]:8470", "[::1]"]
)
def test_programs_on_this_machine_are_served(emulator, host):
    """By any spelling of loopback, and through a forwarded port."""
    assert send(emulator, "GET", APPS, headers={"Host": host})[0] == 200


def test_the_emulator_s_own_origin_is_none_of_a_stranger(emulator):
    """Programs that send the address they call as the origin are not web pages."""
    headers = {"Origin": f"http://{emulator.address}", "Sec-Fetch-Site": "same-origin"}
    assert send(emulator, "POST", f"{APPS}?appId=mine1", {"displayName": "Mine"}, headers)[0] == 200


def test_a_preflight_grants_nothing(emulator):
    """A browser asks before a PUT or a JSON body: the answer allows no origin."""
    headers = {"Origin": EVIL, "Access-Control-Request-Method": "PATCH"}
    status, answered, _ = send(emulator, "OPTIONS", f"{APPS}/desk1", headers=headers)
    assert status == 403
    assert not [name for name in answered if name.lower().startswith("access-control-")]


def test_html_of_the_front_end_repeats_nothing_unescaped():
    """A link to the emulator runs no script: what its path holds is text."""
    with EmbeddedEmulator(switches=Switches(front_end_errors="html")) as emulator:
        status, headers, data = send(emulator, "GET", "/v1/<script>alert(1)</script>&x'\"")
    assert (status, headers["content-type"]) == (404, "text/html; charset=UTF-8")
    assert b"<script" not in data
    assert b"&lt;script&gt;alert(1)&lt;/script&gt;&amp;x" in data
    assert headers["x-content-type-options"] == "nosniff"
