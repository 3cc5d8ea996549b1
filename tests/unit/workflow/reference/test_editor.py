"""Schemas and settings for editors in a tree: which file has which schema, and what is left as it is."""

import json
import re
from pathlib import Path

import pytest

from cesplan.config.project.project import app_globs
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.workflow.reference.editor import SETTINGS_FILE, associations, file_schemas, write_for_editors

ROOT = Path(__file__).parents[4]
TREES = ("minimal", "three-environments", "support-desk")


def schemas_of(path: str, globs: tuple[str, ...] = ("apps/*",)) -> list[str]:
    """The schemas that the extension takes for a file: it matches patterns at any depth; `!` excludes."""
    found = []
    for schema, said in associations(globs).items():
        patterns = [said] if isinstance(said, str) else said
        wanted = [item for item in patterns if not item.startswith("!")]
        refused = [item[1:] for item in patterns if item.startswith("!")]
        if any(_matches(path, item) for item in wanted) and not any(_matches(path, item) for item in refused):
            found.append(schema.removeprefix("./.cesplan/schemas/"))
    return found


def _matches(path: str, pattern: str) -> bool:
    parts = re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return re.fullmatch(f"(.*/)?{parts}", path) is not None


def test_every_file_of_the_examples_has_its_schema_and_no_other() -> None:
    for tree in TREES:
        root = ROOT / "examples" / tree
        for file in root.rglob("*.yaml"):
            path = file.relative_to(root).as_posix()
            expected = [] if path.endswith(".openapi.yaml") else [_expected(path)]
            assert schemas_of(path, app_globs(root)) == expected, path


def _expected(path: str) -> str:
    parts = path.split("/")
    folder = "environments/" if parts[0] == "environments" else ""
    if path.endswith(".patch.yaml"):
        return "patch.schema.json"
    if parts[-1] == "app.yaml":
        return f"{folder}apps.schema.json"
    name = parts[-2] if "apps" in parts else parts[-1].removesuffix(".yaml")
    return f"{folder}{name}.schema.json"


def test_the_globs_of_the_tree_count() -> None:
    assert schemas_of("teams/a/desk/agents/x.yml", ("teams/*/*",)) == ["agents.schema.json"]
    assert schemas_of("apps/desk/agents/x.yml", ("teams/*/*",)) == []


def test_a_schema_is_written_for_every_pattern(tmp_path: Path) -> None:
    (tmp_path / "cesplan.yaml").write_text("cesplan: 1\napps: [teams/*]\n", encoding="utf-8")
    found = write_for_editors(tmp_path)
    assert found.settings
    settings = json.loads((tmp_path / SETTINGS_FILE).read_text(encoding="utf-8"))
    assert settings["yaml.schemas"] == associations(["teams/*"])
    assert all((tmp_path / name).is_file() for name in settings["yaml.schemas"])
    written = [path for path in found.folder.rglob("*.json") if path.is_file()]
    assert len(settings["yaml.schemas"]) == len(written) == len(file_schemas())
    assert (tmp_path / ".cesplan" / ".gitignore").read_text(encoding="utf-8") == "*\n"


@pytest.mark.parametrize("text", ["{}", '// mine\n{"editor.tabSize": 2,}\n', "\udcff"])
def test_settings_that_are_there_stay_as_they_are(tmp_path: Path, text: str) -> None:
    (tmp_path / "cesplan.yaml").write_text("cesplan: 1\n", encoding="utf-8")
    path = tmp_path / SETTINGS_FILE
    path.parent.mkdir()
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    found = write_for_editors(tmp_path)
    assert (found.settings, "yaml.schemas" in found.missing) == (False, True)
    path.write_text(f"// mine\n{found.missing}", encoding="utf-8")
    assert write_for_editors(tmp_path).missing == ""
    assert path.read_text(encoding="utf-8").startswith("// mine")


def test_nothing_is_written_through_a_link_or_without_a_tree(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no cesplan\.yaml"):
        write_for_editors(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    tree = tmp_path / "tree"
    (tree / ".cesplan").mkdir(parents=True)
    (tree / "cesplan.yaml").write_text("cesplan: 1\n", encoding="utf-8")
    (tree / ".cesplan" / "schemas").symlink_to(elsewhere)
    with pytest.raises(InvalidConfiguration, match="symbolic link"):
        write_for_editors(tree)
    assert list(elsewhere.iterdir()) == []


def test_no_definition_speaks_over_a_field() -> None:
    """An editor shows the first description of a place that it finds: that of the field has to be it."""
    for name, schema in file_schemas().items():
        if "$defs" in schema and not name.startswith(("policy_test", "cesplan")):
            assert [key for key, item in schema["$defs"].items() if "description" in item] == [], name
