"""
Golden files: what renderers write, kept in `golden/` to be read and reviewed.

To refresh them after a change that is meant, run `UPDATE_GOLDEN=1 pytest tests/unit/render` and read the diff.
"""

import os
from pathlib import Path

_FOLDER = Path(__file__).parent / "golden"


def assert_golden(name: str, text: str) -> None:
    """The text is what the golden file of this name holds, byte for byte."""
    path = _FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="")
    assert text == path.read_text(encoding="utf-8")
