"""CES041, CES042, CES043, CES049: the functions that callbacks must define."""

from collections.abc import Iterator
from typing import Any

from cesplan.config.checks.placing import START
from cesplan.config.checks.python_code import FIXED_PARAMETERS, python_at
from cesplan.config.checks.walking import inside, messages_at
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.domain.field_path import FieldPath
from cesplan.model.kinds import AGENTS

PARAMETERS = {
    "before_agent_callback": ("callback_context",),
    "after_agent_callback": ("callback_context",),
    "before_model_callback": ("callback_context", "llm_request"),
    "after_model_callback": ("callback_context", "llm_response"),
    "before_tool_callback": ("tool", "input", "callback_context"),
    "after_tool_callback": ("tool", "input", "callback_context", "tool_response"),
}
"""The parameters of each callback, in order; observed in what the service accepts and refuses."""

IN_SAMPLES = {"after_tool_callback": ("tool", "tool_input", "callback_context", "tool_response")}
"""Parameters in samples that Google publishes. Whether the service accepts them is unverified."""


def check_callbacks(tree: AppTree) -> list[Finding]:
    """Agents refuse a callback with the wrong name or parameters. Guardrails only need the name."""
    found: list[Finding] = []
    for agent in tree.of("agents"):
        for name in PARAMETERS:
            for path, callback in messages_at(agent.body, f"{_field_of(name)}s"):
                found += _findings(agent, path, callback, name)
    for guardrail in tree.of("guardrails"):
        for name in PARAMETERS:
            path = FieldPath(("codeCallback", _field_of(name)))
            if isinstance(callback := inside(guardrail.body, *path.fields), dict):
                found += _findings(guardrail, path, callback, name)
    return found


def _findings(file: ResourceFile, path: FieldPath, callback: dict[str, Any], name: str) -> Iterator[Finding]:
    if callback.get("proactiveExecutionEnabled") is True and name != "after_model_callback":
        yield Finding(
            code="CES049",
            file=file,
            path=path / "proactiveExecutionEnabled",
            summary="`proactiveExecutionEnabled` has no effect here",
            detail="It applies only to callbacks that run after the model.",
            at_key=True,
        )
    text = python_at(callback, "pythonCode")
    if text is None:
        return
    place, parameters, is_agent = path / "pythonCode", PARAMETERS[name], file.address.kind == AGENTS
    function = text.function(name)
    if function is None:
        near = text.nearest(name)
        yield Finding(
            code="CES041" if is_agent else "CES042",
            file=file,
            path=place,
            summary=f"the function `{name}` is missing",
            detail=f"The service calls it by this name. Define `def {name}({', '.join(parameters)}):`.",
            suggestion=name if near else "",
            place=near.place if near else START,
        )
    elif function.signature != parameters:
        may_pass = not is_agent or function.signature == IN_SAMPLES.get(name)
        yield Finding(
            code="CES043" if may_pass else "CES041",
            file=file,
            path=place,
            summary=function.instead_of(parameters),
            detail=FIXED_PARAMETERS,
            place=function.place,
        )


def _field_of(function: str) -> str:
    """`before_agent_callback` → `beforeAgentCallback`."""
    head, *tail = function.split("_")
    return head + "".join(word.capitalize() for word in tail)
