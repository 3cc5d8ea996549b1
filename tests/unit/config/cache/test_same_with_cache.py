"""A tree reads the same with and without the cache: whatever it is, and whatever was done to it in between."""

import random
import re
import shutil
from pathlib import Path

import pytest

from cesplan.config import files as reading_files
from cesplan.config.cache.store import RunningCache
from cesplan.config.checks import open_api_reading, python_code
from cesplan.config.resource import kept
from cesplan.config.tree.load import load
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import Mapping
from tests.benchmarks.growing import write_tree
from tests.seeds import seeds
from tests.unit.config.cache.caches import Home, same
from tests.unit.config.planting import AGENT, plant

ROOT = Path(__file__).parents[4]
OURS = ("examples", "tests/scenarios")
ROOTS = sorted({path.parent for place in OURS for path in (ROOT / place).rglob("cesplan.yaml")})


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(folder=tmp_path / "home")


def test_every_tree_of_ours_reads_the_same(home: Home) -> None:
    """Examples, scenarios and broken trees, in each environment: cold, warm, and without a cache."""
    assert len(ROOTS) > 50
    for root in ROOTS:
        for environment in ("", *_environments(root)):
            arguments = {"environment": environment, "environ": {}}
            plain = load(root, **arguments)
            for _ in ("cold", "warm"):
                assert same(home.read(root, **arguments), plain), (root, environment)


def _environments(root: Path) -> list[str]:
    project = compose((root / "cesplan.yaml").read_text()).root
    environments = project.get("environments") if isinstance(project, Mapping) else None
    return [*environments.entries] if isinstance(environments, Mapping) else []


def test_a_warm_cache_reads_nothing_again(tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only cesplan.yaml and app.yaml are composed, and no embedded text is parsed."""
    root = tmp_path / "tree"
    write_tree(root, 16, realistic=True)
    first = home.read(root)
    composed: list[str] = []
    original = reading_files.compose

    def compose(text: str) -> reading_files.YamlDocument:
        composed.append(text)
        return original(text)

    def refused(text: str) -> None:
        raise AssertionError(text)

    monkeypatch.setattr(reading_files, "compose", compose)
    monkeypatch.setattr(open_api_reading, "compose", refused)
    monkeypatch.setattr(python_code.ast, "parse", refused)
    assert same(home.read(root), first)
    assert composed == [(root / path).read_text() for path in ("cesplan.yaml", "apps/big-desk/app.yaml")]


def test_what_a_command_reads_twice_is_composed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it is a copy, as it is for the proof of a merge."""
    root, running = tmp_path / "tree", RunningCache()
    write_tree(root, 16, realistic=True)
    first = load(root, cache_of=lambda _: running)
    shutil.copytree(root, tmp_path / "copy")
    composed: list[str] = []
    original = reading_files.compose
    monkeypatch.setattr(reading_files, "compose", lambda text: composed.append(text) or original(text))
    again = load(tmp_path / "copy", cache_of=lambda _: running)
    assert again.desired == first.desired
    assert composed == [(root / path).read_text() for path in ("cesplan.yaml", "apps/big-desk/app.yaml")]


@pytest.mark.parametrize("seed", seeds(1, range(3)))
def test_edits_between_runs(tmp_path: Path, home: Home, seed: int) -> None:
    """What the cache knows of an earlier state of the tree is never taken for the present one."""
    chance = random.Random(seed)
    root = tmp_path / "tree"
    shutil.copytree(ROOT / "examples" / "three-environments", root)
    for step in range(30):
        environment = chance.choice(["dev", "prod"])
        arguments = {"environment": environment, "environ": {"CESPLAN_SECRET_carrierKey": f"key {step}"}}
        assert same(home.read(root, **arguments), load(root, **arguments)), step
        _edit(root, chance)


@pytest.mark.parametrize("seed", seeds(1, range(2)))
def test_names_that_change_in_one_file(tmp_path: Path, home: Home, seed: int) -> None:
    """What one file says of another is found again, although only one of the two was read again."""
    chance = random.Random(seed)
    root = tmp_path / "tree"
    shutil.copytree(ROOT / "examples" / "support-desk", root)
    seen = set()
    for step in range(14):
        plain = load(root, environ={})
        assert same(home.read(root), plain), step
        seen |= {item.code for item in plain.diagnostics}
        _rename(root, chance)
    assert len(seen) > 3


def _rename(root: Path, chance: random.Random) -> None:
    """Change a name wherever one file has it; now and then, write a file as it was committed."""
    files = sorted(path for path in (root / "apps").rglob("*") if path.suffix in (".yaml", ".md", ".py"))
    one = chance.choice(files)
    if chance.random() < 0.2:
        shutil.copy(ROOT / "examples" / "support-desk" / one.relative_to(root), one)
        return
    names = re.findall(
        r"(?:displayName|name|operationId|model): *([\w. -]+)|([\w-]+(?:_[\w-]+)+)", one.read_text()
    )
    name = chance.choice([first or second for first, second in names] or ["the"])
    one.write_text(one.read_text().replace(name, chance.choice(["another_name", f"{name}s", "x", "orders"])))


def _edit(root: Path, chance: random.Random) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.name != "cesplan.yaml")
    one, other = chance.sample(files, 2)
    lines = one.read_text().splitlines(keepends=True) or ["displayName: One\n"]
    match chance.randrange(8):
        case 0:
            one.unlink()
        case 1:
            one.rename(one.with_name(f"renamed-{chance.randrange(9)}{one.suffix}"))
        case 2:
            shutil.copy(one, one.with_name(f"copied-{chance.randrange(9)}{one.suffix}"))
        case 3:
            one.write_bytes(other.read_bytes())
        case 4:
            one.write_text("".join([*lines, f"# {chance.random()}\n"]))
        case 5:
            del lines[chance.randrange(len(lines))]
            one.write_text("".join(lines))
        case 6:
            one.write_text("".join([*lines, f"$id: {chance.choice(['abcdef', 'front-desk', 'x'])}\n"]))
        case 7:
            at = chance.randrange(len(lines))
            lines[at] = lines[at].replace("e", "E", 1)
            one.write_text("".join(lines))


def test_what_a_file_depends_on(tmp_path: Path, home: Home) -> None:
    """Neither of these changes touches the file that reads differently afterwards."""
    agent = f"{AGENT}instruction: {{$file: desk.md}}\ntools: [lookup]\n"
    tool = "pythonFunction: {name: lookup, pythonCode: 'def lookup(): ...'}\n"
    root = plant(
        tmp_path / "tree",
        {"agents/desk-one.yaml": agent, "agents/desk.md": "Be kind.\n", "tools/lookup.yaml": tool},
    )
    changes = {
        "nothing": lambda: None,
        "an included text": lambda: (root / "apps/store/agents/desk.md").write_text("Be brief.\n"),
        "an included text is not UTF-8": lambda: (root / "apps/store/agents/desk.md").write_bytes(b"\xff"),
        "an included text is gone": lambda: (root / "apps/store/agents/desk.md").unlink(),
        "and there again": lambda: (root / "apps/store/agents/desk.md").write_text("Be brief.\n"),
        "a reference dangles": lambda: (root / "apps/store/tools/lookup.yaml").rename(root / "lookup.yaml"),
        "and does no longer": lambda: (root / "lookup.yaml").rename(root / "apps/store/tools/lookup.yaml"),
        "the API version": lambda: (root / "cesplan.yaml").write_text(
            "cesplan: 1\nproject: acme-dev\nlocation: us\napiVersion: v1\n"
        ),
    }
    home.read(root)
    running = RunningCache()
    for what, change in changes.items():
        change()
        plain = load(root, environ={})
        assert same(home.read(root), plain), what
        assert same(home.read(root), plain), what
        assert same(load(root, environ={}, cache_of=lambda _: running), plain), what


def test_a_value_of_cesplan_yaml(tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that uses one is kept, for this value of this type; not if the value comes from elsewhere."""
    top = "cesplan: 1\nproject: acme-dev\nlocation: us\n"
    environments = "environments: {one: {variables: {word: kind}}, two: {variables: {word: brief}}}\n"
    agent = f"{AGENT}instruction: 'Be ${{word}}.'\nmodelSettings: {{temperature: {{$var: heat}}}}\n"
    root = plant(tmp_path / "tree", {"agents/desk-one.yaml": agent})
    project = root / "cesplan.yaml"
    seen = set()
    for heat in ("1", "1.0", "0.5", "'1'", "true"):
        project.write_text(f"{top}variables: {{word: polite, heat: {heat}}}\n{environments}")
        for environment in ("", "one", "two", "one"):
            for environ in ({}, {"CESPLAN_VAR_word": "loud"}, {"CESPLAN_SECRET_word": "quiet"}):
                plain = load(root, environment=environment, environ=environ)
                assert same(home.read(root, environment=environment, environ=environ), plain)
                seen.add(str(plain.desired.apps[0].resources[0].body) if plain.desired else "")
    assert len(seen) > 6
    monkeypatch.setattr(kept, "read_resource", None)
    monkeypatch.setattr(kept, "read_noting", None)
    project.write_text(f"{top}variables: {{word: polite, heat: 0.5}}\n{environments}")
    assert home.read(root, environment="two").desired


def test_an_id_from_another_environment(tmp_path: Path, home: Home) -> None:
    """`$id` is read before all else, and may say something else in each environment."""
    environments = "environments: {one: {project: acme-one}, two: {project: acme-dev}}\n"
    root = plant(
        tmp_path / "tree",
        {
            "agents/desk.yaml": f"{AGENT}$id: {{one: agent-one, two: agent-two}}\n",
            "agents/other-desk.yaml": AGENT,
        },
        project=f"cesplan: 1\nproject: acme-dev\nlocation: us\n{environments}",
    )
    for environment in ("one", "two", "one", "two"):
        assert same(home.read(root, environment=environment), load(root, environment=environment, environ={}))
