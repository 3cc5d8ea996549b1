from typing import Any, Optional


def fake_listCharges(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext
) -> Optional[dict[str, Any]]:
    """A table that was charged twice, a minute apart."""
    charge = {"orderNumber": "HP10029871", "amount": 412.5, "state": "captured"}
    return {
        "charges": [
            {**charge, "id": "ch_902", "at": "2026-10-12T18:04:41Z"},
            {**charge, "id": "ch_901", "at": "2026-10-12T18:03:39Z"},
        ]
    }


def fake_tool_call(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext
) -> Optional[dict[str, Any]]:
    """The other operations: an invoice, a refund."""
    if "amount" in input:
        return {"id": "re_551", "amount": input["amount"], "expectedOn": "2026-11-12"}
    return {"url": "https://invoices.hearthandpine.example/HP10029871.pdf"}
