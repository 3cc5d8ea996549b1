"""The map of the house names rooms that are there, and all of them."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| (.+?) \| (.+?) \|", re.M)
_WHERE = [row for row in _ROW.findall(PAGE.partition("## Where is it?")[2]) if row[0] != "you look for"]


@pytest.mark.parametrize(("what", "places"), _WHERE)
def test_each_place_exists(what: str, places: str) -> None:
    """A bare file name is in the folder of the place before it; `<kind>` is any name."""
    folder = ROOT / "cesplan"
    for name in re.findall(r"`([\w<>./]+)`", places):
        start = folder if "/" not in name else ROOT / "cesplan"
        assert [*start.glob(re.sub(r"<\w+>", "*", name))], (what, name)
        folder = (start / name).parent


def test_each_package_has_its_row_and_its_layer() -> None:
    """As the linter of imports knows the layers."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = contracts["contracts"][0]["layers"]
    packages = {name for layer in layers for name in layer.split(" | ")} - {"__main__"}
    rows = {row[0].strip("`") for row in _ROW.findall(PAGE.partition("## Where is it?")[0])}
    assert rows >= packages | {"emulator"}
    assert all(re.search(rf"\b{name}\b", PAGE.partition("```")[2].partition("```")[0]) for name in packages)
