"""What is small on the wire and large in memory, sent to the emulator: refused at once, in so many words."""

import base64
import gzip
import io
import json
import socket
import struct
import tracemalloc
import zipfile
import zlib

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator, Switches
from cesplan.emulator.resources import tool_schemas as retrieving

APPS = "v1beta/projects/p/locations/us/apps"
APP = f"{APPS}/desk1"
MIB = 2**20


@pytest.fixture(scope="module")
def emulator():
    """One that takes bodies of 1 MiB, so that the bombs of this page can be small."""
    with EmbeddedEmulator(switches=Switches(largest_body=1)) as running:
        running.seed({"name": "projects/p/locations/us/apps/desk1", "displayName": "Desk"})
        yield running


@pytest.fixture(scope="module")
def http():
    with urllib3.PoolManager() as pool:
        yield pool


def refused(answer, part):
    """Check that an answer is a plain refusal that says a thing, and neither a failure nor a page long."""
    assert answer.status == 400, answer.data[:300]
    error = json.loads(answer.data)["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert part in error["message"], error["message"][:300]
    assert len(answer.data) < 100_000


@pytest.mark.parametrize(
    "path", [APPS, "mcp", "emulator/resources", "emulator/objects?uri=gs://b/o", "nothing"]
)
def test_a_large_body_is_not_read(emulator, http, path):
    """The announced length is enough; what is in the way of an answer is not the body."""
    verb = "PUT" if "objects" in path else "POST"
    answer = http.request(verb, f"http://{emulator.address}/{path}", body=b" " * (MIB + 1), retries=False)
    refused(answer, "more than 1048576 bytes")


def test_a_body_of_unknown_length_ends_at_the_limit(emulator):
    """In chunks, without a length, for ever: the answer comes after the limit, and the connection closes."""
    host, port = emulator.address.split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        head = f"POST /{APPS} HTTP/1.1\r\nHost: {emulator.address}\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        try:
            for _ in range(200):
                connection.sendall(chunk)
        except OSError:
            pass  # it was closed while we were sending
        connection.settimeout(20)
        try:
            answer = connection.recv(10_000)
        except ConnectionResetError:
            return
    assert answer == b"" or b"more than 1048576 bytes" in answer


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_compressed_body_is_not_unpacked(emulator, http, encoding):
    """No encoding of bodies is supported, so none can be a bomb."""
    body = gzip.compress(b" " * 10 * MIB)
    headers = {"Content-Encoding": encoding}
    refused(
        http.request("POST", f"http://{emulator.address}/{APPS}", body=body, headers=headers),
        "Content-Encoding",
    )


def test_a_multipart_upload_is_no_json(emulator, http):
    """There is no route for uploads: a form of a thousand parts is text that is not JSON."""
    fields = {f"part{n}": "x" for n in range(1000)}
    refused(http.request("POST", f"http://{emulator.address}/{APPS}", fields=fields), "not JSON")


def archive(files, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def imported(emulator, http, data):
    body = json.dumps({"appContent": base64.b64encode(data).decode()})
    return http.request("POST", f"http://{emulator.address}/{APPS}:importApp", body=body)


APP_FILE = {"app.json": '{"displayName": "Desk"}'}


def test_an_archive_that_unpacks_to_gigabytes(emulator, http):
    """Counted while it is unpacked: 9 MiB of blanks in 9 KB, where 8 MiB are allowed; no more is ever held."""
    data = archive(APP_FILE | {f"blank{n}.txt": b" " * MIB for n in range(9)})
    tracemalloc.start()
    refused(imported(emulator, http, data), "more than 8388608 bytes")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 * MIB


def test_an_archive_that_lies_about_sizes(emulator, http):
    """The directory says one byte where there are ten million: the file is passed over, not held."""
    data = archive(APP_FILE | {"big.txt": b" " * 10_000_000})
    lying = data.replace(struct.pack("<I", 10_000_000), struct.pack("<I", 1))
    assert lying != data
    answer = imported(emulator, http, lying)
    assert answer.status == 200, answer.data


def test_an_archive_of_damaged_files(emulator, http):
    """Unpacked to find out that it is damaged, each counts as large as it claims to be; the rest is left."""
    data = archive(APP_FILE | {f"blank{n}.txt": b" " * MIB for n in range(20)})
    checksum = struct.pack("<I", zlib.crc32(b" " * MIB))
    assert data.count(checksum) == 40
    refused(imported(emulator, http, data.replace(checksum, b"\0\0\0\0")), "more than 8388608 bytes")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_cannot_be_unpacked_in_parts(emulator, http, method):
    """A file packed by one of them is none that the emulator reads; so there is no app in this archive."""
    refused(imported(emulator, http, archive(APP_FILE, method)), "neither app.yaml nor app.json")


@pytest.mark.parametrize("cut", [10, 60, -30, -10])
def test_a_damaged_archive(emulator, http, cut):
    """Whatever the damage does to zlib or to the directory: an error of the request."""
    data = archive(APP_FILE | {"agents/A/A.json": json.dumps({"displayName": "A", "instruction": "x" * 500})})
    answer = imported(emulator, http, data[:cut] + b"\xff" * 8 + data[cut:][8:])
    assert answer.status in (200, 400)
    assert imported(emulator, http, data[:cut]).status == 400


ALIASES = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
)
MERGES = "a0: &a0 {k: 1}\n" + "".join(
    f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 30)
)


@pytest.mark.parametrize("text", [ALIASES, MERGES, "a: " + "[" * 2000 + "]" * 2000, "x: &x [*x]"])
def test_a_few_lines_of_yaml_that_stand_for_billions(emulator, http, text):
    """Aliases of aliases, merges of merges, depth, a list inside itself: no document."""
    refused(imported(emulator, http, archive({"app.yaml": f"displayName: D\n{text}"})), "app.yaml")


DEEP = 3000
FILTERS = [
    *("(" * DEEP, "(" * DEEP + "display_name=a" + ")" * DEEP, "NOT " * DEEP + "display_name=a"),
    "-(" * DEEP + "display_name=a" + ")" * DEEP,
]


@pytest.mark.parametrize(
    ("path", "query"),
    [
        *((f"{APP}/agents", {"filter": text}) for text in FILTERS),
        (f"{APP}/agents", {"fields": "/".join(["a"] * DEEP)}),
        (f"{APP}/agents", {"fields": "a(" * DEEP + "a" + ")" * DEEP}),
        (f"{APP}/agents", {"orderBy": "(" * DEEP}),
        (f"{APP}/agents", {"pageToken": base64.urlsafe_b64encode(b"[" * DEEP).decode()}),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_deep_query(emulator, http, path, query):
    """Filters, selectors, orders and tokens have a depth at which they are refused."""
    refused(http.request("GET", f"http://{emulator.address}/{path}", fields=query), next(iter(query)))


def test_a_deep_filter_of_a_tool(emulator, http):
    """The same through /mcp, where a query is a body and can be of any length."""
    call = {
        "name": "list_agents",
        "arguments": {"parent": "projects/p/locations/us/apps/desk1", "filter": "(" * 9000},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Accept": "application/json, text/event-stream"}
    answer = http.request("POST", f"http://{emulator.address}/mcp", json=body, headers=headers).json()
    assert answer["result"]["isError"] is True
    assert "levels deep" in answer["result"]["content"][0]["text"]


def test_a_wide_filter_is_no_deep_one(emulator, http):
    """A thousand terms side by side are read."""
    text = " OR ".join(f"display_name={n}" for n in range(1000))
    answer = http.request("GET", f"http://{emulator.address}/{APP}/agents", fields={"filter": text})
    assert answer.status == 200


@pytest.mark.parametrize(
    "body", [b"[" * 200_000, b'{"metadata":' * 200 + b"1" + b"}" * 200], ids=["lists", "objects"]
)
def test_a_deep_body(emulator, http, body):
    """JSON is as deep as protobuf's own parsers go."""
    refused(http.request("POST", f"http://{emulator.address}/{APPS}", body=body), "100 levels")


def test_a_mask_of_a_schema_inside_itself(emulator, http):
    """`items` of a schema is a schema: a path can be valid and endless."""
    tool = {"clientFunction": {"name": "f", "parameters": {"type": "ARRAY"}}}
    made = http.request("POST", f"http://{emulator.address}/{APP}/tools?toolId=client1", json=tool)
    assert made.status == 200, made.data
    mask = "clientFunction.parameters" + ".items" * DEEP
    url = f"http://{emulator.address}/{APP}/tools/client1?updateMask={mask}"
    refused(http.request("PATCH", url, json=tool), "more than 100 parts")


def test_a_body_with_a_hundred_thousand_faults(emulator, http):
    """The answer names a hundred of them."""
    answer = http.request("POST", f"http://{emulator.address}/{APPS}", json={f"x{n}": 1 for n in range(60_000)})
    refused(answer, "x99")
    assert b"x100:" not in answer.data


@pytest.mark.parametrize("code", ["(" * 5000, "-" * 50_000 + "1", "a" + ".b" * 50_000, "f(" * 5000])
def test_python_that_is_nested_too_deeply(emulator, http, code):
    """Its parser gives up in several ways; each is the refusal of that field."""
    body = {"displayName": "A", "beforeAgentCallbacks": [{"pythonCode": code}]}
    refused(http.request("POST", f"http://{emulator.address}/{APP}/agents", json=body), "pythonCode")


def test_openapi_documents_that_are_nested_too_deeply(emulator, http):
    """Deep by itself, or by references that follow each other: retrieving its tools is refused."""
    schemas = {
        f"S{n}": {"type": "array", "items": {"$ref": f"#/components/schemas/S{n + 1}"}} for n in range(2000)
    }
    operation = {
        "operationId": "op",
        "parameters": [{"name": "q", "schema": {"$ref": "#/components/schemas/S0"}}],
    }
    document = {"openapi": "3.0.0", "paths": {"/a": {"get": operation}}, "components": {"schemas": schemas}}
    for key, text in (("refs", json.dumps(document)), ("deep", "[" * 5000)):
        body = {"displayName": key, "openApiToolset": {"openApiSchema": text}}
        url = f"http://{emulator.address}/{APP}/toolsets?toolsetId=toolset-{key}"
        assert http.request("POST", url, json=body).status in (200, 400)
    toolset = {"toolset": "projects/p/locations/us/apps/desk1/toolsets/toolset-refs", "toolId": "op"}
    url = f"http://{emulator.address}/{APP}:retrieveToolSchema"
    refused(http.request("POST", url, json={"toolsetTool": toolset}), "nested too deeply")


def test_many_tools_of_one_large_document(emulator, http, monkeypatch):
    """Each repeats what all share: 50 operations beside 20 KB would be a megabyte, where half is allowed."""
    monkeypatch.setattr(retrieving, "_MOST_TEXT", MIB // 2)
    paths = {f"/{n}": {"get": {"operationId": f"op{n}"}} for n in range(50)}
    document = {
        "openapi": "3.0.0",
        "paths": paths,
        "components": {"schemas": {"S": {"description": "x" * 20_000}}},
    }
    body = {"displayName": "many", "openApiToolset": {"openApiSchema": json.dumps(document)}}
    made = http.request("POST", f"http://{emulator.address}/{APP}/toolsets?toolsetId=toolset-many", json=body)
    assert made.status == 200
    url = f"http://{emulator.address}/{APP}/toolsets/toolset-many:retrieveTools"
    refused(http.request("POST", url, json={}), "ask for fewer tools")
    assert len(http.request("POST", url, json={"toolIds": ["op1", "op2"]}).json()["tools"]) == 2
