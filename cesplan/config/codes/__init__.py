"""
The table of codes: every finding about a tree has one, and a page that explains it.

CES001 to CES039 speak of files, fields, references and variables (`structure`), CES040 to CES099 of what
checks find (`checks`). A code is never given a second meaning. Nothing here looks at a tree.
"""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

from cesplan.config.codes.code import Code
from cesplan.config.codes.structure import STRUCTURE_CODES

__all__ = ["CODES", "Code"]


def _check_codes() -> tuple[Code, ...]:
    if find_spec("cesplan.config.codes.checks") is None:
        return ()
    codes: tuple[Code, ...] = getattr(import_module("cesplan.config.codes.checks"), "CHECK_CODES", ())
    return codes


CODES: Mapping[str, Code] = {code.code: code for code in (*STRUCTURE_CODES, *_check_codes())}
