"""Conversion of a conversation to a golden evaluation that expects the same again."""

from typing import Any

from cesplan.emulator.schema.messages import Body
from cesplan.emulator.storage.store import Row

# The chunks of an agent that become expectations.
_EXPECTED = ("toolCall", "toolResponse", "agentTransfer", "updatedVariables")


def golden_of(conversation: Row) -> Body:
    """Return the golden evaluation for a conversation: its inputs and the reactions, in order."""
    turns = [{"steps": _steps(turn)} for turn in conversation.body.get("turns", [])]
    return {
        "displayName": f"Conversation {conversation.name.rpartition('/')[2]}",
        "golden": {"turns": [turn for turn in turns if turn["steps"]]},
    }


def _steps(turn: Body) -> list[Body]:
    steps: list[Body] = []
    for message in turn.get("messages", []):
        for chunk in message.get("chunks", []):
            step = _step(message.get("role", ""), chunk)
            steps += [step] if step else []
    return steps


def _step(role: str, chunk: Body) -> Body | None:
    text: Any = chunk.get("text") or chunk.get("transcript")
    if text and role == "user":
        return {"userInput": {"text": text}}
    if text:
        return {"expectation": {"agentResponse": {"role": role, "chunks": [{"text": text}]}}}
    known = next((key for key in _EXPECTED if key in chunk), None)
    if known is None:
        return None
    if known == "updatedVariables" and role == "user":
        return {"userInput": {"variables": chunk[known]}}
    return {"expectation": {known: chunk[known]}}
