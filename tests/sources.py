"""
The sources of the package: their texts, read once, and syntax trees of those that a question is about.

A law about names needs the trees only of files in which such a name is written: parsing all of cesplan takes
longer than any of these laws. No tree is kept, as 700,000 nodes slow down every later collection of garbage.
"""

import ast
import gc
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import cesplan

ROOT = Path(cesplan.__file__).parent


@cache
def texts() -> dict[Path, str]:
    """The text of every module, in the order of their paths."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py"))}


def tree_of(path: Path) -> ast.Module:
    with no_collection():
        return ast.parse(texts()[path])


def names(text: str, pattern: re.Pattern[str]) -> bool:
    """Whether a text may have a name that matches. Python reads names as NFKC, in any letters (PEP 3131)."""
    return pattern.search(text if text.isascii() else unicodedata.normalize("NFKC", text)) is not None


def words(*every: str) -> re.Pattern[str]:
    """A pattern of these whole words."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, every))})\b")


@contextmanager
def no_collection() -> Iterator[None]:
    """Many nodes are made, none is garbage, and looking for it takes three quarters of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
