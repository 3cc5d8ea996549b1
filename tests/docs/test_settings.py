"""docs/settings.md is what the table of settings says."""

from tools.settings_reference import PAGE, page


def test_the_page_of_settings_is_current() -> None:
    """Every key is in it with its default. To write it again: make docs."""
    assert PAGE.read_text(encoding="utf-8") == page()
