"""Opening a ZIP or folder: found where it may be, refused where it must be."""

import io
import zipfile
from pathlib import Path

import pytest

from cesplan.config.report import Report
from cesplan.features.export_layout import sources
from cesplan.features.export_layout.detection import is_export
from cesplan.features.export_layout.sources import open_export

APP = b'{"displayName": "Shop"}'


def packed(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return path


def opened(path: Path) -> tuple[str, ...] | str:
    """The names in an export, or what was said against it."""
    report = Report()
    found = open_export(path, report)
    if found is not None:
        return found.names
    (diagnostic,) = report.diagnostics
    assert diagnostic.code == "CES036"
    return diagnostic.summary.replace(str(path), "X")


@pytest.mark.parametrize("prefix", ["", "Shop/", "Bella Notte ä/"])
def test_the_app_stands_at_the_top_or_in_one_folder(prefix: str, tmp_path: Path) -> None:
    archive = packed(
        tmp_path / "a.zip", (f"{prefix}app.json", APP), (f"{prefix}agents/A/A.json", b"{}"), ("__MACOSX/x", b"")
    )
    assert opened(archive) == ("agents/A/A.json", "app.json")


def test_a_folder_and_the_folder_above_it(tmp_path: Path) -> None:
    (tmp_path / "Shop" / ".git").mkdir(parents=True)
    (tmp_path / "Shop" / "app.json").write_bytes(APP)
    (tmp_path / "Shop" / ".git" / "config").write_bytes(b"")
    assert opened(tmp_path) == opened(tmp_path / "Shop") == ("app.json",)


def _link() -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("Shop/agents")
    entry.external_attr = 0o120777 << 16
    return entry


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("../evil", "`../evil` is not a safe path in an archive"),
        ("/etc/passwd", "`/etc/passwd` is not a safe path in an archive"),
        ("Shop/../../x", "`Shop/../../x` is not a safe path in an archive"),
        ("C:/x", "`C:/x` is not a safe path in an archive"),
        ("Shop/a\\..\\b", "`Shop/a\\..\\b` is not a safe path in an archive"),
        (_link(), "`Shop/agents` is a symbolic link"),
    ],
)
def test_what_leads_out_of_an_archive_condemns_it(
    entry: str | zipfile.ZipInfo, why: str, tmp_path: Path
) -> None:
    archive = packed(tmp_path / "a.zip", ("Shop/app.json", APP), (entry, b"x"))
    assert opened(archive) == f"`X` is not a usable export: {why}"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_of_one_name(tmp_path: Path) -> None:
    archive = packed(tmp_path / "a.zip", ("app.json", APP), ("app.json", b"{}"))
    assert opened(archive) == "`X` is not a usable export: it has duplicate entries `app.json`"


def test_limits_hold_whatever_an_entry_says_of_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "LARGEST_FILE", 100)
    archive = packed(tmp_path / "a.zip", ("app.json", APP), ("big.txt", b"0" * 101))
    assert opened(archive) == "`X` is not a usable export: `big.txt` is too large"
    monkeypatch.setattr(sources, "LARGEST_FILE", 100_000)
    monkeypatch.setattr(sources, "MOST_DATA", 5_000)
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("app.json", APP)
        made.writestr("one.txt", b"0" * 5_000)
    assert opened(tmp_path / "b.zip") == "`X` is not a usable export: `one.txt` is too large"
    monkeypatch.setattr(sources, "MOST_ENTRIES", 1)
    assert opened(archive) == "`X` is not a usable export: it has more than 1 entries"


def test_what_is_no_archive_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 nonsense")
    assert opened(tmp_path / "a.zip") == "`X` is not a usable export: file is not a zip file"
    assert opened(tmp_path / "none.zip") == "`X` does not exist"
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("app.json", APP * 50)
    broken = bytearray(whole.getvalue())
    broken[45] ^= 0xFF
    (tmp_path / "b.zip").write_bytes(bytes(broken))
    assert str(opened(tmp_path / "b.zip")).startswith("`X` is not a usable export: ")


def test_detecting_looks_at_names_only(tmp_path: Path) -> None:
    """A native tree is none, nor is one of its app folders beside a cesplan.yaml."""
    assert not is_export(tmp_path)
    (tmp_path / "app.yaml").write_text("displayName: Shop\n")
    assert is_export(tmp_path)
    (tmp_path / "cesplan.yaml").write_text("cesplan: 1\n")
    assert not is_export(tmp_path)
    (tmp_path / "data").write_bytes(b"PK\x03\x04")
    assert is_export(tmp_path / "data")
