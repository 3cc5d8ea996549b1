"""Where the cache may be, and whom it may belong to."""

import os
import stat
from pathlib import Path

import pytest

from cesplan.config.cache.place import FOLDER, cache_folder, cache_key
from cesplan.config.cache.store import users_cache
from cesplan.domain.errors import UsageError
from tests.unit.config.cache.caches import Home
from tests.unit.config.planting import AGENT, plant

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes and owners are those of POSIX")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return plant(tmp_path / "repository" / "tree", {"agents/front-desk.yaml": AGENT})


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(folder=tmp_path / "home")


def test_everything_is_private(home: Home, root: Path) -> None:
    """Packs hold prompts and code: only their owner can read them. The key is in another folder."""
    home.read(root)
    (pack,) = home.packs
    key = next(home.folder.rglob("cache-key"))
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (pack, pack.parent, key, key.parent)]
    assert modes == [0o600, 0o700, 0o600, 0o700]
    assert not key.is_relative_to(pack.parent)


def test_a_folder_that_the_environment_names(home: Home, root: Path, tmp_path: Path) -> None:
    Home(folder=home.folder, environ={FOLDER: str(tmp_path / "named")}).read(root)
    assert [path.parent for path in Home(folder=tmp_path).packs] == [tmp_path / "named"]


@pytest.mark.parametrize("name", ["tree/cache", "tree", "cache", "."])
def test_a_named_folder_that_a_pull_request_can_commit_is_refused(home: Home, root: Path, name: str) -> None:
    """Inside the tree, or elsewhere in the repository around it; nothing is made there."""
    (root.parent / ".git").mkdir()
    folder = root.parent / name
    with pytest.raises(UsageError) as refused:
        users_cache(root, {**home.everything, FOLDER: str(folder)})
    assert FOLDER in refused.value.summary
    assert not (root / "cache").exists()


def test_a_link_into_the_tree_is_refused(home: Home, root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    with pytest.raises(UsageError):
        users_cache(root, {**home.everything, FOLDER: str(tmp_path / "link" / "cache")})


def test_no_cache_where_home_is_the_checkout(root: Path) -> None:
    """As some pipelines set it: then the usual folders are in the tree."""
    inside = Home(folder=root)
    inside.read(root)
    assert inside.packs == []
    assert sorted(path.name for path in root.iterdir()) == ["apps", "cesplan.yaml"]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
@pytest.mark.parametrize("which", ["caches", "states"])
def test_no_cache_in_a_folder_that_others_can_write_to(home: Home, root: Path, mode: int, which: str) -> None:
    folder = home.folder / which / "cesplan"
    folder.mkdir(parents=True)
    folder.chmod(mode)
    home.read(root)
    assert home.packs == []


def test_no_cache_in_the_folder_of_another_user(
    home: Home, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.read(root)
    monkeypatch.setattr(os, "geteuid", lambda: 4_242)
    assert cache_folder(root, home.everything) is None
    assert cache_key(root, home.everything) == b""


def test_a_key_that_others_can_write_is_replaced(home: Home, root: Path) -> None:
    home.read(root)
    key = next(home.folder.rglob("cache-key"))
    before = key.read_bytes()
    key.chmod(0o666)
    home.read(root)
    assert key.read_bytes() != before
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


@pytest.mark.parametrize("where", ["caches", "states"])
def test_no_cache_where_no_folder_can_be_made(home: Home, root: Path, where: str) -> None:
    home.folder.mkdir()
    (home.folder / where).write_text("a file")
    home.read(root)
    assert home.packs == []


def test_a_home_that_does_not_exist_is_not_created(root: Path, tmp_path: Path) -> None:
    """As of users of services, in Debian `/nonexistent`."""
    nobody = {"HOME": str(tmp_path / "nonexistent")}
    assert (cache_folder(root, nobody), cache_key(root, nobody)) == (None, b"")
    assert not (tmp_path / "nonexistent").exists()


def test_no_cache_without_a_home(root: Path) -> None:
    assert cache_folder(root, {}) is None
    assert cache_key(root, {}) == b""


@pytest.mark.parametrize(("said", "packs"), [("1", 0), ("true", 0), ("0", 1), ("", 1), ("off", 1)])
def test_the_environment_turns_it_off(home: Home, root: Path, said: str, packs: int) -> None:
    Home(folder=home.folder, environ={"CESPLAN_NO_CACHE": said}).read(root)
    assert len(home.packs) == packs
