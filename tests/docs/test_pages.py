"""The pages of docs/ and of the examples say what is so: what they type runs, and writes what they show."""

import os
import re
import shutil
from pathlib import Path

import pytest

from cesplan.cli.group import ALIASES, COMMANDS
from cesplan.emulator import EmbeddedEmulator
from tests.docs.consoles import agrees, run, typed
from tests.warm import Warm

ROOT = Path(__file__).parents[2]
EXAMPLES = "examples"
PAGES = sorted(str(path.relative_to(ROOT)) for top in ("docs", EXAMPLES) for path in (ROOT / top).rglob("*.md"))
PAGES = [page for page in PAGES if "/apps/" not in page]
ADDRESS = "127.0.0.1:8470"
"""Where the pages have the emulator."""


@pytest.mark.parametrize("name", [name for name in PAGES if typed(ROOT / name)])
def test_what_a_page_types_writes_what_it_shows(tmp_path: Path, name: str, warm: Warm) -> None:
    """
    Against a real emulator; the pages' address represents that of the test.

    Pages of docs/ are typed beside the examples, those of an example in its folder.
    """
    shutil.copytree(ROOT / EXAMPLES, tmp_path / EXAMPLES, ignore=shutil.ignore_patterns(".cesplan"))
    folder = (tmp_path / name).parent if name.startswith(EXAMPLES) else tmp_path
    commands = [item for item in typed(ROOT / name) if not item.command.startswith("cesplan emulator serve")]
    assert commands
    with EmbeddedEmulator() as emulator:
        environ = {
            "PATH": warm.install(tmp_path / "bin"),
            "HOME": str(tmp_path),
            "CES_EMULATOR_HOST": emulator.address,
            "GIT_CONFIG_GLOBAL": os.devnull,
            **{
                f"GIT_{who}_{what}": "ada@acme.example"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }
        moved = [
            type(item)(command=item.command.replace(ADDRESS, emulator.address), output="") for item in commands
        ]
        written = [text.replace(emulator.address, ADDRESS) for text in run(moved, folder, environ)]
    assert len(written) == len(commands)
    wrong = [
        f"$ {item.command}\n--- shown\n{item.output}\n--- written\n{text}"
        for item, text in zip(commands, written, strict=True)
        if not agrees(item.output, text)
    ]
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("name", [*PAGES, "README.md", "SECURITY.md"])
def test_links_lead_somewhere(name: str) -> None:
    """Between pages, and into the repository."""
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (ROOT / name).read_text(encoding="utf-8"))
    assert [link for link in links if not ((ROOT / name).parent / link).exists()] == []


@pytest.mark.parametrize("name", [*PAGES, "README.md", "SECURITY.md"])
def test_paths_and_commands_are_there(name: str) -> None:
    """Every file of cesplan/ and tests/ and every command that a page names exists."""
    text = (ROOT / name).read_text(encoding="utf-8")
    paths = re.findall(r"`((?:cesplan|tests|examples)/[A-Za-z0-9_./-]+)`", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []
    commands = re.findall(r"(?:^\$ |`)cesplan ([a-z]+)", text, re.MULTILINE)
    assert [command for command in commands if command not in {**COMMANDS, **ALIASES}] == []


def test_a_page_that_shows_something_else_is_told() -> None:
    """The comparison forgives what differs each time, and nothing more."""
    assert agrees("a\n…\nd 3 ms", "a\nb\nc\nd 12 ms")
    assert not agrees("a\n…\nd", "a\nb\nc")
    assert not agrees('{"etag": "x"}', '{"etag": "y"}')
