"""
Writes `cesplan/features/export_layout/field_order.json`: fields of messages in the order of their numbers.

The service writes exports in that order, the models know the order of declaration only. The contract of the
emulator has the order, from Google's own client; fields that it does not know come last. Run it when the
models or the contract change:

    python tools/compile_export_order.py
"""

import json
from pathlib import Path

from cesplan.model.spec import message_names, message_spec

ROOT = Path(__file__).parents[1] / "cesplan"
TARGET = ROOT / "features" / "export_layout" / "field_order.json"


def compiled() -> str:
    """The text of the table, one line a message; messages whose declaration has that order are left out."""
    contract = json.loads((ROOT / "emulator" / "contract.json").read_text(encoding="utf-8"))
    rows = []
    for name in sorted(message_names()):
        declared = list(message_spec(name).fields)
        numbered = contract["order"].get(name, ())
        ordered = [*(field for field in numbered if field in declared)]
        ordered += [field for field in declared if field not in numbered]
        if ordered != declared:
            rows.append(f"{json.dumps(name)}: {json.dumps(ordered)}")
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    TARGET.write_text(compiled(), encoding="utf-8")
