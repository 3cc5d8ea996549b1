"""The sources of the package as syntax trees, parsed once."""

import ast
from functools import cache
from pathlib import Path

import cesplan

ROOT = Path(cesplan.__file__).parent


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
