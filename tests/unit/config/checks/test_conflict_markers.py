"""Texts in which a merge was left undecided."""

from cesplan.config.checks.conflict_markers import check_conflict_markers
from tests.unit.config.checks.builders import Included, app, found

MARKED = "Be kind.\n<<<<<<< tree\nBe brief.\n||||||| base\nBe quick.\n=======\nBe slow.\n>>>>>>> live\n"


def test_a_text_with_markers_is_an_error_at_the_first_of_them() -> None:
    """The finding points at the line of the marker in the included file, once for a file."""
    tree = app(agents={"a": {"instruction": Included(MARKED)}})
    (finding,) = found(check_conflict_markers, tree)
    assert finding.startswith("CES079 agents/a instruction@2:1+7: ")
    assert finding.endswith("has an unresolved merge conflict")


def test_a_heading_is_no_marker() -> None:
    """Markdown underlines headings with equals signs."""
    assert (
        found(check_conflict_markers, app(agents={"a": {"instruction": Included("Title\n=======\n\nx")}})) == []
    )
