"""
The gallery is current: its texts and comments are what the commands write now, its pictures are of these pages.

Without a browser: of a picture, its size and the digest of the page that it was taken of are checked. `make
gallery` makes all of it again.
"""

import struct

import pytest

from tools.gallery import CHANGES, FOLDER, MOST_BYTES, PAGE, ROOT, SIZE, Shown, gallery, recorded, shown

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def found() -> tuple[Shown, ...]:
    return shown()


def test_texts_and_comments_are_what_the_commands_write(found: tuple[Shown, ...]) -> None:
    files = gallery(found, recorded())
    assert {path.relative_to(ROOT) for path in FOLDER.glob("*.md")} == {
        path.relative_to(ROOT) for path in files if path != PAGE
    }
    for path, text in files.items():
        assert path.read_text(encoding="utf-8") == text, "run `make gallery`, and read what changed"


def test_every_picture_is_of_the_page_as_it_is_now(found: tuple[Shown, ...]) -> None:
    """By the digest of the whole page, style included."""
    assert recorded() == {item.change.name: item.digest for item in found}, "run `make gallery`"


@pytest.mark.parametrize("name", [change.name for change in CHANGES])
def test_a_picture_is_small_and_has_the_size_of_the_window(name: str) -> None:
    data = (FOLDER / f"{name}.png").read_bytes()
    assert data.startswith(_SIGNATURE)
    assert struct.unpack(">II", data[16:24]) == SIZE
    assert len(data) <= MOST_BYTES


def test_a_picture_of_an_earlier_page_says_so(found: tuple[Shown, ...]) -> None:
    """Where there was no browser to take a new one."""
    old = {**recorded(), found[0].change.name: "0" * 64}
    assert gallery(found, old)[PAGE].count("*The picture is of an earlier page.*") == 1
    assert "earlier page" not in gallery(found, recorded())[PAGE]


def test_the_changes_show_what_they_are_for(found: tuple[Shown, ...]) -> None:
    """Each says the one thing that it is in the gallery for, in all three forms."""
    said = {
        "word": "five",
        "guardrail": "WEA001",
        "openapi": "OAS010",
        "python": "comments and formatting only",
        "callback": "moved from [1]",
        "rename": "No changes",
        "delete": "used by agents/billing",
        "live-edit": "acme.example",
        "release": "versions/release-2 has 5%",
        "first-plan": "WEA005",
    }
    for item in found:
        for text in (item.text, item.comment, item.page):
            assert said[item.change.name] in text, item.change.name
