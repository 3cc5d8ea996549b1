"""
A stranger's tree or plan file names a host that is to receive the access token of the pipeline.

The attacker writes `cesplan.yaml` or a plan file. Whatever they write, no connection is tried but to Google and
no credentials are loaded for another host, unless the command line or the environment names that very host.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import google.auth
import pytest
import urllib3
from hypothesis import example, given
from hypothesis import strategies as st
from urllib3.util import connection, parse_url

from cesplan.domain.resource_name import Place
from cesplan.domain.service.endpoint import parse_endpoint
from cesplan.domain.settings import Settings
from cesplan.emulator import EmbeddedEmulator
from cesplan.remote import connecting
from cesplan.render.machine.plan_file import DIGEST, file_digest
from tests.cli.conftest import Run, Tree

GOOGLE = ("ces.googleapis.com", 443)


class Watch:
    """Sees which hosts are dialled, and whether credentials are loaded. Nothing is ever connected."""

    def __init__(self) -> None:
        self.dialled: list[tuple[str, int]] = []
        self.loaded = 0

    def dial(self, address: tuple[str, int], *_: Any, **__: Any) -> Any:
        self.dialled.append(address)
        raise ConnectionRefusedError("watched")

    def load(self, *_: Any, **__: Any) -> tuple[Any, str]:
        self.loaded += 1
        return _Token(), "acme-dev"


class _Token:
    valid = True

    def refresh(self, _: Any) -> None:
        raise AssertionError("a valid token is not renewed")

    def apply(self, headers: dict[str, str]) -> None:
        headers["authorization"] = "Bearer the-token"


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Instead of the network, and without waiting between tries."""
    made = Watch()
    monkeypatch.setattr(connection, "create_connection", made.dial)
    monkeypatch.setattr(google.auth, "default", made.load)
    monkeypatch.setattr("cesplan.remote.connecting.Backoff", lambda: _ONE_TRY)
    for name in (
        "CES_EMULATOR_HOST",
        "CESPLAN_ENDPOINT",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)
    return made


_ONE_TRY = connecting.Backoff(tries=1)

HOSTILE_ENDPOINTS = [
    "https://evil.example",
    "evil.example",
    "http://127.0.0.1:8080",
    "http://127.0.0.2:8080\\@localhost",
    "https://evil.example\\@ces.googleapis.com",
    "https://evil.example\\.googleapis.com",
    "https://ces.googleapis.com@evil.example",
    "https://ces.googleapis.com.evil.example",
    "https://evilgoogleapis.com",
    "https://evil.example/.googleapis.com",
    "https://evil.example?.googleapis.com",
    "https://evil.example#.googleapis.com",
    "https://ces.googleapis.com:8443",
    "https://ces.googleapis.com:443@evil.example",
    "http://ces.googleapis.com",
    "http://localhost.evil.example",
    "http://127.1:8080",
    "http://2130706433",
    "http://0x7f000001",
    "http://017700000001",
    "http://[::1%25eth0]:8080",
    "https://[fe80::1%eth0]",
    "https://ces.googleapis.com.",
    "https://evil\u3002googleapis.com",
    "https://ces.\uff47oogleapis.com",
    "https://evil.example\u2044.googleapis.com",
    "https://evil.example\t.googleapis.com",
    "https://evil.example%2f.googleapis.com",
    " https://evil.example",
    "//evil.example",
    "https:evil.example",
]


@pytest.mark.parametrize("endpoint", HOSTILE_ENDPOINTS)
def test_a_tree_does_not_choose_the_host(tree: Tree, cesplan: Run, watch: Watch, endpoint: str) -> None:
    """`endpoint:` of a pull request ends with 5 or 7, before credentials are loaded or a host is dialled."""
    tree.replace("cesplan.yaml", "location: us\n", f"location: us\nendpoint: {json.dumps(endpoint)}\n")
    for command in (["plan"], ["apply", "--auto-approve"], ["pull", "help-desk"], ["pull", "--merge"]):
        ran = cesplan(*command)
        assert ran.code in (5, 7), (command, ran)
    assert (watch.dialled, watch.loaded) == ([], 0)


@pytest.mark.parametrize(
    "line",
    [
        "location: 'x@127.0.0.1:1/a?'",
        "location: ../../..",
        "location: us/apps/x/../../..",
        'location: "us\\n"',
        "location: ''",
        "project: '../..'",
        "project: 'a?b'",
        "project: 'a#b'",
        "project: 'acme-dev/locations/us'",
    ],
)
@pytest.mark.parametrize("regional", [True, False])
def test_a_place_is_not_a_way_to_another_host_or_path(
    tree: Tree,
    cesplan: Run,
    watch: Watch,
    line: str,
    regional: bool,
) -> None:
    """Project and location have their documented forms, and are refused where they are."""
    name = line.partition(":")[0]
    text = re.sub(rf"(?m)^{name}: .*$", lambda _: line, (tree.root / "cesplan.yaml").read_text(), count=1)
    tree.write("cesplan.yaml", text + ("endpoint: regional\n" if regional else ""))
    ran = cesplan("plan")
    assert ran.code == 7
    assert f"`{name}` cannot be `" in ran.err
    assert (watch.dialled, watch.loaded) == ([], 0)


def test_google_is_dialled_without_confirmation(tree: Tree, cesplan: Run, watch: Watch) -> None:
    """The rule costs nothing where nobody attacks: the default host, and others of Google's APIs."""
    cesplan("plan")
    tree.replace("cesplan.yaml", "location: us\n", "location: us\nendpoint: regional\n")
    cesplan("plan")
    assert watch.dialled == [GOOGLE, ("ces.us.rep.googleapis.com", 443)]
    assert watch.loaded == 2


@pytest.mark.parametrize("how", ["option", "environment", "list"])
def test_the_user_confirms_a_host(
    tree: Tree,
    cesplan: Run,
    watch: Watch,
    how: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same URL in any spelling, on the command line or in the environment."""
    tree.replace("cesplan.yaml", "location: us\n", "location: us\nendpoint: https://Proxy.example/\n")
    named = {
        "option": "",
        "environment": "proxy.example:443",
        "list": "https://a.example, https://proxy.example",
    }
    monkeypatch.setenv("CESPLAN_ENDPOINT", named[how])
    cesplan("plan", *(["--endpoint", "https://proxy.example"] if how == "option" else []))
    assert watch.dialled == [("proxy.example", 443)]


def test_confirming_one_host_confirms_no_other(
    tree: Tree,
    cesplan: Run,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another port or name than the confirmed one is another host."""
    monkeypatch.setenv("CESPLAN_ENDPOINT", "https://proxy.example")
    tree.replace("cesplan.yaml", "location: us\n", "location: us\nendpoint: https://proxy.example:8443\n")
    assert cesplan("plan").code == 5
    assert (watch.dialled, watch.loaded) == ([], 0)


def test_both_environments_of_a_promotion_are_confirmed(
    tree: Tree,
    cesplan: Run,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`promote --live` reads two places; a hostile one among them receives nothing."""
    monkeypatch.setenv("CESPLAN_ENDPOINT", "https://one.example")
    tree.replace(
        "cesplan.yaml",
        "  prod: {project: acme-prod}\n",
        "  dev: {endpoint: 'https://evil.example'}\n  prod: {project: acme-prod, endpoint: 'https://one.example'}\n",
    )
    for pair in (["dev", "prod"], ["prod", "dev"]):
        cesplan("promote", *pair, "--live")
        cesplan("promote", *pair)
    assert "evil.example" not in {host for host, _ in watch.dialled}


def test_a_plan_file_does_not_choose_the_host(
    tree: Tree,
    cesplan: Run,
    service: EmbeddedEmulator,
    monkeypatch: pytest.MonkeyPatch,
    request: Any,
) -> None:
    """A forged plan file, digests and all, ends with 5 before anything is loaded; `show` names its endpoint."""
    cesplan("plan", "--out", "plan.json")
    for endpoint in ("https://evil.example", "http://127.0.0.1:1"):
        _forge(Path("plan.json"), endpoint=endpoint, emulated=False)
        monkeypatch.delenv("CES_EMULATOR_HOST", raising=False)
        shown = cesplan("show", "plan.json")
        assert f"help-desk · acme-dev/us · v1beta · {endpoint}\n" in shown.out
        seen = request.getfixturevalue("watch")
        ran = cesplan("apply", "plan.json")
        assert ran.code == 5
        assert f"The endpoint {endpoint} is not confirmed. Nothing was sent." in ran.err
        assert (seen.dialled, seen.loaded) == ([], 0)
    cesplan("apply", "plan.json", "--endpoint", "http://127.0.0.1:1")
    assert set(seen.dialled) == {("127.0.0.1", 1)}


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("location", "x@127.0.0.1:1/a?"),
        ("location", "../.."),
        ("project", "a/../b"),
        ("api_version", "../v1"),
        ("endpoint", "http://127.0.0.2:1\\@localhost"),
        ("endpoint", "https://u@ces.googleapis.com"),
    ],
)
def test_a_plan_file_with_an_odd_place_is_not_read(
    tree: Tree,
    cesplan: Run,
    service: EmbeddedEmulator,
    member: str,
    value: str,
) -> None:
    """What a tree may not say, a plan file may not say."""
    cesplan("plan", "--out", "plan.json")
    _forge(Path("plan.json"), **{member: value})
    for command in (["show", "plan.json"], ["apply", "plan.json"]):
        ran = cesplan(*command)
        assert ran.code == 7
        assert "The plan file cannot be used" in ran.err


def _forge(path: Path, **settings: Any) -> None:
    """Other settings in a plan file, with the digest that they need."""
    document = json.loads(path.read_text())
    document["apply"]["settings"].update(settings)
    document[DIGEST] = file_digest(document)
    path.write_text(json.dumps(document))


@pytest.mark.parametrize("name", ["--endpoint", "CESPLAN_ENDPOINT"])
def test_what_the_user_types_wrong_is_wrong_usage(
    tree: Tree,
    cesplan: Run,
    watch: Watch,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Exit code 64, and nothing is sent."""
    wrong = "http://127.0.0.2:1\\@localhost"
    if name.startswith("--"):
        ran = cesplan("plan", name, wrong)
    else:
        monkeypatch.setenv(name, wrong)
        ran = cesplan("plan")
    assert ran.code == 64
    assert (watch.dialled, watch.loaded) == ([], 0)


@given(st.text(alphabet="abz019.-:/\\@[]%?#_ \t\n\u3002\uff0elocalhsgeip", max_size=40))
@example("https://ces.googleapis.com")
@example("http://[::1]:8080/")
@example("http://127.0.0.2:80\\@localhost")
def test_one_reading_of_every_url(text: str) -> None:
    """What the grammar takes, the parser of the HTTP library reads as the very same scheme, host and port."""
    for candidate in (text, f"https://{text}", f"http://localhost{text}", f"https://{text}.googleapis.com"):
        try:
            found = parse_endpoint(candidate)
        except ValueError:
            continue
        read = parse_url(candidate if "://" in candidate else f"https://{candidate}")
        assert (
            read.scheme,
            (read.host or "").strip("[]").lower(),
            read.port or {"https": 443, "http": 80}[found.scheme],
        ) == (
            found.scheme,
            _as_urllib3(found.host),
            found.port,
        )
        assert (read.auth, read.path or "/", read.query, read.fragment) == (None, "/", None, None)
        assert parse_endpoint(str(found)) == found


def _as_urllib3(host: str) -> str:
    return (parse_url(f"https://[{host}]").host or "").strip("[]") if ":" in host else host


@pytest.fixture
def thief() -> Iterator[Callable[[], tuple[str, list[dict[str, str]]]]]:
    """Makes servers on the loopback that redirect to an address, or keep what they hear."""
    running: list[HTTPServer] = []

    def start(location: str = "") -> tuple[str, list[dict[str, str]]]:
        heard: list[dict[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                heard.append({name.lower(): value for name, value in self.headers.items()})
                self.send_response(307 if location else 200)
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_: Any) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        running.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}", heard

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


def test_a_redirect_is_not_followed(thief: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The confirmed host itself cannot hand the token on."""
    monkeypatch.setattr(google.auth, "default", lambda **_: (_Token(), ""))
    there, stolen = thief()
    here, asked = thief(f"{there}/v1beta/projects")
    settings = Settings(place=Place(project="acme-dev", location="us"), endpoint=here)
    with connecting.connect(settings, confirmed={here}) as client, pytest.raises(Exception, match="leads to"):
        client.list_apps(settings.place)
    assert [item["authorization"] for item in asked] == ["Bearer the-token"]
    assert stolen == []


def test_an_emulator_never_hears_a_token(
    tree: Tree, cesplan: Run, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CES_EMULATOR_HOST wins over the endpoint of a tree, and needs no credentials."""
    tree.replace("cesplan.yaml", "location: us\n", "location: us\nendpoint: https://evil.example\n")
    monkeypatch.setenv("CES_EMULATOR_HOST", "127.0.0.1:1")
    cesplan("plan")
    assert set(watch.dialled) == {("127.0.0.1", 1)}
    assert watch.loaded == 0


def test_the_version_of_the_http_library_still_dials_what_it_is_told() -> None:
    """Connections are made from host and port; this holds as long as the library takes them as they are."""
    with urllib3.PoolManager() as pool:
        made = pool.connection_from_host("::1", 8443, "https")
        assert (made.host, made.port, made.scheme) == ("::1", 8443, "https")
