"""
What is no file in a tree or an export: links, pipes, sockets, devices; and more files than anyone has.

Each is an error or is left out with a notice, nothing waits for it, and nothing outside the tree is read,
not even the names in a folder.
"""

import os
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cesplan.cli.running import run
from cesplan.config import files
from cesplan.config.report import Report
from cesplan.config.tree.load import load
from cesplan.features.export_layout import sources
from cesplan.features.export_layout.load import Destination, load_export
from tests.security.hostile_trees import CANARY, SMALL_TREE, write_tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pipes, sockets and devices as Linux has them")

PROJECT = "cesplan: 1\nproject: acme-dev\nlocation: us\nenvironments: {prod: {}}\n"
PLACES = [
    "apps/help-desk/app.yaml", "apps/help-desk/agents/front-desk.yaml", "apps/help-desk/agents/front-desk.md",
    "apps/help-desk/agents/unused.md", "apps/help-desk/tools", "apps/help-desk/notes", "apps/help-desk",
    "apps/other", "securitySettings.yaml", "environments", "environments/prod",
    "environments/prod/securitySettings.yaml", "environments/prod/apps/help-desk/agents/front-desk.yaml",
    "environments/prod/apps/help-desk/app.patch.yaml", "environments/prod/apps/help-desk/agents",
]  # fmt: skip
ODD = [
    "pipe",
    "socket",
    "to a device",
    "to a pipe",
    "to a file",
    "to a folder",
    "to nothing",
    "to itself",
    "up",
]


@pytest.fixture(autouse=True)
def _nothing_waits() -> Iterator[None]:
    def late(*_: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of the user, with a file and a pipe in it."""
    folder = tmp_path.resolve() / "home"
    folder.mkdir()
    (folder / "canary-file.yaml").write_text(CANARY)
    os.mkfifo(folder / "pipe")
    return folder


def put(path: Path, odd: str, outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something odd instead of whatever is there."""
    if path.is_dir():
        path.rename(path.with_name(f".{path.name}"))
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    targets = {
        "to a device": "/dev/zero", "to a pipe": outside / "pipe", "to a file": outside / "canary-file.yaml",
        "to a folder": outside, "to nothing": "nowhere", "to itself": path.name, "up": "../" * 12,
    }  # fmt: skip
    match odd:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            monkeypatch.chdir(path.parent)  # the path of a socket is short
            with socket.socket(socket.AF_UNIX) as opened:
                opened.bind(path.name)
        case _:
            path.symlink_to(targets[odd])


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("place", PLACES)
def test_whatever_stands_in_a_tree_is_said(
    tmp_path: Path,
    outside: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    place: str,
    odd: str,
) -> None:
    """An error or a warning that names the place; nothing of the user's folder is shown, no name either."""
    root = tmp_path / "tree"
    write_tree(root, {**SMALL_TREE, "cesplan.yaml": PROJECT})
    put(root / place, odd, outside, monkeypatch)
    monkeypatch.chdir(root)
    code = run(["validate", "-e", "prod"])
    streams = capsys.readouterr()
    said = streams.out + streams.err
    assert code in (0, 7)
    assert "canary" not in said
    assert "defect" not in said
    assert place.split("/")[-1].partition(".")[0] in said
    assert code == 7 or "warning" in said


def test_the_folder_above_is_not_inside(tmp_path: Path) -> None:
    """However it is written."""
    (tmp_path / "tree/a").mkdir(parents=True)
    opened = files.Files(tmp_path / "tree", Report())
    assert [
        path for path in ("..", "a/../..", "a/..//../tree/..", "../tree/../..") if opened.inside(path)
    ] == []
    assert [path for path in ("", ".", "a", "a/..", "a/../a/b", "../tree/a") if not opened.inside(path)] == []


def test_a_folder_that_leads_out_is_not_even_listed(tmp_path: Path, outside: Path) -> None:
    """Its names were shown as files of no use."""
    write_tree(tmp_path / "tree", {**SMALL_TREE})
    (tmp_path / "tree/apps/help-desk/tools").symlink_to(outside)
    found = load(tmp_path / "tree", environ={})
    assert [item.summary for item in found.diagnostics] == ["`apps/help-desk/tools` leads out of the tree"]


@pytest.mark.parametrize("pattern", ["up/*/*/*/*/*/*", "up/**", "apps/up/*", "[u]p/*/*"])
def test_patterns_of_apps_do_not_search_the_machine(tmp_path: Path, pattern: str) -> None:
    """Through a link to the root of the file system."""
    write_tree(tmp_path, {**SMALL_TREE, "cesplan.yaml": f"{SMALL_TREE['cesplan.yaml']}apps: ['{pattern}']\n"})
    (tmp_path / "up").symlink_to("/")
    (tmp_path / "apps/up").symlink_to("/")
    said = {item.summary for item in load(tmp_path, environ={}).diagnostics}
    assert said & {"`up` leads out of the tree", "`apps/up` leads out of the tree"}


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (".", "`.` cannot match an app folder"),
        ("", "`` cannot match an app folder"),
        ("./", "`./` cannot match an app folder"),
        ("/", "`/` leads out of the tree"),
        ("[" * 100_000, "a pattern of `apps` is longer than 1,000 characters"),
        ("[" * 1_000, "the tree has no apps"),
        ("*a" * 500, "the tree has no apps"),
        ("**b", "the tree has no apps"),
        ("[z-a]", "the tree has no apps"),
        ("a\\0b", "the tree has no apps"),
        ("apps/" * 100 + "*", "the tree has no apps"),
        ("no-such/*", "the tree has no apps"),
    ],
)
def test_odd_patterns_of_apps(tmp_path: Path, pattern: str, said: str) -> None:
    """Some ended as a defect, and one of brackets took hours."""
    quoted = f'"{pattern}"'
    write_tree(tmp_path, {**SMALL_TREE, "cesplan.yaml": f"{SMALL_TREE['cesplan.yaml']}apps: [{quoted}]\n"})
    (tmp_path / ("a" * 200)).mkdir()
    assert said in {item.summary for item in load(tmp_path, environ={}).diagnostics}


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("apps/*", ["apps/a", "apps/b", "apps/link"]),
        ("apps/a", ["apps/a"]),
        ("./apps//a/", ["apps/a"]),
        ("apps/[ab]", ["apps/a", "apps/b"]),
        ("teams/*/apps/*", ["teams/x/apps/c"]),
        ("teams/**/c", ["teams/x/apps/c"]),
        ("**/apps/c", ["teams/x/apps/c"]),
        ("apps/?", ["apps/a", "apps/b"]),
    ],
)
def test_patterns_of_apps(tmp_path: Path, pattern: str, found: list[str]) -> None:
    """A link inside the tree counts where a name or `*` meets it; what is hidden does not."""
    entries = {
        f"{path}/app.yaml": "displayName: x\n" for path in ("apps/a", "apps/b", "teams/x/apps/c", "apps/.h")
    }
    write_tree(tmp_path, {**entries, "cesplan.yaml": f"{SMALL_TREE['cesplan.yaml']}apps: ['{pattern}']\n"})
    (tmp_path / "apps/link").symlink_to("../teams/x/apps/c")
    tree = load(tmp_path, environ={}).tree
    assert tree is not None
    assert [app.app.path for app in tree.apps] == [f"{path}/app.yaml" for path in found]


def test_a_tree_has_a_largest_number_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said once; and links to one folder in each other count as often as they are met."""
    monkeypatch.setattr(files, "MOST_ENTRIES", 1_000)
    agents = {f"apps/help-desk/agents/agent-{number}.yaml": "displayName: x\n" for number in range(1_001)}
    write_tree(tmp_path / "wide", {**SMALL_TREE, **agents})
    said = [item.summary for item in load(tmp_path / "wide", environ={}).diagnostics]
    assert said.count("the tree has more than 1,000 files and folders") == 1
    project = f"{SMALL_TREE['cesplan.yaml']}apps: ['{'*/' * 12}*']\n"
    write_tree(tmp_path / "rings", {"cesplan.yaml": project, "a/b/c": ""})
    for number in range(9):
        (tmp_path / f"rings/a/ring-{number}").symlink_to(".")
    listed: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(os.path.realpath(path)) or scandir(path))
    said = [item.summary for item in load(tmp_path / "rings", environ={}).diagnostics]
    assert said == ["the tree has more than 1,000 files and folders"]
    assert f"{tmp_path}/rings/a" in listed
    assert sorted(listed) == sorted(set(listed)), "the disk is asked once about each folder"


def test_folders_as_deep_as_names_go(tmp_path: Path) -> None:
    """A tree may be deeper than the interpreter recurses."""
    write_tree(tmp_path, {**SMALL_TREE, "cesplan.yaml": f"{SMALL_TREE['cesplan.yaml']}apps: ['**/nowhere']\n"})
    subprocess.run(["mkdir", "-p", tmp_path / ("d/" * 1_500)], check=True)
    try:
        assert "CES034" in {item.code for item in load(tmp_path, environ={}).diagnostics}
    finally:
        subprocess.run(["rm", "-r", tmp_path / "d"], check=True)  # the interpreter cannot


def packed(path: Path, method: int, contents: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)


def export_said(path: Path) -> list[str]:
    found = load_export(path, Destination(project="acme-dev", location="us"))
    return [item.summary for item in found.diagnostics]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_of_another_method_is_not_unpacked(tmp_path: Path, method: int) -> None:
    """The library unpacks whole blocks of these: a kilobyte is a gigabyte."""
    packed(tmp_path / "a.zip", method, {"app.json": b'{"displayName": "x"}', "a.txt": b"0" * 1_000})
    [said] = export_said(tmp_path / "a.zip")
    assert said.endswith("not a usable export: `app.json` is compressed with a method that exports do not use")


def test_an_archive_has_a_largest_size_and_number_of_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said before its list of entries is read, which is in memory as a whole."""
    path = tmp_path / "a.zip"
    packed(path, zipfile.ZIP_DEFLATED, {"app.json": b'{"displayName": "x"}', **{f"{n}": b"" for n in range(9)}})
    with monkeypatch.context() as patch:
        patch.setattr(zipfile.ZipFile, "__init__", None)
        patch.setattr(sources, "MOST_ENTRIES", 9)
        assert export_said(path) == [f"`{path}` is not a usable export: it has more than 9 entries"]
        patch.setattr(sources, "MOST_DATA", 100)
        assert export_said(path) == [f"`{path}` is not a usable export: it is larger than 0 MiB"]
    os.mkfifo(tmp_path / "pipe.zip")
    assert export_said(tmp_path / "pipe.zip")[0].endswith("not a usable export: it is not a regular file")


def test_a_folder_of_an_export_has_the_same_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Number of files, size of one, size of all."""
    write_tree(
        tmp_path, {"app.json": '{"displayName": "x"}', **{f"notes/{n}.txt": "x" * 100 for n in range(9)}}
    )
    with monkeypatch.context() as patch:
        patch.setattr(sources, "MOST_ENTRIES", 9)
        assert export_said(tmp_path) == [f"`{tmp_path}` is not a usable export: it has more than 9 files"]
    with monkeypatch.context() as patch:
        patch.setattr(files, "LARGEST_FILE", 99)
        assert export_said(tmp_path).count(
            "`notes/0.txt` is ignored: it cannot be read: it is larger than 0 MiB"
        )
    with monkeypatch.context() as patch:
        patch.setattr(files, "MOST_DATA", 500)
        said = export_said(tmp_path)
        assert (
            "`notes/8.txt` is ignored: it cannot be read: the files of this tree are larger than 0 MiB in total"
            in said
        )


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "place", ["notes.txt", "agents", "agents/Front/Front.json", "agents/Front/notes", "app.json"]
)
def test_whatever_stands_in_an_export_is_said(
    tmp_path: Path,
    outside: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    place: str,
    odd: str,
) -> None:
    """A finding that names it; what it leads to is not read."""
    root = tmp_path / "export"
    front = {"agents/Front/Front.json": '{"displayName": "Front"}', "agents/Front/notes/a": "b"}
    write_tree(root, {"app.json": '{"displayName": "x", "rootAgent": "Front"}', "notes.txt": "", **front})
    put(root / place, odd, outside, monkeypatch)
    monkeypatch.chdir(tmp_path)
    code = run(["validate", "--from", "export", "--project", "acme-dev", "--location", "us"])
    streams = capsys.readouterr()
    said = streams.out + streams.err
    assert code in (0, 7, 64)
    assert "canary" not in said
    assert "defect" not in said
    assert place.split("/")[-1] in said or code == 64, said


def test_a_folder_beside_the_export_is_not_one_through_a_link(tmp_path: Path, outside: Path) -> None:
    """A link in a checkout to an export of the user."""
    write_tree(outside / "shop", {"app.json": '{"displayName": "canary"}'})
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout/shop").symlink_to(outside / "shop")
    assert export_said(tmp_path / "checkout") == [f"`{tmp_path / 'checkout'}` does not contain an app"]


def test_a_file_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    """What was no link when its folder was listed must not lead out of the tree when it is opened."""
    (tmp_path / "outside").write_text("of somebody else")
    root = tmp_path / "tree"
    root.mkdir()
    (root / "note.md").write_text("ours")
    report = Report()
    opened = files.Files(root, report)
    assert [entry.name for entry in opened.entries("")] == ["note.md"]
    (root / "note.md").unlink()
    (root / "note.md").symlink_to(tmp_path / "outside")
    assert opened.inside("note.md")
    assert opened.sound_text("note.md") is None
    assert opened.text("note.md") is None
    assert report.has_errors
