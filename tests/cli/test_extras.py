"""
cesplan without its extras, as `pip install cesplan` leaves it: what needs one says how to install it.

One process in which the packages of all extras are not found, and all command lines in it.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from cesplan.domain.errors import Extra
from tests.cli.conftest import FILES

ROOT = Path(__file__).parents[2]

PACKAGES: Mapping[Extra, set[str]] = {
    Extra.EMULATOR: {"httptools", "starlette", "uvicorn"},
    Extra.EVALUATION: {"nltk", "rouge_score", "sacrebleu"},
    Extra.HIGHLIGHT: {"rich"},
    Extra.MCP: {"mcp"},
    Extra.POLICY: {"cel_expr_python"},
    Extra.REPORT: {"jinja2"},
}
"""The modules of each extra."""

POLICY = (
    'policy:\n  - {name: one, deny: \'action == "delete"\'}\n  - {name: two, assert: "true"}\nenvironments:'
)
RULED = ("validate", "plan", "apply --auto-approve", "render", "graph", "policy test", "plan --since HEAD")
PAGED = ("plan", "plan --since HEAD", "show plan.json", "drift")

_RUN = """
import contextlib, io, json, os, sys
from importlib.machinery import PathFinder

blocked = json.loads(sys.argv[1])
find = PathFinder.find_spec
PathFinder.find_spec = staticmethod(
    lambda name, *rest: None if name.partition(".")[0] in blocked else find(name, *rest)
)
from cesplan.cli.running import run

for row in sys.stdin:
    folder, line = json.loads(row)
    os.chdir(folder)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(line.split())
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""

Lacking = Callable[..., dict[str, tuple[int, str, str]]]
"""Exit code, stdout and stderr of each of these command lines in a folder."""


@pytest.fixture(scope="module")
def lacking() -> Iterator[Lacking]:
    """Run command lines in a process that lacks all extras."""
    blocked = sorted(set().union(*PACKAGES.values()))
    with subprocess.Popen(
        [sys.executable, "-c", _RUN, json.dumps(blocked)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        requests, answers = process.stdin, process.stdout

        def ran(root: Path, *lines: str) -> dict[str, tuple[int, str, str]]:
            found = {}
            for line in lines:
                print(json.dumps([str(root), line]), file=requests, flush=True)
                _, out, err = found[line] = json.loads(answers.readline())
                assert "Traceback" not in out + err, line
                assert "bug in cesplan" not in out + err, line
            return found

        yield ran
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_extras_are_those_of_the_package() -> None:
    """And what developers install has them all."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert set(extras) - {"dev"} == set(Extra) == set(PACKAGES)
    assert f"cesplan[{','.join(sorted(Extra))}]" in extras["dev"]
    modules = {re.split(r"[>=;]", item)[0].replace("-", "_") for extra in Extra for item in extras[extra]}
    assert modules == set().union(*PACKAGES.values())


def test_where_there_are_rules_cel_is_asked_for(root: Path, lacking: Lacking) -> None:
    """By every command that reads the tree, once, with exit code 7: a rule is never skipped."""
    settings = root / "cesplan.yaml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("environments:", POLICY), encoding="utf-8")
    for line, (code, out, err) in lacking(root, *RULED).items():
        assert (line, code, (out + err).count("    pip install 'cesplan[policy]'")) == (line, 7, 1)
        assert (
            "error[CES111] policy rules need the package cel-expr-python, which is not installed"
            in " ".join((out + err).split())
        )
    settings.write_text(settings.read_text(encoding="utf-8").replace("name: two", "nam: two"), encoding="utf-8")
    found = lacking(root, "validate")["validate"]
    assert "unknown key `nam` in a rule" in found[1] + found[2]


def test_where_there_are_none_nothing_is_missed(root: Path, lacking: Lacking) -> None:
    """Nor for what needs no extra at all."""
    lines = ("validate", "render", "graph", "explain CES111", "policy --help", "emulator serve --help")
    assert {line: code for line, (code, _, _) in lacking(root, *lines).items()} == dict.fromkeys(lines, 0)


def test_the_emulator_is_asked_for(root: Path, lacking: Lacking) -> None:
    lines = ("plan --emulator", "apply --emulator --auto-approve", "list --emulator", "emulator serve --port 0")
    for line, (code, _, err) in lacking(root, *lines).items():
        assert (line, code, "    pip install 'cesplan[emulator]'" in err) == (line, 1, True)


def test_coding_agents_ask_for_their_protocol(root: Path, lacking: Lacking) -> None:
    code, out, err = lacking(root, "mcp")["mcp"]
    assert (code, out, "    pip install 'cesplan[mcp]'" in err) == (1, "", True)


def test_pages_ask_for_jinja2(root: Path, lacking: Lacking) -> None:
    """Every command that writes them, before it does anything."""
    lines = tuple(f"{line} --report html=page.html" for line in PAGED)
    for line, (code, out, err) in lacking(root, *lines).items():
        said = " ".join(err.replace("│", " ").split())
        assert (line, code, "pip install 'cesplan[report]'" in said, out) == (line, 64, True, "")
    assert not (root / "page.html").exists()
