"""Line ends: where two texts differ in nothing else, a word says more than both texts in full."""

from typing import Any


def line_ends_only(before: Any, after: Any) -> str:
    """`CRLF → LF` where two texts of several lines differ in their line ends alone; else nothing."""
    if not isinstance(before, str) or not isinstance(after, str) or before == after:
        return ""
    if _with_line_feeds(before) != _with_line_feeds(after):
        return ""
    return f"{_name(before)} → {_name(after)}"


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _name(text: str) -> str:
    both = text.count("\r\n")
    counts = {"CRLF": both, "LF": text.count("\n") - both, "CR": text.count("\r") - both}
    names = [name for name, number in counts.items() if number]
    return names[0] if len(names) == 1 else "mixed"
