"""Whatever is asked, the emulator answers: with what was wanted or with an error of the API, and in JSON."""

import base64
import io
import json
import zipfile
from collections import Counter
from contextlib import ExitStack, closing

import pytest

from cesplan.emulator.archive.layout import FOLDERS
from cesplan.emulator.contract import load
from cesplan.emulator.server.application import Application
from cesplan.emulator.storage.store import Store
from cesplan.emulator.switches import Switches
from tests.unit.emulator.noise import APP, LOCATION, Noise

OTHERWISE = Switches(
    mask_depth="top",
    references="accept",
    type_change="refuse",
    unchanged_version="create",
    used_version_delete="accept",
    app_version_spelling="project_number",
    v1_agent_tool_field="rootAgent",
    check_callbacks=False,
    filter_fields="any",
    proto_names="accept",
    force_removes="all",
    import_overwrite_ids="from_file",
    as_of="2025-06",
    operation_polls=1,
)


class Desk:
    """One emulator, asked without a network between."""

    def __init__(self, store, switches):
        self._application = Application(store, switches)
        tool = {"pythonFunction": {"pythonCode": "def look():\n    return 1\n"}}
        self.ask("POST", f"/v1/{LOCATION}/apps", "appId=desk1", {"displayName": "D"})
        self.ask("POST", f"/v1/{APP}/tools", "toolId=look1", tool)
        front = {"displayName": "Front", "llmAgent": {}, "tools": [f"{APP}/tools/look1"]}
        self.ask("POST", f"/v1/{APP}/agents", "agentId=front", front)
        self.ask("POST", f"/v1/{APP}/versions", "appVersionId=vers1", {})

    def ask(self, verb, path, query, body):
        raw = b"" if body is None else json.dumps(body).encode()
        scope = {"method": verb, "path": path, "query_string": query.encode(), "headers": []}
        reply = self._application.respond(scope, raw)
        return reply.status, json.loads(reply.data)


@pytest.fixture
def new_desk():
    """Makes desks, and closes them in the end."""
    with ExitStack() as stack:
        yield lambda switches: Desk(stack.enter_context(closing(Store())), switches)


@pytest.mark.parametrize("switches", [Switches(), OTHERWISE], ids=["default", "otherwise"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_no_request_makes_the_emulator_fail(new_desk, switches, seed):
    """Any method, any body: never INTERNAL; and enough of them succeed for the others to mean something."""
    noise, statuses = Noise(seed), Counter()
    for index in range(3000):
        if index % 100 == 0:
            desk = new_desk(switches)
        asked = noise.request()
        status, answer = desk.ask(*asked)
        assert status in (200, 400, 404, 409, 501), (asked, answer)
        statuses[status] += 1
    assert min(statuses[200], statuses[400]) > 300, statuses


@pytest.mark.parametrize("seed", range(3))
def test_no_archive_makes_the_emulator_fail(new_desk, seed):
    """Any content of the files of an archive costs a resource or the import, and nothing else."""
    noise, desk = Noise(seed), new_desk(Switches())
    messages = {kind: load().kinds[kind].message for kind in FOLDERS}
    for index in range(60):
        files = {f"{kind}/X/X.json": {"displayName": "X"} | noise.message(m) for kind, m in messages.items()}
        files["app.json"] = noise.message("App") | {"displayName": "Desk"}
        strategy = {"conflictResolutionStrategy": ("REPLACE", "OVERWRITE")[index % 2]}
        body = {"appContent": packed(files), "appId": "desk1", "importOptions": strategy}
        status, answer = desk.ask("POST", f"/v1beta/{LOCATION}/apps:importApp", "", body)
        assert status in (200, 400), (files, answer)


def packed(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, value in files.items():
            archive.writestr(f"Desk/{path}", json.dumps(value))
    return base64.b64encode(out.getvalue()).decode()
