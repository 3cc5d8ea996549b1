"""
The editor settings of a tree, judged by the language server of the YAML extension itself.

It is found in `.node`, where `make node` puts it; without it these tests are skipped, and those of
`tests/unit/workflow/reference` judge alone.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cesplan.workflow.reference.editor import SETTINGS_FILE, write_for_editors

ROOT = Path(__file__).parents[3]
NODE = ROOT / ".node"
TREES = ("minimal", "three-environments", "support-desk")
DESK = """\
displayName: Greeter
modelSettings:
  temperature: hot
beforeAgentCallbacks:
  - pythonCode: "x"
tols: [a]
"""

pytestmark = pytest.mark.skipif(
    not (NODE / "node_modules/yaml-language-server").is_dir(),
    reason="yaml-language-server is not there: make node",
)


def opened(root: Path, files: list[str], hover: tuple[tuple[str, int, int], ...] = ()) -> dict[str, Any]:
    """What the server says of the files of a tree, and shows over places: file, line and column from 0."""
    script = NODE / "language_server.mjs"  # modules are found beside a script
    shutil.copy(Path(__file__).with_name("language_server.mjs"), script)
    asked = {
        "root": str(root),
        "settings": json.loads((root / SETTINGS_FILE).read_text(encoding="utf-8")),
        "files": files,
        "hover": [{"file": file, "line": line, "character": column} for file, line, column in hover],
    }
    done = subprocess.run(
        ["node", script], input=json.dumps(asked), capture_output=True, text=True, timeout=120, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("tree", TREES)
def test_an_example_opens_without_a_complaint(tmp_path: Path, tree: str) -> None:
    root = tmp_path / tree
    shutil.copytree(ROOT / "examples" / tree, root, ignore=shutil.ignore_patterns(".cesplan"))
    files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.yaml"))
    write_for_editors(root)
    found = opened(root, files)["diagnostics"]
    assert {file: said for file, said in found.items() if said} == {}
    assert sorted(found) == files


def test_what_is_wrong_is_marked_and_a_field_shows_its_own_text(tmp_path: Path) -> None:
    """Not that of the message or of the directive that its value may be."""
    agent, overlay = "apps/desk/agents/a.yaml", "environments/prod/apps/desk/agents/a.yaml"
    patch = "environments/prod/apps/desk/agents/a.patch.yaml"
    texts = {"cesplan.yaml": "cesplan: 1\n", agent: DESK, overlay: "tols: [a]\n", patch: "- {op: repalce}\n"}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_for_editors(tmp_path)
    found = opened(tmp_path, [*texts], ((agent, 1, 3), (agent, 2, 4), (agent, 4, 6)))
    said = found["diagnostics"]
    assert any("tols" in text for text in said[agent])
    assert [text for text in said[overlay] if "tols" not in text] == []  # nothing is required of an overlay
    assert said[overlay]
    assert said[patch]
    schema = json.loads((tmp_path / ".cesplan/schemas/agents.schema.json").read_text(encoding="utf-8"))
    messages = schema["$defs"]
    fields = (
        schema["properties"]["modelSettings"],
        messages["ModelSettings"]["properties"]["temperature"],
        messages["Callback"]["properties"]["pythonCode"],
    )
    for field, shown in zip(fields, found["shown"], strict=True):
        assert field["description"].split("`")[0] in shown
