"""The README and its reference pages are true: what they type can be typed, what they show is understood."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from cesplan.cli.group import group
from cesplan.cli.running import run
from cesplan.cli.session import Session
from tests.docs import consoles
from tests.warm import Warm

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "docs/existing-app.md",
    "docs/tree.md",
    "docs/plan-and-apply.md",
    "docs/pull.md",
    "docs/library.md",
)
TEXT = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def typed() -> list[str]:
    """Every command line of ours, without its comment and what follows it."""
    lines = "\n".join(blocks("sh") + blocks("console")).replace("\\\n", " ").splitlines()
    found = (re.match(r"(?:\$ )?(cesplan (?:(?!&&)[^#\n])*)", line) for line in lines)
    return sorted({match[1].strip() for match in found if match})


@pytest.mark.parametrize("line", typed())
def test_a_command_can_be_typed(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name, its options and its arguments are there; it is not run. A plan file is there to be read."""
    monkeypatch.chdir(tmp_path)
    Path("plan.json").touch()
    words = [word for word in shlex.split(line)[1:] if word != "&"]
    command: click.Command = group
    context = click.Context(group, info_name="cesplan", obj=Session())
    while isinstance(command, click.Group):
        name, inner, words = command.resolve_command(context, words)
        assert inner is not None, name
        command, context = inner, click.Context(inner, parent=context, info_name=name)
    command.make_context("cesplan", words, parent=context.parent)


def test_the_demo_prints_what_the_page_shows(tmp_path: Path, warm: Warm) -> None:
    """`make demo` runs these commands in a copy of the large example."""
    shutil.copytree(
        ROOT / "examples/support-desk", tmp_path / "tree", ignore=shutil.ignore_patterns(".cesplan")
    )
    commands = consoles.typed(ROOT / "README.md")
    environ = {"PATH": warm.install(tmp_path / "bin"), "HOME": str(tmp_path)}
    written = consoles.run(commands, tmp_path / "tree", environ)
    wrong = [
        f"$ {item.command}\n--- shown\n{item.output}\n--- written\n{text}"
        for item, text in zip(commands, written, strict=True)
        if not consoles.agrees(item.output, text)
    ]
    assert not wrong, "\n\n".join(wrong)
    demo = (ROOT / "tools/demo.sh").read_text(encoding="utf-8")
    ran = [f"cesplan {found}" for found in re.findall(r"^run (.*?)(?: +#.*)?$", demo, re.MULTILINE)]
    assert ran == [item.command for item in commands]


def test_the_first_steps_can_be_taken(tmp_path: Path, warm: Warm) -> None:
    """One after the other in a new folder, after the installation and up to what needs an account."""
    (steps,) = (block for block in blocks("sh") if "cesplan init" in block)
    install, *taken, real = steps.splitlines()
    assert ("venv" in install, real.split()[:3]) == (True, ["cesplan", "plan", "#"])
    program = "\n".join(["set -e", *taken]).replace("apply --emulator", "apply --emulator --auto-approve")
    done = subprocess.run(
        ["/bin/sh", "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PATH": warm.install(tmp_path / "bin")},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "Live matches the tree." in done.stdout


def test_what_an_environment_says_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The partial file, the patch and the policy, laid over the example that they speak of."""
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "examples" / "support-desk", tree)
    named = [
        (found[1], block) for block in blocks("yaml") if (found := re.match(r"# (environments/\S+),", block))
    ]
    assert len(named) == 2
    for path, block in named:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(block, encoding="utf-8")
    (policy,) = (block for block in blocks("yaml") if block.startswith("policy:"))
    with (tree / "cesplan.yaml").open("a", encoding="utf-8") as file:
        file.write(policy)
    monkeypatch.chdir(tree)
    assert run(["validate", "-e", "prod"]) == 0
    capsys.readouterr()
    assert run(["render", "-e", "prod", "agents/orders"]) == 0
    out = capsys.readouterr().out
    assert "tools: [tools/lookup-order, tools/end_session, tools/quote-refund]\n" in out
    assert "\ndescription: null\n" in out
    assert re.search(r"\n  model: \S+\n  temperature: 0\.1\n", out)
