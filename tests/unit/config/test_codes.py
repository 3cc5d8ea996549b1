"""The table of codes."""

import re
from pathlib import Path

from cesplan.config.codes import CODES
from cesplan.config.codes.exports import EXPORT_CODES
from cesplan.config.codes.structure import STRUCTURE_CODES

ROOT = Path(__file__).parents[3]
OURS = {code.code for code in STRUCTURE_CODES} - {code.code for code in EXPORT_CODES}
"""Those of the tree's own layout."""

WITHOUT_A_TREE = {"CES005"}
ELSEWHERE = ("codes", "checks", "export_layout")


def test_every_code_has_one_entry_and_a_page_that_explains_it() -> None:
    """What, why and how to fix it."""
    assert len(STRUCTURE_CODES) == len({code.code for code in STRUCTURE_CODES})
    for code in STRUCTURE_CODES:
        assert re.fullmatch(r"CES0[0-3]\d|CES095", code.code)
        assert CODES[code.code] is code
        assert "**Why.**" in code.page
        assert "**What to do.**" in code.page
        assert len(code.title) < 50


def test_codes_of_structure_are_those_that_the_stage_uses() -> None:
    """No page for a finding that nothing makes, no finding without a page."""
    sources = [path for path in (ROOT / "cesplan/config").rglob("*.py") if path.parent.name not in ELSEWHERE]
    used = {code for path in sources for code in re.findall(r'"(CES0[0-3]\d)"', path.read_text())}
    assert used == OURS


def test_every_code_of_structure_has_a_broken_tree() -> None:
    """What people are reported is pinned for each of them."""
    told = "".join(path.read_text() for path in (ROOT / "tests/scenarios/broken").glob("*/expected.txt"))
    shown = set(re.findall(r"\[(CES\d+)\]", told))
    assert OURS - shown == WITHOUT_A_TREE
