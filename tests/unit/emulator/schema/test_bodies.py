"""What comes over the wire is JSON that protobuf can hold, or is refused with the reason."""

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator
from cesplan.emulator.schema.bodies import loads, parsed

APPS = "v1beta/projects/p/locations/us/apps"
WRONG = {
    b"{": "line 1",
    b'{"a": NaN}': "NaN is not JSON",
    b'{"a": 1e999}': "1e999 is out of range",
    b'{"a": "\xff"}': "utf-8",
    b'{"a": "\\ud800"}': "surrogates",
    b'{"\\udc00": 1}': "surrogates",
    b"[" * 101 + b"]" * 101: "more than 100 levels",
    b'{"a":' * 101 + b"1" + b"}" * 101: "more than 100 levels",
    b"[" * 100_000: "more than 100 levels",
    b"9" * 5000: "4300 digits",
    "{}".encode("utf-16"): "utf-8",
}


@pytest.mark.parametrize(("raw", "why"), WRONG.items(), ids=range(len(WRONG)))
def test_what_is_no_json_of_protobuf_is_refused(raw, why):
    """The reason is reported; whatever it is, it is a ValueError."""
    with pytest.raises(ValueError, match=why):
        loads(raw)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b" ", None),
        (b"[1, 2.5, null]", [1, 2.5, None]),
        (b'"\\ud83d\\ude00"', "😀"),
        (b"[" * 100 + b"]" * 100, None),
        (b"[" + b"[]," * 200 + b"[]]", [[]] * 201),
    ],
    ids=range(5),
)
def test_what_is_json_is_read(raw, value):
    """Pairs of surrogates are one character; a hundred levels are not too many, nor are many side by side."""
    found = parsed(raw)
    assert value is None or found == value


@pytest.mark.parametrize("path", [f"{APPS}?appId=desk1", "mcp", "emulator/resources"])
def test_every_door_refuses_it_as_an_error_of_its_own(path):
    """REST and control routes answer INVALID_ARGUMENT, /mcp a parse error of JSON-RPC; none fails."""
    headers = {"Accept": "application/json, text/event-stream"}
    with EmbeddedEmulator() as emulator:
        for raw in WRONG:
            answer = urllib3.request("POST", f"http://{emulator.address}/{path}", body=raw, headers=headers)
            error = answer.json()["error"]
            assert (answer.status, error["code"]) == (400, -32700 if path == "mcp" else 400)
            assert "is not JSON" in error["message"]
