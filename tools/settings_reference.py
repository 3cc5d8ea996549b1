"""
Write docs/settings.md: every setting of cesplan.yaml, from the table in `domain/settings.py`.

Run after a change of a setting: `make docs`. A test holds the page to it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from cesplan.domain.settings import SETTINGS, Setting

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
_HEAD = """\
# Settings

The keys of `cesplan.yaml`. An environment under `environments` can set those marked *yes* too: its value
replaces that of the top level, and a list is added to it. The other keys are `cesplan: 1` (the version of the
file format), `variables`, `policy`, `drift` and `environments`; see [the tree](tree.md), [policy](policy.md),
[the drift alarm](drift-alarm.md) and [environments](environments.md). `cesplan schema` writes the schema
for editors.

| key | value | environment | meaning |
|---|---|---|---|
"""


def page() -> str:
    """The text of docs/settings.md."""
    return _HEAD + "".join(_rows())


def _rows() -> Iterator[str]:
    for key, item in SETTINGS.items():
        allowed = "yes" if item.in_environment else "no"
        yield f"| `{key}` | {_value(item)} | {allowed} | {item.description} |\n"


def _value(item: Setting) -> str:
    if item.choices:
        return " or ".join(f"`{choice}`" for choice in item.choices)
    kinds = {bool: "`true` or `false`", int: "whole number", tuple: "list of strings", str: "string"}
    return kinds[type(item.default)]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
