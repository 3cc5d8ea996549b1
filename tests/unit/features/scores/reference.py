"""Cases whose scores were computed by the libraries that define them, and turns made of them."""

import json
from pathlib import Path
from typing import Any

from cesplan.domain.features.scores import ToolUse, Turn

_CASES = Path(__file__).parent / "cases"


def cases(name: str) -> Any:
    """The cases of a file."""
    return json.loads((_CASES / f"{name}.json").read_text(encoding="utf-8"))


def calls(items: list[dict[str, Any]]) -> tuple[ToolUse, ...]:
    return tuple(ToolUse(name=item["name"], args=item.get("args")) for item in items)


def turns(case: dict[str, Any], side: str) -> tuple[Turn, ...]:
    """The turns of a case of trajectories."""
    return tuple(Turn(calls=calls(item[side])) for item in case["turns"])
