"""Invariant 6: no secret in any output, whatever the command, the format and the end."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cesplan.cli.running import run
from cesplan.config.codes import CODES
from cesplan.config.tree.load import Loaded, load
from cesplan.domain.diagnostic import Severity
from cesplan.emulator import EmbeddedEmulator
from cesplan.model.kinds import KINDS
from cesplan.model.marks import OwnName
from cesplan.model.scalars import Scalar
from cesplan.model.spec import message_spec
from tests.properties.dice import seeded
from tests.properties.trees import APP, tree
from tests.secrets.planting import Garden, write
from tests.seeds import seeds

NEVER_IN_FILES = {
    "McpTool.customHeaders",
    "McpTool.description",
    "McpTool.name",
    "McpTool.nameOverride",
    "McpTool.serverAddress",
    "RunEvaluationRequest.app",
    "SystemTool.name",
}
"""Only the service writes them, or they follow from where the file is."""

COVERING = (7, 12, 19, 25, 37, 41, 45, 54, 64, 73, 76, 83, 84, 85, 103, 139, 156, 166, 208)
"""Seeds that were chosen among the first thousand; others are looked for only if these no longer are enough."""
UNREFERENCED = {
    "examples",
    "evaluations",
    "evaluationDatasets",
    "evaluationExpectations",
    "scheduledEvaluationRuns",
}
"""Kinds that nothing else refers to."""

REPORTS = ("json", "jsonl", "markdown", "junit", "html")
Cesplan = Callable[..., int]


class Plot:
    """A tree on disk with secrets all over it, in two environments."""

    def __init__(self, root: Path, seed: int, *, rough: bool = False, percent: int = 60) -> None:
        self.root = root
        self.garden = Garden(seeded(seed), rough=rough, percent=percent)
        self.files = self.garden.files(tree(self.garden.dice, plain=True))
        self.secret = set(self.garden.cores.values())
        self.write()

    def write(self) -> None:
        declared = ", ".join(f"{name}: {{secret: true}}" for name in self.garden.values)
        project = f"""\
cesplan: 1
location: us
variables: {{{declared}}}
environments: {{dev: {{project: acme-dev}}, prod: {{project: acme-prod}}}}
"""
        write(self.root, {**self.files, "cesplan.yaml": project})

    def load(self) -> Loaded:
        return load(self.root, environment="dev", variables=self.garden.values, environ={})

    def settles(self) -> bool:
        """Silence what a random tree does against the rules; False if something else is wrong with it."""
        return self.silences() and self.load().desired is not None

    def silences(self) -> bool:
        """The same, without another look at the whole tree."""
        for item in self.load().diagnostics:
            if item.severity is not Severity.ERROR:
                continue
            path = next((path for path in self.files if item.place and path == item.place.file), "")
            if not path.endswith(".yaml") or not CODES[item.code].silenceable:
                return False
            body = json.loads(self.files[path])
            body.setdefault("$silence", {})[item.code] = "random"
            self.files[path] = json.dumps(body, ensure_ascii=False)
        self.write()
        return True

    def rotate(self) -> None:
        """New values for all secrets; the old ones, which are live, are as secret as before."""
        self.garden.rotate()
        self.secret |= set(self.garden.cores.values())

    def check(self, what: str, *texts: str) -> None:
        """No secret that was ever planted here shows."""
        for text in texts:
            found = next((core for core in self.secret if core in text), "")
            place = text.index(found)
            assert not found, f"{what}: a secret shows: …{text[max(0, place - 300) : place + 60]}"


class Desk:
    """Where commands are typed: each runs, and everything that it wrote is searched."""

    def __init__(self, plot: Plot, out: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.plot, self.out, self._capsys, self._patch = plot, out, capsys, monkeypatch
        out.mkdir()
        monkeypatch.chdir(plot.root)

    def type(self, *words: str, reports: bool = False) -> int:
        """Type a command; half of the variables come from the environment."""
        typed = [*words, *self._variables()] if words[0] != "show" else [*words]
        if reports:
            typed += [part for name in REPORTS for part in ("--report", f"{name}={self.out / name}")]
        code = run([*typed, "--debug"])
        written = [path.read_text(encoding="utf-8") for path in sorted(self.out.rglob("*")) if path.is_file()]
        said = self._capsys.readouterr()
        self.plot.check(" ".join(words), said.out, said.err, *written)
        assert "Traceback" not in said.err or "CesplanError" not in said.err or code, "a crash is no answer"
        assert "This is a defect" not in said.err, said.err
        return code

    def _variables(self) -> list[str]:
        words = []
        for number, (name, value) in enumerate(sorted(self.plot.garden.values.items())):
            if number % 2:
                self._patch.setenv(f"CESPLAN_SECRET_{name}", value)
            else:
                words += ["--var", f"{name}={value}"]
        return words


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedEmulator]:
    with EmbeddedEmulator() as running:
        monkeypatch.setenv("CES_EMULATOR_HOST", running.address)
        yield running


def grown(root: Path, seed: int) -> Plot:
    """A tree that is in order; the seeds that follow are tried until there is one."""
    for number in range(seed, seed + 50):
        plot = Plot(root / str(number), number)
        if plot.settles():
            return plot
    raise AssertionError("no tree is in order")


def quoting(plot: Plot, method: str, *, times: int = 1, skip: int = 0, late: bool = False) -> dict[str, Any]:
    """A fault that quotes every secret in every way, in its message and in its details."""
    values = [*plot.garden.values.values()]
    quoted = "; ".join([*values, *map(json.dumps, values), *map(repr, values)])
    violation = {"field": "metadata", "description": f"cannot be {quoted}"}
    details = [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]}]
    said = {"code": "INVALID_ARGUMENT", "message": f"cannot take {quoted}", "details": details}
    return {"method": method, "times": times, "skip": skip, "late" if late else "status": said}


@pytest.mark.parametrize("seed", seeds(1, [11, 23, 37]))
def test_no_command_shows_a_secret(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, service: EmbeddedEmulator, seed: int
) -> None:
    """Plans, errors that quote, rollbacks, rotations, promotions, merges: text, JSON and files."""
    plot = grown(tmp_path, seed)
    desk = Desk(plot, tmp_path / "out", capsys, monkeypatch)
    where = ("-e", "dev")
    plan = str(desk.out / "plan.json")

    for form in ("text", "json", "sarif", "junit"):
        assert desk.type("validate", *where, "--format", form) == 0
    assert desk.type("render", *where) == desk.type("render", *where, "--format", "json") == 0
    for form in ("text", *REPORTS):
        assert desk.type("plan", *where, "--format", form) == 0
    assert desk.type("plan", *where, "--out", plan, reports=True) == 0
    assert desk.type("show", plan) == desk.type("show", plan, "--format", "json") == 0

    service.break_with(quoting(plot, "ListApps"))
    assert desk.type("plan", *where) == 1
    service.break_with(quoting(plot, "CreateApp"))
    assert desk.type("apply", *where, "--auto-approve", reports=True) == 1
    service.break_with(quoting(plot, "CreateApp", late=True))
    assert desk.type("apply", *where, "--auto-approve", "--format", "json") == 1
    service.break_with(quoting(plot, "Create*", skip=3, times=2))
    assert desk.type("apply", *where, "--auto-approve", "--on-error", "rollback", reports=True) in (1, 3)
    service.break_with(quoting(plot, "Create*", skip=2))
    assert desk.type("apply", *where, "--auto-approve", reports=True) == 3
    assert desk.type("apply", *where, "--auto-approve", reports=True) == 0
    assert desk.type("plan", *where, "--detailed-exitcode") == 0
    assert desk.type("apply", plan) == 0, "all of it is there by now"

    assert desk.type("promote", "dev", "prod") == desk.type("promote", "dev", "prod", "--format", "json") == 0
    page = f"html={desk.out / 'page'}"
    assert desk.type("promote", "dev", "prod", "--live", "--out", plan, "--report", page) == 0
    assert desk.type("apply", plan) == 0
    assert desk.type("promote", "prod", "dev", "--live") == 0

    plot.rotate()
    assert desk.type("plan", *where, reports=True) == 0
    assert desk.type("plan", *where, "--out", plan) == 0
    assert desk.type("promote", "prod", "dev", "--live", "--format", "json") == 0
    service.break_with(quoting(plot, "Update*", times=2))
    assert desk.type("apply", *where, "--auto-approve", reports=True) in (1, 3)
    assert desk.type("apply", *where, "--auto-approve") == 0
    desk.type("pull", "--merge", "-e", "prod", "--check", "--report", page)


@pytest.mark.parametrize("seed", seeds(1, [3, 71]))
def test_secrets_of_what_left_the_tree_stay_secret(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, service: EmbeddedEmulator, seed: int
) -> None:
    """They are live in clear: a plan that deletes hides them, and a pull writes their variables or nothing."""
    plot = grown(tmp_path, seed)
    desk = Desk(plot, tmp_path / "out", capsys, monkeypatch)
    assert desk.type("apply", "-e", "dev", "--auto-approve") == 0
    leaving = [path for path in plot.files if path.split("/")[2:3] and path.split("/")[2] in UNREFERENCED]
    assert leaving
    for path in leaving:
        (plot.root / path).unlink()
    words = ("-e", "dev", "--allow-mass-delete", "--allow-empty")
    for form in ("text", *REPORTS):
        assert desk.type("plan", *words, "--format", form) == 0
    assert desk.type("plan", "-e", "dev", "--no-prune") == 0
    assert desk.type("plan", *words, "--out", str(desk.out / "plan.json")) == 0
    assert desk.type("pull", str(APP), "-e", "dev") == 0
    assert [path for path in leaving if (plot.root / path).is_file()]
    for path in sorted(plot.root.rglob("*")):
        plot.check(str(path), path.name, path.read_text(encoding="utf-8") if path.is_file() else "")
    assert desk.type("plan", "-e", "dev", "--detailed-exitcode") == 0


def test_every_field_that_can_hold_a_secret_hides_it(tmp_path: Path, capsys: Any) -> None:
    """By the specs: each string, Struct and Value of every kind, in validate and render, right or wrong."""
    places = _places() - NEVER_IN_FILES
    for seed in _covering(places):
        _look_at(Plot(tmp_path / str(seed), seed, rough=True, percent=100), capsys)


def _covering(places: set[str]) -> list[int]:
    """Seeds of gardens with secrets in all these places together: each time the one with the most new ones."""
    missing, found = set(places), dict[int, set[str]]()
    for seed in (*COVERING, *range(1000)):
        garden = Garden(seeded(seed), rough=True, percent=100)
        garden.files(tree(garden.dice, plain=True))
        found[seed] = garden.places & places
        missing -= garden.places
        if not missing:
            break
    assert not missing
    chosen: list[int] = []
    while places:
        chosen.append(max(found, key=lambda seed: len(found[seed] & places)))
        places = places - found[chosen[-1]]
    return chosen


def _look_at(plot: Plot, capsys: Any) -> None:
    plot.silences()
    words = [word for name, value in plot.garden.values.items() for word in ("--var", f"{name}={value}")]
    for command in (
        ("validate",),
        ("validate", "--format", "json"),
        ("render",),
        ("render", "--format", "json"),
    ):
        run([*command, "-C", str(plot.root), "-e", "dev", *words])
        said = capsys.readouterr()
        plot.check(" ".join(command), said.out, said.err)


def _places() -> set[str]:
    """Every field that takes any text or any JSON."""
    waiting, seen, found = [kind.spec.name for kind in KINDS.values()], set[str](), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for known in message_spec(name).settable:
            if known.message_name:
                waiting.append(known.message_name)
            elif known.scalar in (Scalar.STRING, Scalar.STRUCT, Scalar.VALUE) and not known.is_resource_name:
                found |= set() if known.mark(OwnName) else {f"{name}.{known.name}"}
    return found


def test_a_secret_where_none_can_stand_is_refused_without_being_shown(tmp_path: Path, capsys: Any) -> None:
    """Numbers, enums, references, lists and names of resources take no secret."""
    plot = Plot(tmp_path, 1)
    core = next(iter(plot.garden.cores.values()))
    name = next(iter(plot.garden.cores))
    bad = {
        "modelSettings": {"temperature": {"$var": name}, "model": [{"$var": name}]},
        "toolExecutionMode": {"$var": name},
        "rootAgent": f"x-${{{name}}}",
        "guardrails": {"$var": name},
        "pinned": f"${{{name}}}",
    }
    plot.files[f"apps/{APP}/app.yaml"] = json.dumps({"displayName": "Shop", **bad})
    plot.write()
    words = [word for key, value in plot.garden.values.items() for word in ("--var", f"{key}={value}")]
    for form in ("text", "json", "sarif"):
        assert run(["validate", "-C", str(plot.root), "-e", "dev", "--format", form, *words]) == 7
        said = capsys.readouterr()
        plot.check(form, said.out, said.err)
    assert re.fullmatch(r"[a-z]{14}", core)
