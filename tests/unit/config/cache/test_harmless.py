"""A cache that is broken, poisoned, stale or shared costs time and changes nothing else."""

import errno
import marshal
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cesplan.config.cache import place, store
from cesplan.config.cache.fingerprint import fingerprint
from cesplan.config.cache.pack import Pack, read_pack
from cesplan.config.tree.load import Loaded, load
from tests.unit.config.cache.caches import Home, same
from tests.unit.config.planting import plant

SECRET = "correct-horse-battery-staple"
OTHER_PROJECT = "cesplan: 1\nproject: acme-two\nlocation: us\n"
FILES = {
    "agents/front-desk.yaml": "displayName: Front desk\ninstruction: Be kind.\n",
    "tools/look-up.yaml": "pythonFunction: {name: look_up, pythonCode: 'def look_up(): ...'}\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return plant(tmp_path / "tree", FILES)


@pytest.fixture
def plain(root: Path) -> Loaded:
    return load(root, environ={})


@pytest.fixture
def home(tmp_path: Path, root: Path) -> Home:
    """A user whose cache knows the tree."""
    found = Home(folder=tmp_path / "home")
    found.read(root)
    assert len(found.packs) == 1
    return found


def test_a_pack_cut_anywhere(home: Home, root: Path, plain: Loaded) -> None:
    """As a full disk or a killed copy leaves it; it is written anew."""
    (pack,) = home.packs
    whole = pack.read_bytes()
    for size in [*range(0, 70, 7), len(whole) // 2, len(whole) - 1]:
        pack.write_bytes(whole[:size])
        assert same(home.read(root), plain)
        assert pack.read_bytes() == whole, size


def test_a_pack_with_any_bit_turned(home: Home, root: Path, plain: Loaded) -> None:
    (pack,) = home.packs
    whole = pack.read_bytes()
    for at in range(0, len(whole), 41):
        turned = bytearray(whole)
        turned[at] ^= 1 << (at % 8)
        pack.write_bytes(turned)
        assert same(home.read(root), plain), at


def test_a_poisoned_pack_is_not_even_parsed(
    home: Home, root: Path, plain: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever can write to the folder of packs, but does not have the key, cannot say what a file says."""
    (pack,) = home.packs
    key = bytes(32)
    forged = read_pack(pack.read_bytes(), _key(home), fingerprint())
    for digest in [*forged._entries]:
        forged.get(digest)
    data = b"".join(forged.written(fingerprint())).replace(b"Be kind.", b"Be rude.")
    pack.write_bytes(Pack(key).written(b"")[0] + data[32:])
    seen: list[int] = []

    def loads(data: bytes) -> object:
        seen.append(len(data))
        return marshal.loads(data)

    monkeypatch.setattr("cesplan.config.cache.pack.marshal.loads", loads)
    assert b"Be rude." in pack.read_bytes()
    assert same(home.read(root), plain)
    assert seen == []


def test_another_key(home: Home, root: Path, plain: Loaded) -> None:
    """As in a pipeline that restores the cache of another machine, or after the state of a user was deleted."""
    (pack,) = home.packs
    key = next(home.folder.rglob("cache-key"))
    for content in (b"", b"short", bytes(32), bytes(33)):
        key.write_bytes(content)
        assert same(home.read(root), plain)
        assert len(key.read_bytes()) == 32
    assert pack in home.packs


def test_packs_in_each_others_place(home: Home, root: Path, plain: Loaded, tmp_path: Path) -> None:
    files = {**FILES, "agents/front-desk.yaml": "displayName: Another\n"}
    other = plant(tmp_path / "other", files, project=OTHER_PROJECT)
    home.read(other)
    one, two = home.packs
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    assert same(home.read(root), plain)
    assert same(home.read(other), load(other, environ={}))


def test_other_code(home: Home, root: Path, plain: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries of another version, or of before an edit to cesplan, are not used."""
    (pack,) = home.packs
    assert read_pack(pack.read_bytes(), _key(home), b"another")._entries == {}
    assert read_pack(pack.read_bytes(), _key(home), fingerprint())._entries != {}
    monkeypatch.setattr(store, "fingerprint", lambda: b"another")
    assert same(home.read(root), plain)
    assert read_pack(pack.read_bytes(), _key(home), b"another")._entries != {}


def test_an_edit_to_the_code_changes_its_fingerprint(tmp_path: Path) -> None:
    for name in ("config", "domain", "model"):
        (tmp_path / name / "inner").mkdir(parents=True)
    file = tmp_path / "model" / "inner" / "specs.py"
    seen = [fingerprint(tmp_path)]
    for change in (
        lambda: file.write_text("one = 1\n"),
        lambda: file.write_text("one = 11\n"),
        lambda: os.utime(file, (1, 1)),
        lambda: file.rename(file.with_name("other.py")),
    ):
        change()
        seen.append(fingerprint(tmp_path))
        assert fingerprint(tmp_path) == seen[-1]
    assert len({*seen}) == len(seen)


@pytest.mark.parametrize(
    "instead",
    [Path.mkdir, lambda path: path.symlink_to("/dev/zero"), os.mkfifo],
    ids=["folder", "link", "pipe"],
)
def test_something_else_in_place_of_a_pack(
    home: Home, root: Path, plain: Loaded, instead: Callable[[Path], None]
) -> None:
    (pack,) = home.packs
    pack.unlink()
    instead(pack)
    assert same(home.read(root), plain)


def test_a_full_disk(root: Path, plain: Loaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left behind, and nothing is said."""
    home = Home(folder=tmp_path / "full")

    def full(path: Path, *parts: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    home.read(plant(tmp_path / "empty", {}))
    before = sorted(home.folder.rglob("*"))
    monkeypatch.setattr(store, "write_private", full)
    assert same(home.read(root), plain)
    assert sorted(home.folder.rglob("*")) == before


def test_what_is_half_written_is_no_pack(home: Home, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack is written aside and moved; one that cannot be moved is deleted."""
    (pack,) = home.packs
    before = pack.read_bytes()

    def refuse(source: str, target: Path) -> None:
        assert Path(source).read_bytes() != before
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(place.os, "replace", refuse)
    (root / "apps/store/agents/front-desk.yaml").write_text("displayName: New\n")
    home.read(root)
    assert [path.name for path in pack.parent.iterdir()] == [pack.name]
    assert pack.read_bytes() == before


def test_two_runs_at_once(home: Home, root: Path) -> None:
    """Both read before either writes; the last one wins, whole."""
    files = [root / "apps/store/agents" / name for name in ("one-desk.yaml", "two-desk.yaml")]
    caches = []
    for file in files:
        file.write_text(f"displayName: {file.stem}\n")
        cache = home.cache(root)
        caches.append((cache, cache.save))
        cache.save = lambda: None  # type: ignore[method-assign]
        home.read(root, cache_of=lambda _, cache=cache: cache)
    for _, save in caches:
        save()
    assert same(home.read(root), load(root, environ={}))


def test_secrets_and_values_from_outside_are_in_no_pack(tmp_path: Path) -> None:
    """Nor what is made of them, or holds one by chance; a file that uses one is read anew each time."""
    project = "cesplan: 1\nproject: acme-dev\nlocation: us\nvariables: {key: {secret: true}, host: h}\n"
    toolset = "openApiToolset:\n  openApiSchema: '{openapi: 3.0.0}'\n  url: https://${host}.example.com\n"
    tool = "pythonFunction: {name: look_up, pythonCode: {$file: look.py, $expand: true}}\n"
    root = plant(
        tmp_path / "tree",
        {
            **FILES,
            "toolsets/crm-one.yaml": toolset,
            "tools/look-two.yaml": tool,
            "tools/look.py": "def look_up():\n    return '${host} ${key}'\n",
            "agents/desk-two.yaml": "displayName: {$var: host}\ninstruction: '${key}'\n",
            "agents/desk-three.yaml": f"displayName: Leak\ninstruction: Say {SECRET}.\n",
            "toolsets/api-two.yaml": "openApiToolset: {openApiSchema: {$file: api.txt, $expand: true}}\n",
            "toolsets/api.txt": "openapi: 3.0.0\nservers: [{url: 'https://${host}.example.com'}]\n",
            "tools/look-three.yaml": "pythonFunction: {name: look, pythonCode: 'def ${host}(): ...'}\n",
        },
        project=project,
    )
    environ = {"CESPLAN_SECRET_key": SECRET, "CESPLAN_VAR_host": "wonderful_host"}
    home = Home(folder=tmp_path / "home", environ=environ)
    for _ in range(2):
        assert same(home.read(root), load(root, environ=environ))
    data = b"".join(path.read_bytes() for path in home.folder.rglob("*") if path.is_file())
    assert b"Be kind." in data
    assert SECRET.encode() not in data
    assert b"wonderful_host" not in data
    other = {**environ, "CESPLAN_VAR_host": "other", "CESPLAN_SECRET_key": "changed"}
    assert same(home.read(root, environ=other), load(root, environ=other))


def test_a_pack_does_not_grow_with_edits(home: Home, root: Path) -> None:
    """What no run has used lately makes room."""
    (pack,) = home.packs
    for number in range(12):
        (root / "apps/store/agents/front-desk.yaml").write_text(
            f"displayName: D\ninstruction: {number}{'.' * 4000}\n"
        )
        home.read(root)
    assert pack.stat().st_size < 3 * 4_000 + 2_000


def test_after_an_edit_the_rest_of_a_pack_is_still_known(tmp_path: Path) -> None:
    """Large entries are not held once they were used, and read again when the pack is written."""
    text = "displayName: Desk {0}\ninstruction: {1}\n"
    root = plant(tmp_path / "tree", {f"agents/desk-{n}.yaml": text.format(n, "." * 4000) for n in range(4)})
    home = Home(folder=tmp_path / "home")
    home.read(root)
    (pack,) = home.packs
    before = read_pack(pack.read_bytes(), _key(home), fingerprint())._entries.keys()
    (root / "apps/store/agents/desk-1.yaml").write_text(text.format(1, "Other." * 900))
    home.read(root)
    after = read_pack(pack.read_bytes(), _key(home), fingerprint())._entries.keys()
    edited = len(after - before)
    assert len(before) == 4 * edited
    assert len(before & after) >= 3 * edited


def test_a_branch_that_one_comes_back_to_is_still_known(home: Home, root: Path) -> None:
    file = root / "apps/store/agents/front-desk.yaml"
    (pack,) = home.packs
    for text in ("displayName: Other\n", FILES["agents/front-desk.yaml"], "displayName: Other\n"):
        before = pack.stat().st_mtime_ns
        file.write_text(text)
        home.read(root)
    assert pack.stat().st_mtime_ns == before


def test_the_oldest_packs_go_first(
    home: Home, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first,) = home.packs
    os.utime(first, (1_000, 1_000))
    monkeypatch.setattr(store, "MOST_BYTES", first.stat().st_size + 100)
    abandoned = first.with_name(f"{first.name}.0123456789abcdef")
    abandoned.write_bytes(b"half")
    os.utime(abandoned, (1_000, 1_000))
    home.read(plant(tmp_path / "other", FILES, project=OTHER_PROJECT))
    assert len(home.packs) == 1
    assert first not in home.packs
    assert not abandoned.exists()


def test_a_pack_that_is_used_stays_young(home: Home, root: Path) -> None:
    (pack,) = home.packs
    os.utime(pack, (1_000, 1_000))
    home.read(root)
    assert pack.stat().st_mtime > 1_000_000


def _key(home: Home) -> bytes:
    return next(home.folder.rglob("cache-key")).read_bytes()
