"""
Reading the answer of an agent: a RunSessionResponse, in whatever shape the service sends it.

Texts, payloads, and the end of a session are outputs. Calls, transfers, and variables are chunks of messages in
the diagnostics, which come with the last output of a turn; the role of an agent's message is its display name.
Unknown parts are ignored.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cesplan.domain.features.smoke import AgentReply, Saying, SeenCall, Who
from cesplan.domain.value import Body, as_object, as_objects
from cesplan.features.smoke.directory import Directory

_USER = "user"
_IDENTIFIERS = ("id", "tool", "toolsetTool")
_END = "end_session"


def reply_of(answer: Body, directory: Directory) -> AgentReply:
    """The reply in a RunSessionResponse."""
    outputs = list(as_objects(answer.get("outputs")))
    messages = [
        message
        for output in outputs
        for message in as_objects(as_object(output.get("diagnosticInfo")).get("messages"))
    ]
    chunks = [chunk for message in messages for chunk in as_objects(message.get("chunks"))]
    calls = tuple(_calls(chunks, outputs, directory))
    texts = tuple(text for output in outputs if isinstance(text := output.get("text"), str) and text)
    return AgentReply(
        texts=texts,
        course=_course(messages, calls, texts, directory),
        payloads=tuple(item for output in outputs if (item := as_object(output.get("payload")))),
        calls=calls,
        transfers=tuple(_transfers(chunks, directory)),
        variables=_variables(chunks),
        speaker=_speaker(messages, directory),
        ends=any("endSession" in output for output in outputs) or any(_is_end(call) for call in calls),
        has_diagnostics=any("diagnosticInfo" in output for output in outputs),
    )


def _calls(chunks: Iterable[Body], outputs: Iterable[Body], directory: Directory) -> Iterator[SeenCall]:
    """The calls in the diagnostics of a turn, then those that only the client received."""
    seen: set[str] = set()
    rows = list(chunks)
    responses = {
        str(item.get("id")): as_object(item.get("response"))
        for chunk in rows
        if (item := as_object(chunk.get("toolResponse"))) and item.get("id")
    }
    for chunk in rows:
        call = as_object(chunk.get("toolCall"))
        if call:
            known = str(call.get("id") or "")
            seen.add(known)
            yield SeenCall(
                tool=directory.tool(call), args=as_object(call.get("args")), response=responses.get(known)
            )
    for output in outputs:
        for call in as_objects(as_object(output.get("toolCalls")).get("toolCalls")):
            if not call.get("id") or str(call["id"]) not in seen:
                yield SeenCall(
                    tool=directory.tool(call),
                    args=as_object(call.get("args")),
                    by_client=True,
                    identifier={key: call[key] for key in _IDENTIFIERS if key in call},
                )


def _course(
    messages: Iterable[Body], calls: Iterable[SeenCall], texts: Iterable[str], directory: Directory
) -> tuple[SeenCall | Who | Saying, ...]:
    """The events of a turn in order; empty if the texts in the diagnostics differ from those in the outputs."""
    found: list[SeenCall | Who | Saying] = []
    seen = iter(calls)
    for message in messages:
        role = str(message.get("role") or "")
        speaker = directory.speaker(role)
        for chunk in as_objects(message.get("chunks")):
            if as_object(chunk.get("toolCall")):
                found.append(next(seen))
            elif target := str(as_object(chunk.get("agentTransfer")).get("targetAgent") or ""):
                found.append(directory.agent(target))
            elif isinstance(text := chunk.get("text"), str) and role.lower() != _USER:
                found.append(Saying(text=text, agent=speaker.shown if speaker else ""))
    all_text = "".join(item.text for item in found if isinstance(item, Saying))
    if "".join(all_text.split()) != "".join("".join(texts).split()):
        return ()
    return (*found, *seen)


def _transfers(chunks: Iterable[Body], directory: Directory) -> Iterator[Who]:
    for chunk in chunks:
        moved = as_object(chunk.get("agentTransfer"))
        if target := str(moved.get("targetAgent") or ""):
            yield directory.agent(target, str(moved.get("displayName") or ""))


def _variables(chunks: Iterable[Body]) -> Mapping[str, Any]:
    found: Body = {}
    for chunk in chunks:
        found |= as_object(chunk.get("updatedVariables"))
    return found


def _speaker(messages: Iterable[Body], directory: Directory) -> Who | None:
    """The agent that said the last text."""
    roles = [
        str(message.get("role") or "")
        for message in messages
        if any("text" in chunk or "transcript" in chunk for chunk in as_objects(message.get("chunks")))
    ]
    spoken = [role for role in roles if role.lower() != _USER]
    return directory.speaker(spoken[-1]) if spoken else None


def _is_end(call: SeenCall) -> bool:
    return call.tool.is_system and call.tool.is_called(_END)
