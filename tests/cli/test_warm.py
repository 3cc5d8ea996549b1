"""What calls a fork for a shell script: in C, and in Python where there is no compiler."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.warm import Warm, made_client


@pytest.mark.parametrize("compiler", ["cc", "no such compiler"])
def test_a_call_is_like_a_process(warm: Warm, tmp_path: Path, compiler: str) -> None:
    """Its words, streams, folder, environment, and exit code are those of the caller."""
    called = replace(warm, client=made_client(tmp_path, compiler))

    def ran(program: str, *words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            ["/bin/sh", "-c", called.script(program, "-e"), "name", *words],
            cwd=tmp_path,
            env={"LOGNAME": "Ada = α\n"},
            input="one",
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    (tmp_path / "α β\n").write_text("two", encoding="utf-8")
    assert ran("base64:main") == (0, "b25l\n", "")
    assert ran("base64:main", "α β\n") == (0, "dHdv\n", "")
    assert ran("base64:main", "-x")[:2] == (2, "")
    assert "No such file or directory: ''" in ran("base64:main", "")[2]
    assert ran("getpass:getuser") == (1, "", "Ada = α\n\n")
