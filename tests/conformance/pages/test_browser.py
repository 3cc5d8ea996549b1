"""
Pages in a real browser: at three widths, light and dark, without scripts, printed, and judged by axe.

Chromium is found on the PATH, Playwright among the packages, and axe in `.node`, where `make node` puts it;
where one of them is missing the tests are skipped, and those of `tests/unit/render/html` judge alone.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.render.html.pages import PAGES

AXE = Path(__file__).parents[3] / ".node/node_modules/axe-core/axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SHOWN = (
    *(
        "mixed",
        "live edits",
        "refused",
        "drift",
        "error",
        "applied in part",
        "rolled back",
        "promotion",
        "merge",
    ),
    *("evaluation", "gate", "step", "hostile 1", "hostile_apply 1", "hostile_merge 1"),
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and AXE.is_file()), reason="Chromium or axe is not installed"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_is_readable_by_everyone_and_asks_nobody(browser: Any, tmp_path: Path, name: str) -> None:
    """axe finds nothing, nothing is wider than the window, and no request leaves the page."""
    file = tmp_path / "page.html"
    file.write_text(PAGES[name], encoding="utf-8")
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme, bypass_csp=True)  # or axe could not be put in
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(file.as_uri())
        for width in (400, 900, 1400):
            page.set_viewport_size({"width": width, "height": 900})
            root = "document.documentElement"
            assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"), (scheme, width)
        page.add_script_tag(path=AXE)
        found = page.evaluate("axe.run()")["violations"]
        assert [(item["id"], item["nodes"][0]["html"]) for item in found] == []
        assert asked == [file.as_uri()]
        context.close()


@pytest.mark.parametrize("name", SHOWN)
def test_the_policy_is_kept_and_nothing_needs_a_script(browser: Any, tmp_path: Path, name: str) -> None:
    """The browser reports no violation of the policy, the style applies, and the page can be printed."""
    file = tmp_path / "page.html"
    file.write_text(PAGES[name], encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.goto(file.as_uri())
    assert said == []
    assert page.evaluate("getComputedStyle(document.querySelector('.skip')).position") == "absolute"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.pdf().startswith(b"%PDF-")
    context.close()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("h1").inner_text()
    context.close()
