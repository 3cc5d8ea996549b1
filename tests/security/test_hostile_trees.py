"""
The tree: whatever a stranger sends, `validate` and `plan` end, soon and in order.

With exit code 0, 5 or 7; with no file written outside the scratch folder, no process but git, no connection but
to the emulator, no code of the tree run, nothing from outside the tree shown.
"""

import base64
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cesplan.config.git import SETTINGS
from cesplan.emulator import EmbeddedEmulator
from tests.security.hostile_trees import ATTACKS, CANARY, SECRET, SMALL_TREE, Entry, write_tree
from tests.security.traps import git
from tests.security.watching import Seen, watched

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="limits of memory, pipes and links as Linux has them"
)

NAMES = sorted(ATTACKS)
ENDS = {0, 5, 7}
"""Done; the policy or a guard refuses; the tree has errors."""
FILES = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.link", "os.truncate")
RAW_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def emulator() -> Iterator[str]:
    with EmbeddedEmulator() as running:
        yield running.address


@dataclass(frozen=True, slots=True)
class Sent:
    """A tree of a stranger: attacks by name, and files over them."""

    attacks: tuple[str, ...]
    files: Mapping[str, str | bytes] = field(default_factory=dict)

    @property
    def entries(self) -> dict[str, Entry]:
        mixed = {path: entry for name in self.attacks for path, entry in ATTACKS[name].items()}
        return {**SMALL_TREE, **mixed, **self.files}


def check(trees: Sequence[Sent], emulator: str) -> None:
    """Validate and plan each tree, in one process, and hold what it did against the law."""
    with TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        (place / "scratch").mkdir()
        (place / "checkout").mkdir()
        (place / "checkout/canary").write_text(CANARY)
        commands = []
        for number, tree in enumerate(trees):
            write_tree(place / f"checkout/tree-{number}", tree.entries)
            commands += [[command, "-C", f"tree-{number}"] for command in ("validate", "plan")]
        git(place / "checkout", "init", "-q")
        git(place / "checkout", "add", "canary")
        git(place / "checkout", "commit", "-q", "-m", "first")
        secrets = {"CI": "true", "CESPLAN_SECRET_token": SECRET, "GITHUB_TOKEN": SECRET}
        seen = watched(place / "checkout", place / "scratch", *commands, emulator=emulator, variables=secrets)
        codes = {" ".join(command): code for command, code in zip(commands, seen.codes, strict=False)}
        next_one = " ".join((*commands, ["none"])[len(seen.codes)])
        assert seen.status == 0, f"{next_one} ended with {seen.status}: {seen.output[-3000:]}"
        assert {text: code for text, code in codes.items() if code not in ENDS} == {}, seen.output[-3000:]
        _check_output(seen)
        _check_events(seen, place, emulator)
        assert list(place.rglob("sprung")) == []


def _check_output(seen: Seen) -> None:
    assert "Traceback" not in seen.output
    assert CANARY not in seen.output
    assert SECRET not in seen.output
    assert base64.b64encode(SECRET.encode()).decode() not in seen.output
    assert "root:x:0" not in seen.output
    assert RAW_CONTROLS.findall(seen.output) == []


def _check_events(seen: Seen, place: Path, emulator: str) -> None:
    host, _, port = emulator.rpartition(":")
    inside = (f"{place}/scratch/", f"{place}/scratch", os.devnull)
    for arguments in seen.of(*FILES):
        assert str(arguments[0]).startswith(inside), arguments
    assert {tuple(address) for _, address in seen.of("socket.connect")} <= {(host, int(port))}
    assert [item for item in seen.of("socket.getaddrinfo") if item[0] != host] == []
    assert seen.of("exec") == []
    settings_of_git = [part for setting in SETTINGS for part in ("-c", setting)]
    for program, arguments, *_ in seen.of("subprocess.Popen"):
        assert Path(program).name == "git"
        assert not Path(program).is_relative_to(place)
        assert arguments[1 : 1 + len(settings_of_git)] == settings_of_git
    assert (
        seen.of("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "pty.spawn")
        == []
    )


def test_each_attack_by_itself(emulator: str) -> None:
    check([Sent((name,)) for name in NAMES], emulator)


scraps = st.lists(
    st.sampled_from(
        [
            *(
                "$file",
                "$var",
                "$ref",
                "$id",
                "$extra",
                "$ignore",
                "$silence",
                "$expand",
                "$ownership",
                "$protect",
            ),
            *(
                "displayName",
                "instruction",
                "tools",
                "name",
                "<<",
                "&a",
                "*a",
                "!!python/none",
                "{",
                "}",
                "[",
                "]",
            ),
            *(
                ": ",
                ", ",
                "- ",
                "\n",
                "\n  ",
                "'",
                '"',
                "|\n",
                ">\n",
                "#",
                "\t",
                "---\n",
                "...\n",
                "%TAG ! !\n",
            ),
            *(
                "null",
                "~",
                "1e309",
                ".nan",
                "-.inf",
                "0o777",
                "2001-01-01",
                "\x85",
                "\u2028",
                "\ufeff",
                "${a}",
                "$${",
            ),
            *("../canary", "/etc/passwd", "app.yaml", "front-desk", "projects/-/locations/-", "a" * 300),
        ]
    ),
    max_size=40,
).map("".join)
"""Text that is nearly YAML and full of directives."""
trees = st.builds(
    Sent,
    st.lists(st.sampled_from(NAMES), max_size=5, unique=True).map(tuple),
    st.dictionaries(
        st.sampled_from(
            [
                *("cesplan.yaml", "apps/help-desk/app.yaml", "apps/help-desk/agents/front-desk.yaml"),
                *("apps/help-desk/tools/t.yaml", "apps/help-desk/guardrails/g.yaml", "apps/x/app.yaml"),
                *(
                    "environments/prod/cesplan.yaml",
                    "securitySettings.yaml",
                    "apps/help-desk/evaluations/e.yaml",
                ),
            ]
        ),
        scraps | st.binary(max_size=60),
        max_size=3,
    ),
)


def _settings(examples: int) -> settings:
    return settings(max_examples=examples, phases=(Phase.explicit, Phase.reuse, Phase.generate))


@_settings(4)
@given(several=st.lists(trees, min_size=6, max_size=6))
def test_random_trees(emulator: str, several: list[Sent]) -> None:
    check(several, emulator)


@pytest.mark.slow
@_settings(100)
@given(several=st.lists(trees, min_size=8, max_size=8))
def test_many_random_trees(emulator: str, several: list[Sent]) -> None:
    check(several, emulator)
