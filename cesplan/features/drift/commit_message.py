"""
The message of a commit that takes live edits: the edits taken, those still open, and the editors.

Authors, names, and values come from the service. Only an e-mail address becomes a trailer, and no
other line can look like one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from cesplan.domain.features.drift import DriftItem, DriftReport
from cesplan.domain.text.words import first_rows
from cesplan.features.drift.text_report import by_words, said
from cesplan.render.page import printable

_MAIL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+'-]{0,63}@[A-Za-z0-9][A-Za-z0-9.-]{0,252}")
_MOST_LISTED = 200
_MOST_EDITORS = 50
_LONGEST = 300


def commit_message(report: DriftReport, still_open: Sequence[str]) -> str:
    """The message; `still_open` are the addresses and fields that wait for a decision."""
    adopted = [item for item in report.alarming if item.named not in still_open]
    parts = [_subject(report)]
    if adopted:
        parts.append("\n".join(["Edited live:", "", *_listed(_row(item) for item in adopted)]))
    if still_open:
        rows = [f"- {_line(text)}" for text in still_open]
        parts.append("\n".join(["Open, because both sides changed them:", "", *_listed(rows)]))
    if editors := [*_editors(report)]:
        parts.append("\n".join(editors))
    return "\n\n".join(parts) + "\n"


def _subject(report: DriftReport) -> str:
    apps = sorted({app.app for app in report.apps if app.alarming})
    environment = next((app.environment for app in report.apps if app.environment), "")
    names = ", ".join(apps) if len(apps) <= 2 else f"{len(apps)} apps"
    return _line(f"Take live edits of {names}" + (f" in {environment}" if environment else ""))


def _row(item: DriftItem) -> str:
    by = by_words(item)
    return f"- {_line(f'{item.named}: {said(item)}')}{f' ({_line(by)})' if by else ''}"


def _listed(rows: Iterable[str]) -> list[str]:
    return first_rows([*rows], _MOST_LISTED, "- … and {:,} more")


def _line(text: str) -> str:
    shown = printable(" ".join(text.split()))
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"


def _editors(report: DriftReport) -> Iterator[str]:
    """A trailer for each editor, in the form that code hosts recognize."""
    mails = sorted({item.edit.author for item in report.alarming if item.edit})
    for mail in [mail for mail in mails if _MAIL.fullmatch(mail)][:_MOST_EDITORS]:
        yield f"Co-authored-by: {mail.partition('@')[0]} <{mail}>"
