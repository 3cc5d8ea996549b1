"""What calls a fork for a shell script."""

import subprocess
from pathlib import Path

from tests.warm import Warm


def test_a_call_is_like_a_process(warm: Warm, tmp_path: Path) -> None:
    """Its words, streams, folder, environment, and exit code are those of the caller."""

    def ran(program: str, *words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            ["/bin/sh", "-c", warm.script(program, "-e"), "name", *words],
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
