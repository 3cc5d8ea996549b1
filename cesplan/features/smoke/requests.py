"""The request bodies of a smoke test."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from cesplan.domain.features.release import ToolStep
from cesplan.domain.features.smoke import SeenCall
from cesplan.domain.frozen import dataclass
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionChoice:
    """The options of a session: full resource names; empty means the draft, or the root agent."""

    deployment: str = ""
    entry_agent: str = ""
    fakes: bool = False


def new_session_id(purpose: str) -> str:
    """
    A unique session id of at most 36 characters, the limit of resource ids; no limit is documented for
    sessions.
    """
    return f"{purpose}-{uuid.uuid4().hex}"[:36]


def session_body(choice: SessionChoice, text: str, variables: Mapping[str, Any] | None = None) -> Body:
    """A RunSessionRequest: variables first, so that they are set when the text arrives."""
    config: Body = {"useToolFakes": choice.fakes}
    if choice.deployment:
        config["deployment"] = choice.deployment
    if choice.entry_agent:
        config["entryAgent"] = choice.entry_agent
    given: list[Body] = [{"variables": dict(variables)}] if variables else []
    return {"config": config, "inputs": [*given, {"text": text}]}


def tool_responses_body(choice: SessionChoice, responses: Sequence[tuple[SeenCall, Mapping[str, Any]]]) -> Body:
    """A RunSessionRequest that answers the calls that the client was asked to make."""
    given = [{**call.identifier, "response": dict(response)} for call, response in responses]
    found = session_body(choice, "")
    return {**found, "inputs": [{"toolResponses": {"toolResponses": given}}]}


def tool_body(step: ToolStep, naming: Naming) -> Body:
    """An ExecuteToolRequest. A call that no mock matches fails: it must not reach a real system by accident."""
    body: Body = {"tool": naming.to_name(f"tools/{step.tool}"), "args": dict(step.args)}
    if step.mocks:
        body["mockConfig"] = {
            "mockedToolCalls": [_mock(item, naming) for item in step.mocks],
            "unmatchedToolCallBehavior": "FAIL",
        }
    return body


def _mock(given: Mapping[str, Any], naming: Naming) -> Body:
    """A mock with the full names of its tools."""
    found: Body = {"expectedArgsPattern": {}, **given}
    for key in ("tool", "toolId"):
        if isinstance(found.get(key), str):
            found[key] = _name(found[key], "tools", naming)
    toolset = found.get("toolset")
    if isinstance(toolset, dict) and isinstance(toolset.get("toolset"), str):
        found["toolset"] = {**toolset, "toolset": _name(toolset["toolset"], "toolsets", naming)}
    return found


def _name(text: str, kind: str, naming: Naming) -> str:
    return text if "/" in text else naming.to_name(f"{kind}/{text}")
