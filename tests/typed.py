"""Commands typed in this process, ten times faster than in one of their own; and files to type them at."""

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cesplan.cli.running import run
from tests.machine_outputs import check_output


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def text(self) -> str:
        return self.out + self.err


Run = Callable[..., Ran]


def typing(capsys: pytest.CaptureFixture[str], *, never: str = "") -> Run:
    """
    Run a command line; what it writes for machines must be what the schemas say.

    `heard` is what it reads from a person, and `never` is in no output.
    """

    def typed(*words: str, heard: str = "") -> Ran:
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("sys.stdin", io.StringIO(heard))
            code = run([*words])
        out, err = capsys.readouterr()
        if words[:1] != ("chat",):
            check_output(words, out)
        assert not never or never not in out + err
        return Ran(code=code, out=out, err=err)

    return typed


def write_files(root: Path, files: Mapping[str, str]) -> None:
    """Texts by their paths; folders are made."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
