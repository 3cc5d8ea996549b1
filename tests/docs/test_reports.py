"""docs/reports.md is what the schemas of the reports say."""

from tools.report_reference import PAGE, page


def test_the_page_of_reports_is_current() -> None:
    """Every report and member is in it as the program writes it. To write it again: make docs."""
    assert PAGE.read_text(encoding="utf-8") == page()
