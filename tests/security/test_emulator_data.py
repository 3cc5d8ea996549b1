"""The file in which `--emulator` keeps its data: in a stranger's tree, and on a machine with other users."""

import os
import sqlite3
import stat

import pytest
import urllib3

from cesplan.domain.errors import CesplanError, InvalidConfiguration
from cesplan.emulator.storage.store import Store
from cesplan.workflow.emulating import emulator

APPS = "v1/projects/p/locations/us/apps"


@pytest.fixture
def tree(tmp_path):
    """A checkout, and beside it a folder that is none of its business."""
    (tmp_path / "outside").mkdir()
    root = tmp_path / "tree"
    root.mkdir()
    (root / "cesplan.yaml").write_text("cesplan: 1\n")
    return root


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_folder_that_leads_out_of_the_tree(tree):
    """A pull request that holds `.cesplan` as a link: nothing is written where it leads."""
    (tree / ".cesplan").symlink_to("../outside")
    with (
        pytest.raises(InvalidConfiguration, match=r"\.cesplan is a symbolic link"),
        emulator(tree, embedded=True),
    ):
        pass
    assert list((tree.parent / "outside").iterdir()) == []


@pytest.mark.parametrize(
    "name", [".gitignore", "emulator.db", "emulator.db-wal", "emulator.db-shm", "emulator.db-journal"]
)
@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_leads_out_of_the_tree(tree, name, there):
    """Whether the link leads to a file that is there or to one that would be made."""
    target = tree.parent / "outside" / "target"
    if there:
        target.write_text("theirs")
    (tree / ".cesplan").mkdir()
    (tree / ".cesplan" / name).symlink_to("../../outside/target")
    with pytest.raises(InvalidConfiguration, match="is a symbolic link"), emulator(tree, embedded=True):
        pass
    assert target.exists() == there
    assert not there or target.read_text() == "theirs"


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_the_data_is_private_to_the_user(tree, mask):
    """Whatever the umask: the folder 0700, its database and what SQLite puts beside it 0600."""
    before = os.umask(mask)
    try:
        with emulator(tree, embedded=True) as address:
            made = urllib3.request(
                "POST", f"http://{address}/{APPS}?appId=desk1", json={"displayName": "Secret"}
            )
            assert made.status == 200
            files = sorted((tree / ".cesplan").glob("emulator.db*"))
            assert {file.name: mode(file) for file in files} == {
                "emulator.db": 0o600,
                "emulator.db-shm": 0o600,
                "emulator.db-wal": 0o600,
            }
    finally:
        os.umask(before)
    assert mode(tree / ".cesplan") == 0o700


def test_what_was_readable_becomes_private(tree):
    """Data and folder of an older version, or of a careless copy."""
    folder = tree / ".cesplan"
    folder.mkdir(mode=0o755)
    Store(folder / "emulator.db").close()
    (folder / "emulator.db").chmod(0o644)
    folder.chmod(0o755)
    with emulator(tree, embedded=True):
        assert mode(folder / "emulator.db") == 0o600
    assert mode(folder) == 0o700


def test_a_file_of_the_command_line_is_private_too(tmp_path):
    """`--data` in a folder that is made for it, or in one that is there, whose mode is left alone."""
    tmp_path.chmod(0o755)
    for path in (tmp_path / "new" / "data.db", tmp_path / "data.db"):
        Store(path).close()
        assert mode(path) == 0o600
    assert mode(tmp_path / "new") == 0o700
    assert mode(tmp_path) == 0o755


def test_a_database_that_runs_something_is_refused(tree):
    """A committed file with triggers is not used, and stays as it was."""
    folder = tree / ".cesplan"
    folder.mkdir()
    with sqlite3.connect(folder / "emulator.db") as made:
        made.execute("CREATE TABLE resources (name TEXT)")
        made.execute("CREATE TRIGGER t AFTER INSERT ON resources BEGIN DELETE FROM resources; END")
    made.close()
    with pytest.raises(CesplanError, match="triggers or views"), emulator(tree, embedded=True):
        pass
