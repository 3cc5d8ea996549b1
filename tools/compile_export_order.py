"""
Writes `cesplan/features/export_layout/field_order.json`: fields of messages in the order of their numbers.

The service writes exports in that order, the models know the order of declaration only. The numbers
come from Google's own client; fields that it does not know yet stand last. Run it when the models change:

    python tools/compile_export_order.py
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.cloud import ces_v1beta

from cesplan.model.spec import message_names, message_spec

TARGET = Path(__file__).parents[1] / "cesplan" / "features" / "export_layout" / "field_order.json"


def compiled() -> str:
    """The text of the table, one line a message; messages whose declaration has that order are left out."""
    numbers = dict(_numbers())
    rows = []
    for name in sorted(message_names()):
        declared = list(message_spec(name).fields)
        known = numbers.get(name, {})
        ordered = sorted(declared, key=lambda field: (known.get(field, sys.maxsize), declared.index(field)))
        if ordered != declared:
            rows.append(f"{json.dumps(name)}: {json.dumps(ordered)}")
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _numbers() -> Iterator[tuple[str, dict[str, int]]]:
    for kind in ("App", "Agent", "Tool", "Toolset", "Guardrail", "Example", "Evaluation", "EvaluationDataset"):
        yield from _of(getattr(ces_v1beta, kind), set())
    for kind in (
        "EvaluationExpectation",
        "AppVersion",
        "Deployment",
        "ScheduledEvaluationRun",
        "SecuritySettings",
    ):
        yield from _of(getattr(ces_v1beta, kind), set())


def _of(message: Any, seen: set[str]) -> Iterator[tuple[str, dict[str, int]]]:
    waiting = [message.pb(message()).DESCRIPTOR]
    while waiting:
        descriptor = waiting.pop()
        if descriptor.full_name in seen or not descriptor.full_name.startswith("google.cloud.ces."):
            continue
        seen.add(descriptor.full_name)
        name = descriptor.full_name.removeprefix(f"{descriptor.file.package}.")
        yield name, {field.json_name: field.number for field in descriptor.fields}
        waiting += [field.message_type for field in descriptor.fields if field.message_type]


if __name__ == "__main__":
    TARGET.write_text(compiled(), encoding="utf-8")
