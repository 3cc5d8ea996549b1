"""The emulator of a long day: what it remembers of requests and writes has a limit, and its work is linear."""

import json

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator
from cesplan.emulator.resources import writer
from cesplan.emulator.server import journal
from cesplan.emulator.storage import past
from tests.facts.archives import zipped

APPS = "v1/projects/p/locations/us/apps"


@pytest.fixture
def http():
    with urllib3.PoolManager() as pool:
        yield pool


def write(http, emulator, number, size=20_000):
    """Write the app's instruction, a text of that size."""
    body = {"globalInstruction": str(number) + "x" * size}
    url = f"http://{emulator.address}/{APPS}/desk1?updateMask=globalInstruction"
    assert http.request("PATCH", url, json=body).status == 200


@pytest.fixture
def emulator(http):
    with EmbeddedEmulator() as running:
        made = http.request("POST", f"http://{running.address}/{APPS}?appId=desk1", json={"displayName": "D"})
        assert made.status == 200
        yield running


def test_the_journal_keeps_the_newest_bodies(http, emulator, monkeypatch):
    """Every request stays listed and counted; the bodies of the oldest go."""
    monkeypatch.setattr(journal, "KEPT_BYTES", 100_000)
    for number in range(10):
        write(http, emulator, number)
    bodies = [entry.body for entry in emulator.journal.entries]
    assert emulator.journal.count == len(bodies) == 11
    assert [body and body["globalInstruction"][0] for body in bodies] == [None] * 7 + ["6", "7", "8", "9"]
    shown = http.request("GET", f"http://{emulator.address}/emulator/requests").json()
    assert [one["body"] for one in shown["requests"]] == bodies
    emulator.journal.clear()
    write(http, emulator, 1, size=99_000)
    assert emulator.journal.entries[0].body["globalInstruction"].startswith("1x")


def test_the_change_log_forgets_its_oldest_entries(http, emulator, monkeypatch):
    """The newest is always there, however large; what is kept is never much more than the limit."""
    monkeypatch.setattr(writer, "KEPT_BYTES", 200_000)
    for number in range(40):
        write(http, emulator, number)
        entries = emulator.store.children("projects/p/locations/us/apps/desk1", "changelogs")
        assert sum(len(entry.text) for entry in entries) < 260_000
        assert json.loads(entries[-1].text)["newResource"]["globalInstruction"].startswith(f"{number}x")
    assert 3 <= len(entries) <= 6


def test_what_a_stale_list_is_made_from_has_a_limit(http, emulator, monkeypatch):
    """The rows that the last writes found: a thousand, or fewer where they are large."""
    monkeypatch.setattr(past, "_KEPT_SIZE", 100_000)
    for number in range(40):
        write(http, emulator, number)
    kept = emulator.store._past._done
    assert 0 < sum(len(one.row.text) for one in kept if one.row) <= 100_000
    assert emulator.store.before("projects/p/locations/us", "apps", 1)[0].body["globalInstruction"][:2] == "38"


def steps(http, count, **body):
    """Return how much SQLite had to do for an import of so many tools over as many."""
    files = {"app.json": {"displayName": "D"}}
    for number in range(count):
        files[f"tools/t{number}/t{number}.json"] = {"displayName": f"t{number}", **body}
        if not body:
            files[f"tools/t{number}/t{number}.json"]["clientFunction"] = {"name": f"t{number}"}
    request = {"appId": "desk1", "appContent": zipped(files)}
    request["importOptions"] = {"conflictResolutionStrategy": "REPLACE"}
    with EmbeddedEmulator() as emulator:
        ticks = []
        for _ in range(2):
            emulator.store._db.set_progress_handler(lambda: ticks.append(1) and None, 100)
            answer = http.request("POST", f"http://{emulator.address}/{APPS}:importApp", json=request)
            assert answer.status == 200
    return len(ticks)


@pytest.mark.parametrize("body", [{}, {"mcpTool": {"name": "t", "serverAddress": "https://x.example"}}])
def test_an_import_is_linear(http, body):
    """REPLACE of four times as many tools is four times the work, also where each has to be left out."""
    assert steps(http, 400, **body) < 5 * steps(http, 100, **body)
