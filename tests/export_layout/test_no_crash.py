"""Whatever an export says, it is judged: nothing is raised for a user's mistake."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from cesplan.features.export_layout.write import write_export
from tests.export_layout.exporting import put, reading
from tests.properties.dice import seeded
from tests.properties.trees import tree
from tests.seeds import seeds

ODD: tuple[Any, ...] = (
    None,
    True,
    7,
    -1.5,
    "",
    "$env_var",
    "x/y.py",
    "../up",
    [],
    {},
    [[]],
    {"a": {"b": []}},
    "é" * 40,
)


@pytest.mark.parametrize("seed", seeds(5, range(12)))
def test_a_damaged_export_is_told_and_never_raises(seed: int, tmp_path: Path) -> None:
    """Values swapped for others anywhere, files cut short, files gone."""
    dice = random.Random(seed)
    folder = put(write_export(tree(seeded(seed), plain=True).apps[0]), tmp_path)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in dice.sample(files, len(files) // 2):
        if path.suffix == ".json":
            path.write_text(json.dumps(_damaged(json.loads(path.read_text()), dice)))
        elif dice.random() < 0.5:
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[: dice.randrange(20)] + b"\xff")
    loaded = reading(folder).loaded
    assert loaded.desired is None
    assert all(item.summary and "\n" not in item.summary for item in loaded.diagnostics)


def _damaged(value: Any, dice: random.Random) -> Any:
    if dice.random() < 0.12:
        return dice.choice(ODD)
    if isinstance(value, dict):
        return {key: _damaged(item, dice) for key, item in value.items()}
    if isinstance(value, list):
        return [_damaged(item, dice) for item in value]
    return value
