from typing import Any, Optional


def fake_tool_call(
    tool: Tool, input: dict[str, Any], callback_context: CallbackContext
) -> Optional[dict[str, Any]]:
    """One parcel that is being delivered."""
    return {
        "trackingNumber": input.get("trackingNumber", "FP884201193"),
        "carrier": "fjordpost",
        "expectedOn": "2026-11-06",
        "scans": [{"at": "2026-11-05T06:12:00Z", "place": "Minneapolis", "event": "sorted"}],
    }
