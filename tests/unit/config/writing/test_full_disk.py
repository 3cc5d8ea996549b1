"""Writing while nothing more can be written: a file is whole, or it is not there."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cesplan.config.writing.outputs import make_room
from cesplan.config.writing.whole_files import write_whole


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow: a write fails as on a full disk, after its file was created."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_an_empty_gitignore_is_not_left_behind(tmp_path: Path) -> None:
    """It would never be written again, and git would not ignore the data of the emulator."""
    data = tmp_path / ".cesplan" / "emulator.db"
    with full_disk(), pytest.raises(OSError):
        make_room(data)
    assert [*data.parent.iterdir()] == []
    make_room(data)
    assert (data.parent / ".gitignore").read_text() == "*\n"


def test_the_error_names_the_file(tmp_path: Path) -> None:
    """The operating system names none for a failed write."""
    path = tmp_path / "plan.json"
    path.write_text("old")
    with full_disk(), pytest.raises(OSError) as caught:
        write_whole(path, "new", mode=0o600)
    assert (caught.value.filename, path.read_text()) == (str(path), "old")
    assert [*tmp_path.iterdir()] == [path]
