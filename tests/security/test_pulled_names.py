"""
Names and texts of a console's users, as files of a checkout.

A display name cannot choose a path outside its folder, a name that no Windows can check out, or one that
another file has where letter case does not count. Code that reads otherwise than it runs comes with a notice.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cesplan.cli.running import run
from cesplan.config.tree.load import load
from cesplan.domain.text.slug import is_reserved, reserved_in, slug
from cesplan.emulator import EmbeddedEmulator

APP = "projects/acme-dev/locations/us/apps/help-desk"
NAMES = [
    "CON", "Aux", "nul", "prn", "COM1", "lpt9", "Desk. ", "desk", "DESK", "../../etc/passwd", "/etc/passwd",
    "a\\b", "x\u202egpj.exe", "line\nfeed\x1b[2J", "-rf", "~", "$HOME", ".", "..", "...", "@", "\u2066",
    "a" * 500,
]  # fmt: skip
CODE = '''def lookup(order: str) -> dict:
    """Find an order."""
    access = "user\u202e \u2066# only for admins\u2069 \u2066"
    return {"order": order}
'''


@pytest.fixture
def emulator(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[EmbeddedEmulator]:
    """A service with agents of these names under ids that machines make, and a tool with marks in its code."""
    monkeypatch.chdir(tmp_path)
    with EmbeddedEmulator() as running:
        monkeypatch.setenv("CES_EMULATOR_HOST", running.address)
        running.seed({"name": APP, "displayName": "Help desk"})
        for number, name in enumerate(NAMES):
            id_ = f"1f0c{number:04x}-7a2b-4c3d-9e8f-001122334455"
            running.seed({"name": f"{APP}/agents/{id_}", "displayName": name, "instruction": "Be kind."})
        code = {"name": "lookup", "pythonCode": CODE}
        running.seed({"name": f"{APP}/tools/1f0c-7a2b-4c3d-9e8f", "pythonFunction": code})
        yield running


def test_files_have_names_that_every_system_takes(
    emulator: EmbeddedEmulator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Small letters, digits and hyphens; none reserved, none twice, all in the app; and the plan is empty."""
    assert run(["pull", "help-desk", "--project", "acme-dev", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    files = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    agents = [path for path in files if "/agents/" in path]
    assert len(agents) == len(NAMES)
    assert [path for path in agents if not re.fullmatch(r"apps/help-desk/agents/[a-z0-9-]+\.yaml", path)] == []
    assert len({path.casefold() for path in files}) == len(files)
    assert [path for path in files if is_reserved(Path(path).name.partition(".")[0])] == []
    notices = "\n".join(told["notices"])
    assert "agents/con-item: Windows reserves the name `con` for a device, so its key is `con-item`" in notices
    assert notices.count("Windows reserves") == 6
    assert (
        "$id: 1f0c0000-7a2b-4c3d-9e8f-001122334455" in Path("apps/help-desk/agents/con-item.yaml").read_text()
    )
    assert run(["plan", "--detailed-exitcode"]) == 0


def test_code_that_misleads_does_not_come_in_without_a_word(
    emulator: EmbeddedEmulator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its file keeps the code, a notice names the file and the marks, and YAML shows them as escapes."""
    assert run(["pull", "help-desk", "--project", "acme-dev"]) == 0
    streams = capsys.readouterr()
    assert "tools/lookup.py contains bidirectional control characters (U+202E, U+2066, U+2069)" in " ".join(
        (streams.out + streams.err).split()
    )
    assert Path("apps/help-desk/tools/lookup.py").read_text() == f"{CODE}\n"
    for path in tmp_path.rglob("*.yaml"):
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x1b]", path.read_text())
    assert run(["plan", "--detailed-exitcode"]) == 0


@pytest.mark.parametrize("name", ["con", "PRN", "aux", "Nul", "com0", "COM9", "lpt1"])
def test_names_of_devices_are_known(name: str) -> None:
    """In any case of letters, and what is for one tells which."""
    assert is_reserved(name)
    assert slug(name) == f"{name.lower()}-item"
    assert reserved_in(slug(name)) == name.lower()


@pytest.mark.parametrize("name", ["console", "com", "com10", "auxiliary", "con-item", "front-desk"])
def test_other_names_are_not(name: str) -> None:
    """Only whole names are reserved."""
    assert not is_reserved(name)
    assert slug(name) == name


def test_the_tree_that_came_of_it_is_whole(emulator: EmbeddedEmulator, tmp_path: Path) -> None:
    """Everything can be read again."""
    assert run(["pull", "help-desk", "--project", "acme-dev"]) == 0
    assert load(tmp_path, environ={}).desired is not None


@pytest.mark.parametrize("target", ["export", "export.zip"])
def test_an_export_says_what_a_checkout_cannot_hold(
    emulator: EmbeddedEmulator, tmp_path: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    """Its names are those of the service, so that nothing is renamed; each is named, and code that misleads."""
    words = ["pull", APP, "--layout", "export", "--into", target]
    assert run([*words, "--format", "json"]) == 0
    notices = json.loads(capsys.readouterr().out)["notices"]
    reserved = "Windows reserves the name `{}` for a device, so no checkout there can hold it"
    assert f"agents/CON: {reserved.format('CON')}" in notices
    assert len([text for text in notices if "Windows reserves" in text]) == 6
    alike = "agents/DESK and agents/desk are the same name on Windows and macOS, which ignore letter case"
    assert [text for text in notices if "letter case" in text] == [alike]
    marked = [
        text.partition(" contains bidirectional control ")[0] for text in notices if "bidirectional" in text
    ]
    assert "tools/lookup/python_function/python_code.py" in marked
    assert run(words) == 0
    assert "Check these files:" in capsys.readouterr().out


def test_a_converted_tree_says_which_code_misleads(
    emulator: EmbeddedEmulator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same code, on its way from an export into a tree, and back."""
    assert run(["pull", APP, "--layout", "export", "--into", "export.zip"]) == 0
    capsys.readouterr()
    for source, target in (("export.zip", "tree"), ("tree", "again.zip")):
        assert run(["convert", source, target, "--project", "acme-dev", "--format", "json"]) == 0
        notices = json.loads(capsys.readouterr().out)["notices"]
        assert [
            text for text in notices if "lookup" in text and "bidirectional control characters (U+202E" in text
        ]


def test_no_file_of_an_export_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`a`, `a` and `a_2`: the second and the third had one name, and one of them was lost."""
    monkeypatch.chdir(tmp_path)
    with EmbeddedEmulator() as running:
        monkeypatch.setenv("CES_EMULATOR_HOST", running.address)
        running.seed({"name": APP, "displayName": "Help desk"})
        for number, name in enumerate(["a", "a", "a_2", "a_2", "a"]):
            running.seed(
                {"name": f"{APP}/agents/agent-{number}", "displayName": name, "instruction": "Be kind."}
            )
        assert run(["pull", APP, "--layout", "export", "--into", "export"]) == 0
    found = {json.loads(path.read_text())["name"] for path in tmp_path.glob("export/agents/*/*.json")}
    assert len(found) == 5
