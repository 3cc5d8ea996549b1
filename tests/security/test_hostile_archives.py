"""
Exports from anywhere: archives that are damaged, and JSON that nests without end.

Each ends as any other mistake of a tree: a finding CES036 or another code, exit code 7, and no defect.
"""

import io
import random
import zipfile
from pathlib import Path

import pytest

from cesplan.cli.running import run

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def archive(method: int, text: bytes = b'{"displayName": "Shop", "rootAgent": "Front"}') -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as file:
        file.writestr("shop/app.json", text)
        file.writestr("shop/agents/Front/Front.json", b'{"displayName": "Front"}' * 20)
    return made.getvalue()


def damaged(data: bytes, dice: random.Random) -> bytes:
    """A few bytes of it are others, or its end is missing."""
    found = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        found[dice.randrange(len(found))] = dice.randrange(256)
    return bytes(found[: dice.randrange(len(found))] if dice.random() < 0.1 else found)


@pytest.mark.parametrize("method", METHODS, ids=["stored", "deflate", "bzip2", "lzma"])
def test_damaged_archives_are_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], method: int
) -> None:
    """Whatever bytes of it are changed: checksums, sizes, names, the streams themselves."""
    monkeypatch.chdir(tmp_path)
    dice = random.Random(9)
    whole = archive(method)
    place = ["--project", "acme-dev", "--location", "us"]
    codes = set()
    for _ in range(60):
        Path("shop.zip").write_bytes(damaged(whole, dice))
        codes.add(run(["validate", "--from", "shop.zip", *place]))
        assert "defect" not in capsys.readouterr().err
    assert codes <= {0, 7}
    assert 7 in codes


def test_a_broken_stream_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`zlib.error` and `LZMAError` are not defects of ours."""
    monkeypatch.chdir(tmp_path)
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA):
        data = bytearray(archive(method))
        start = data.index(b"app.json") + len(b"app.json")
        data[start : start + 12] = b"\xff" * 12
        Path("shop.zip").write_bytes(bytes(data))
        assert run(["validate", "--from", "shop.zip", "--project", "acme-dev", "--location", "us"]) == 7
        assert "error[CES036] `shop.zip` is not a usable export" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"a":' * 100_000, b'{"a":' * 500 + b"1" + b"}" * 500])
def test_deep_json_in_an_export_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: bytes
) -> None:
    """Neither the reader nor those who walk what it read run out of stack."""
    monkeypatch.chdir(tmp_path)
    Path("shop.zip").write_bytes(archive(zipfile.ZIP_DEFLATED, text))
    assert run(["validate", "--from", "shop.zip", "--project", "acme-dev", "--location", "us"]) == 7
    assert "defect" not in capsys.readouterr().err
