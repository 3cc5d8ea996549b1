"""One request over real sockets, and every way in which it can go wrong."""

import datetime
import ssl
import threading

import pytest

from cesplan import __version__
from cesplan.domain.field_path import mask_path
from cesplan.domain.service.endpoint import parse_endpoint
from cesplan.domain.value import Secret
from cesplan.model.kinds import KINDS, kind_of
from cesplan.remote import calls
from cesplan.remote.pools import direct_pool
from cesplan.remote.transport import READING, WRITING, ForbiddenMethod, NoAnswer, NotSent, Transport

APP = "projects/acme-dev/locations/us/apps/support-desk"
READ = calls.get(kind_of("apps"), APP)
CREATE = calls.create(kind_of("agents"), APP, "front-desk", {"displayName": "Empfang ✓"})


@pytest.fixture
def transport():
    made = []

    def make(address, methods=WRITING, scheme="http", **chosen):
        pool = direct_pool()
        made.append(
            Transport(
                endpoint=parse_endpoint(f"{scheme}://{address}"),
                pool=pool,
                methods=methods,
                api_version="v1beta",
                **chosen,
            )
        )
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_what_goes_out_and_what_comes_back(odd_server, transport):
    """Method, target, JSON in UTF-8, our name; the answer as it is."""
    server = odd_server((200, {"name": "n"}, {"X-Extra": "1"}))
    answer = transport(server.address).send(CREATE, {"authorization": "Bearer t"})
    assert (answer.status, answer.data, answer.headers["x-extra"]) == (200, b'{"name": "n"}', "1")
    [(method, target, headers, data)] = server.requests
    assert (method, target) == ("POST", f"/v1beta/{APP}/agents?agentId=front-desk")
    assert data == '{"displayName":"Empfang ✓"}'.encode()
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    assert headers["User-Agent"] == f"cesplan/{__version__} (gzip)"
    assert headers["authorization"] == "Bearer t"


def test_headers_of_the_transport_win(odd_server, transport):
    """A quota project that was asked for wins over the one in the credentials."""
    server = odd_server((200, {}))
    made = transport(server.address, headers={"x-goog-user-project": "asked"})
    made.send(READ, {"x-goog-user-project": "from-credentials"})
    assert server.requests[0][2]["x-goog-user-project"] == "asked"


def test_secrets_are_revealed_only_here(odd_server, transport):
    """A secret that is still wrapped travels as its text."""
    server = odd_server((200, {}))
    body = {"displayName": Secret(variables=("key",), text="hunter2")}
    transport(server.address).send(calls.create(kind_of("agents"), APP, "x", body), {})
    assert server.requests[0][3] == b'{"displayName":"hunter2"}'


@pytest.mark.parametrize("methods", [READING, WRITING])
def test_a_custom_method_needs_a_permission_of_its_own(odd_server, transport, methods):
    """Not even a writing transport starts a run of evaluations unless it was made for that."""
    server = odd_server((200, {}))
    with pytest.raises(ForbiddenMethod):
        transport(server.address, methods=methods).send(calls.run_evaluation(APP, {}), {})
    assert server.requests == []


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_reading_transport_writes_nothing(odd_server, transport, kind):
    """Every write of every kind is stopped before anything is sent."""
    server = odd_server((200, {}))
    made = transport(server.address, methods=READING)
    writes = [calls.Call(verb=verb, resource=APP, kind=kind) for verb in ("create", "update", "delete")]
    for call in writes:
        with pytest.raises(ForbiddenMethod):
            made.send(call, {})
    assert (server.requests, made.requests) == ([], 0)


def test_the_allow_list_holds_reading_methods_only():
    """GET and nothing else."""
    assert frozenset({"GET"}) == READING


def test_connections_are_kept(odd_server, transport):
    """Many requests, one connection."""
    server = odd_server((200, {}))
    made = transport(server.address)
    for _ in range(5):
        made.send(READ, {})
    assert made.requests == 5
    pool = made._pool.connection_from_url(f"http://{server.address}")
    assert pool.num_connections == 1


def test_requests_are_counted_across_threads(odd_server, transport):
    """The count is exact, anyone who sends."""
    server = odd_server((200, {}))
    made = transport(server.address)
    threads = [threading.Thread(target=made.send, args=(READ, {})) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made.requests == len(server.requests) == 20


def test_a_refused_connection_was_not_sent(transport, free_port):
    """Nobody listens: nothing went out."""
    with pytest.raises(NotSent, match="refused"):
        transport(f"127.0.0.1:{free_port}").send(READ, {})


@pytest.mark.parametrize("fault", ["drop", "reset", "truncate"])
@pytest.mark.parametrize("call", [READ, CREATE])
def test_a_broken_connection_leaves_doubt(odd_server, transport, fault, call):
    """The request went out; half an answer is none."""
    server = odd_server(fault)
    with pytest.raises(NoAnswer):
        transport(server.address).send(call, {})
    assert len(server.requests) == 1


def test_a_silent_server_leaves_doubt(odd_server, transport):
    """After the time for reading the answer counts as lost."""
    server = odd_server("stall")
    with pytest.raises(NoAnswer, match="timed out"):
        transport(server.address, read_seconds=0.1).send(CREATE, {})


def test_reasons_hold_no_object_addresses(odd_server, transport, free_port):
    """Messages of the library below are stripped of `<… object at 0x…>`."""
    for address in (odd_server("drop").address, f"127.0.0.1:{free_port}"):
        with pytest.raises((NotSent, NoAnswer)) as caught:
            transport(address).send(READ, {})
        assert "0x" not in str(caught.value)
        assert str(caught.value)


def test_redirects_are_not_followed(odd_server, transport):
    """An API has none; a token must not travel on."""
    server = odd_server((302, b"", {"Location": "http://127.0.0.1:1/elsewhere"}))
    assert transport(server.address).send(READ, {}).status == 302
    assert len(server.requests) == 1


def test_gzip_is_understood(odd_server, transport):
    """Answers may be compressed."""
    import gzip

    server = odd_server((200, gzip.compress(b'{"name": "n"}'), {"Content-Encoding": "gzip"}))
    assert transport(server.address).send(READ, {}).data == b'{"name": "n"}'


def test_numbers_that_json_lacks_are_refused(transport, free_port):
    """NaN in a body is a programming error, found before anything is sent."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        transport(f"127.0.0.1:{free_port}").send(
            calls.create(kind_of("agents"), APP, "x", {"a": float("nan")}), {}
        )


def test_certificates_are_verified(self_signed_server, transport):
    """An untrusted certificate ends it before the request, token included, is sent."""
    address, heard = self_signed_server
    with pytest.raises(NotSent, match="not trusted") as caught:
        transport(address, scheme="https").send(READ, {"authorization": "Bearer t"})
    assert caught.value.permanent
    assert heard == []


def test_the_log_tells_everything_but_values(odd_server, transport):
    """Number, method, target, field names, status, size; no header and no value."""
    server = odd_server((200, {"name": "n", "agents": [1, 2]}), "drop", (409, {"error": {"status": "ABORTED"}}))
    told = []
    made = transport(server.address, log=told.append)
    call = calls.update(
        kind_of("agents"), f"{APP}/agents/a", {"instruction": "hunter2"}, (mask_path("instruction"),)
    )
    made.send(call, {"authorization": "Bearer hunter2"})
    with pytest.raises(NoAnswer):
        made.send(READ, {})
    made.send(READ, {})
    lines = [str(item) for item in told]
    assert lines[0].startswith(
        f"#1 PATCH /v1beta/{APP}/agents/a?updateMask=instruction {{instruction, name}} "
        "→ 200 {agents[2], name}, 31 bytes, "
    )
    assert lines[1].startswith(f"#2 GET /v1beta/{APP} → no response, ")
    assert lines[2].startswith(f"#3 GET /v1beta/{APP} → 409 {{ABORTED}}, ")
    assert "hunter2" not in "".join(lines)
    assert "uthorization" not in "".join(lines)


@pytest.fixture
def free_port():
    """A port on which nobody listens: taken, and never listened on."""
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture
def self_signed_server(tmp_path):
    """TLS on the loopback with a certificate nobody trusts; yields the address and what arrived."""
    import socket

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificate(tmp_path))
    heard = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        try:
            connection, _ = listener.accept()
            with connection, context.wrap_socket(connection, server_side=True) as secured:
                heard.append(secured.recv(100))
        except OSError:
            pass  # the client turns away during the handshake, as it should

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"127.0.0.1:{listener.getsockname()[1]}", heard
    thread.join(5)
    listener.close()


def _certificate(folder):
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    day = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(day)
        .not_valid_after(day + datetime.timedelta(days=36500))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "server.pem"
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path
