"""
The console blocks of a page of the documentation, run one after the other in one shell.

A line that begins with `$ ` is typed (`\\` at its end goes on in the next one). What follows is its output, to
the letter but for what differs each time (times, ids, etags, digests, durations); a line of `…` represents any
lines.
"""

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_MARK = "-- end of a command --"
_ANY_LINES = r"[^\n]*(?:\n[^\n]*)*?"
"""One line or more; no text can match in two ways, so a wrong page fails at once."""
_VOLATILE = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)"), "‹time›"),
    (re.compile(r"\n(Made (from commit [0-9a-f]{12}|outside git)|<sub>Made )[^\n]*"), ""),
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "‹uuid›"),
    (re.compile(r"[A-Za-z0-9+/]{43}="), "‹etag›"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "‹digest›"),
    (re.compile(r"\b[0-9a-f]{40}\b"), "‹commit›"),
    (re.compile(r"(?<=^apply )[0-9a-f]{12}\b", re.MULTILINE), "‹commit›"),
    (re.compile(r" +\d+ requests?, [\d.]+ m?s\b"), " ‹cost›"),
    (re.compile(r"\b\d+(\.\d+)? m?s\b"), "‹duration›"),
    (re.compile(r" {2,}(?=‹)"), "  "),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A command and the output that the page shows."""

    command: str
    output: str


def typed(page: Path) -> list[Typed]:
    """All that a page types."""
    found: list[Typed] = []
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        command: list[str] = []
        output: list[str] = []
        for line in block.splitlines():
            if command and not output and command[-1].endswith("\\"):
                command.append(line.removeprefix("> "))
            elif line.startswith("$ "):
                found += _closed(command, output)
                command, output = [line[2:]], []
            else:
                output.append(line)
        found += _closed(command, output)
    return found


def run(commands: Sequence[Typed], folder: Path, environ: Mapping[str, str]) -> list[str]:
    """What each command writes, in one bash; a command may fail."""
    rows = (f"{item.command}\necho '{_MARK}'" for item in commands)
    done = subprocess.run(
        ["bash", "--noprofile", "--norc"],
        input="\n".join(rows),
        cwd=folder,
        env=dict(environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    return [part.removeprefix("\n").rstrip("\n") for part in done.stdout.split(_MARK)[:-1]]


def agrees(shown: str, written: str) -> bool:
    """Whether what was written is what the page shows."""
    pattern = r"\n".join(
        _ANY_LINES if line.strip() == "…" else re.escape(line) for line in _plain(shown).split("\n")
    )
    return re.fullmatch(pattern, _plain(written)) is not None


def _closed(command: Sequence[str], output: Sequence[str]) -> list[Typed]:
    if not command:
        return []
    return [Typed(command="\n".join(command), output="\n".join(output).rstrip("\n"))]


def _plain(text: str) -> str:
    for pattern, name in _VOLATILE:
        text = pattern.sub(name, text)
    return "\n".join(line.rstrip() for line in text.split("\n"))
