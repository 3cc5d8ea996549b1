"""
Ten apps in the official layout, with the habits of those that people have, and the whole way of each.

Samples with `tool_input` and XML in instructions, exports of old dates without `name`, hand-written ones in
snake_case with notes, stray files, collapsed tool ids, several environment files, YAML, unknown fields, missing
required fields, names in other scripts.
"""

import base64
import io
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run

APPS = Path(__file__).parent / "apps"
NAMES = sorted(path.name for path in APPS.iterdir())
PLACE = ("--project", "acme-dev", "--location", "us")
LOCATION = "projects/acme-dev/locations/us"
APP_ID = "the-app"


@pytest.fixture
def export(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of an app, with what Python leaves behind in it."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    folder = Path(shutil.copytree(APPS / request.param, tmp_path / "export"))
    for code in [*folder.rglob("python_code.py")]:
        code.with_name("python_code.cpython-311.pyc").write_bytes(b"\xa7\r\r\n\x00\x00")
    return folder


def test_there_are_ten() -> None:
    assert len(NAMES) == 10


@pytest.mark.parametrize("export", NAMES, indirect=True)
def test_the_whole_way(export: Path, cesplan: Run, service: EmbeddedEmulator) -> None:
    """Checked, applied, pulled, converted there and back: every plan on the way is empty."""
    to = (*PLACE, "--app-id", APP_ID)

    def plans_to_nothing(*words: str) -> None:
        planned = cesplan("plan", *words, "--detailed-exitcode")
        assert (planned.code, "No changes" in planned.out) == (0, True), planned.out + planned.err

    done(cesplan("validate", "--from", "export", *to))
    done(cesplan("apply", "--from", "export", *to, "--auto-approve"))
    plans_to_nothing("--from", "export", *to)

    done(cesplan("pull", APP_ID, *PLACE, "--into", "pulled"))
    done(cesplan("validate", "-C", "pulled"))
    plans_to_nothing("-C", "pulled")

    done(cesplan("convert", "export", "native", *to))
    done(cesplan("validate", "-C", "native"))
    plans_to_nothing("-C", "native")

    done(cesplan("convert", "native", "back"))
    done(cesplan("validate", "--from", "back", *to))
    plans_to_nothing("--from", "back", *to)


@pytest.mark.parametrize("export", NAMES, indirect=True)
def test_the_service_imports_it(export: Path, cesplan: Run, service: EmbeddedEmulator) -> None:
    """The app as it is, and as it comes back from a tree: both imports have what the export says."""
    done(cesplan("convert", "export", "native", *PLACE))
    done(cesplan("convert", "native", "back"))
    for folder, app_id in ((export, "as-it-is"), (Path("back"), "from-a-tree")):
        service.reset()
        imported(service, folder, app_id)
        planned = cesplan(
            "plan", "--from", str(folder), *PLACE, "--app-id", app_id, "--adopt", "--detailed-exitcode"
        )
        changed = [line for line in planned.out.splitlines() if line.strip().startswith(("+ ", "- ", "~ "))]
        assert changed == [], planned.out


def done(ran: Any) -> None:
    assert ran.code == 0, ran.out + ran.err


def imported(service: EmbeddedEmulator, folder: Path, app_id: str) -> None:
    """Import a folder as a ZIP; its one root folder is named after the app where it has none."""
    buffer = io.BytesIO()
    top = "" if not (folder / "app.json").exists() and not (folder / "app.yaml").exists() else "App/"
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.writestr(f"{top}{path.relative_to(folder).as_posix()}", path.read_bytes())
    body = {"appId": app_id, "appContent": base64.b64encode(buffer.getvalue()).decode()}
    url = f"http://{service.address}/v1beta"
    operation = urllib3.request("POST", f"{url}/{LOCATION}/apps:importApp", json=body).json()
    while "name" in operation and not operation.get("done"):
        operation = urllib3.request("GET", f"{url}/{operation['name']}").json()
    assert operation.get("done"), operation
    assert "error" not in operation, operation


@pytest.mark.parametrize("export", NAMES, indirect=True)
def test_both_write_the_same_bytes(export: Path, cesplan: Run, service: EmbeddedEmulator) -> None:
    """What `pull --layout export` writes is what `:exportApp` answers, byte for byte, in either style."""
    done(cesplan("apply", "--from", "export", *PLACE, "--app-id", APP_ID, "--auto-approve"))
    for style in ("json", "yaml"):
        done(cesplan("pull", APP_ID, *PLACE, "--layout", "export", "--style", style, "--into", style))
        files = (path for path in Path(style).rglob("*") if path.is_file())
        ours = {path.relative_to(style).as_posix(): path.read_bytes() for path in files}
        assert exported(service, style) == ours


def exported(service: EmbeddedEmulator, style: str) -> dict[str, bytes]:
    url = f"http://{service.address}/v1beta"
    asked = {"exportFormat": style.upper()}
    operation = urllib3.request("POST", f"{url}/{LOCATION}/apps/{APP_ID}:exportApp", json=asked).json()
    while not operation.get("done"):
        operation = urllib3.request("GET", f"{url}/{operation['name']}").json()
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(operation["response"]["appContent"]))) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
