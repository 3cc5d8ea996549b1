"""Fixes put into texts: exactly the words, whatever is around them."""

import pytest

from cesplan.config.report import HIDDEN
from cesplan.domain.diagnostic import Diagnostic, Fix, Severity, SourcePlace
from cesplan.features.fixes.edits import FileDraft, FileEdit
from cesplan.features.fixes.text_report import diff_text, number_of

_FILE = "apps/a/app.yaml"


def _found(line: int, column: int, before: str, after: str, source: str = "") -> Diagnostic:
    place = SourcePlace(file=_FILE, line=line, column=column)
    return Diagnostic(
        code="CES012",
        severity=Severity.ERROR,
        summary="unknown",
        place=place,
        source_line=source,
        fix=Fix(place=place, before=before, after=after),
    )


def _edited(data: bytes, *found: Diagnostic) -> FileEdit | None:
    draft = FileDraft.of(_FILE, data)
    return draft.edit() if draft.apply(found) else None


@pytest.mark.parametrize(
    ("before", "line", "column", "after"),
    [
        (b"nmae: x\n", 1, 1, b"name: x\n"),
        (b"nmae: x", 1, 1, b"name: x"),
        (b"\xef\xbb\xbfnmae: x\r\n", 1, 1, b"\xef\xbb\xbfname: x\r\n"),
        (b"a: 1\r\n'nmae' : x # nmae\r\n", 2, 2, b"a: 1\r\n'name' : x # nmae\r\n"),
        (b'a: 1\r"nmae": nmae\n', 2, 2, b'a: 1\r"name": nmae\n'),
        (b'{ "nmae" : x , b : 2 }\n', 1, 4, b'{ "name" : x , b : 2 }\n'),
        ("ä: {ö: 1, nmae: x}\n".encode(), 1, 11, "ä: {ö: 1, name: x}\n".encode()),
        (b"? nmae\n: x\n", 1, 3, b"? name\n: x\n"),
        (b"%YAML 1.2\n---\nnmae: &a x\nb: *a\n...\n", 3, 1, b"%YAML 1.2\n---\nname: &a x\nb: *a\n...\n"),
    ],
)
def test_only_the_word_changes(before: bytes, line: int, column: int, after: bytes) -> None:
    """Byte order marks, line ends, quotes, comments, flow style, anchors and markers stay as they are."""
    edit = _edited(before, _found(line, column, "nmae", "name"))
    assert edit is not None
    assert (edit.before, edit.after) == (before, after)


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [(b"name: x\n", 1, 1), (b"a: nmae\n", 1, 2), (b"nmae: x\n", 7, 1), (b"name: 1\nnmae: x\n", 2, 1)],
    ids=["another word", "another column", "no such line", "a duplicate would come of it"],
)
def test_what_does_not_fit_is_left(data: bytes, line: int, column: int) -> None:
    """A file that changed meanwhile, and an edit that would change the shape of the document."""
    assert _edited(data, _found(line, column, "nmae", "name")) is None


def test_an_alias_would_say_it_twice() -> None:
    """One word, two values: nothing is edited, whatever the finding says."""
    assert _edited(b"a: &x {k: nmae}\nb: *x\n", _found(1, 11, "nmae", "name")) is not None
    assert _edited(b"nmae: 1\nb: nmae\n", _found(1, 1, "nmae", "name"), _found(1, 3, "ae: 1", "x")) is None


def test_two_on_one_line_and_the_next() -> None:
    """Places count before anything is replaced; neighboring lines are one hunk."""
    data = b"{nmae: x, tols: [a]}\n"
    line = data.decode().rstrip()
    edit = _edited(data, _found(1, 11, "tols", "tools", line), _found(1, 2, "nmae", "name", line))
    assert edit is not None
    assert edit.after == b"{name: x, tools: [a]}\n"
    assert diff_text([edit]) == (
        f"--- a/{_FILE}\n+++ b/{_FILE}\n@@ -1 +1 @@\n-{{nmae: x, tols: [a]}}\n+{{name: x, tools: [a]}}\n\n"
    )
    assert number_of([edit]) == "2 fixes in 1 file"


def test_a_secret_is_not_in_the_diff() -> None:
    """What is blotted out in the finding is in the diff too; a line that turns out to hold one is not shown."""
    hidden = f"{{nmae: x, apiKey: {HIDDEN * 6}}}"
    edit = _edited(b"{nmae: x, apiKey: hunter}\n", _found(1, 2, "nmae", "name", hidden))
    assert edit is not None
    assert edit.after == b"{name: x, apiKey: hunter}\n"
    assert "hunter" not in diff_text([edit])
    draft = FileDraft.of(_FILE, b"{apikey: hunter, nmae: x}\n")
    assert draft.apply([_found(1, 2, "apikey", "apiKey", "{apikey: hunter, nmae: x}")])
    assert draft.apply([_found(1, 18, "nmae", "name", f"{{apiKey: {HIDDEN * 6}, nmae: x}}")])
    assert "hunter" not in diff_text([draft.edit()])
