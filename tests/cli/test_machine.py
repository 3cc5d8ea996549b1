"""The machine under a command: a folder that is gone, data that is damaged, streams that are closed."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree


@pytest.mark.parametrize("command", [("validate",), ("plan", "--emulator"), ("init",)])
def test_the_current_folder_is_gone(tmp_path: Path, command: tuple[str, ...]) -> None:
    """Nothing works there, and the message says why and not that cesplan is broken."""
    gone = tmp_path / "gone"
    gone.mkdir()
    program = f"cd '{gone}' && rmdir '{gone}' && exec '{sys.executable}' -m cesplan {' '.join(command)}"
    done = subprocess.run(["/bin/sh", "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: The current folder no longer exists.\n")


def test_what_the_system_refuses_is_no_defect(tree: Tree, cesplan: Run) -> None:
    """A file where a folder is wanted: the path, the reason, and the trace with --debug only."""
    tree.write(".cesplan", "")
    ran = cesplan("plan", "--emulator")
    assert ran.code == 1
    assert ".cesplan` cannot be used: file exists" in " ".join(ran.err.split())
    assert "Traceback" not in ran.err
    assert "FileExistsError" in cesplan("plan", "--emulator", "--debug").err


def test_data_that_is_no_database(tree: Tree, cesplan: Run) -> None:
    """The file is named, and the command that removes it works."""
    tree.write(".cesplan/emulator.db", "no database " * 1000)
    ran = cesplan("plan", "--emulator")
    assert ran.code == 1
    assert "file is not a database" in " ".join(ran.err.split())
    (remove,) = (line.strip() for line in ran.err.splitlines() if line.strip().startswith("rm "))
    subprocess.run(["/bin/sh", "-c", remove], check=True, timeout=60)
    assert cesplan("plan", "--emulator").code == 0


def test_data_with_other_tables(tree: Tree, cesplan: Run) -> None:
    """A database of another version of the emulator is said to be of no use, and stays as it is."""
    (tree.root / ".cesplan").mkdir()
    database = sqlite3.connect(tree.root / ".cesplan" / "emulator.db")
    database.execute("CREATE TABLE resources (id)")
    database.commit()
    database.close()
    ran = cesplan("plan", "--emulator")
    assert ran.code == 1
    assert "remove it:" in ran.err


def test_data_that_a_request_cannot_use(tree: Tree, process: Run) -> None:
    """The emulator answers with the reason; neither its trace nor ours is shown."""
    assert process("apply", "--emulator", "--auto-approve").code == 0
    file = tree.root / ".cesplan" / "emulator.db"
    intact = file.read_bytes()
    file.write_bytes(intact[:4096] + b"\xff" * (len(intact) - 4096))  # the first page has the tables
    ran = process("plan", "--emulator")
    assert ran.code == 1
    assert "The emulator cannot use its data: database disk image is malformed" in " ".join(ran.err.split())
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_streams_that_are_closed(tree: Tree, service: EmbeddedEmulator, closed: str) -> None:
    """Nobody reads, and the command does its work anyway."""
    line = f"'{sys.executable}' -m cesplan apply --auto-approve {closed}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert any(entry.rpc == "CreateApp" for entry in service.journal.entries)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_help_with_closed_streams(closed: str) -> None:
    """The same for what is printed without a session."""
    line = f"'{sys.executable}' -m cesplan --help {closed}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
