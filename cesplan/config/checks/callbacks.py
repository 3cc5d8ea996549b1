"""CES041, CES042, CES043, CES049: the functions that callbacks must define."""

import re
from collections.abc import Iterator
from typing import Any

from cesplan.config.checks.placing import START
from cesplan.config.checks.python_code import Function, PythonText, parse
from cesplan.config.checks.walking import inside, messages_at, text_at
from cesplan.config.manifest import AppTree, Finding, ResourceFile
from cesplan.config.suggestions import nearest
from cesplan.domain.field_path import FieldPath

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

_PROACTIVE = frozenset({"afterModelCallbacks", "afterModelCallback"})
_CAPITAL = re.compile("[A-Z]")


def check_callbacks(tree: AppTree) -> list[Finding]:
    """Agents refuse a callback with the wrong name or parameters. Guardrails only need the name."""
    found: list[Finding] = []
    for agent in tree.of("agents"):
        for list_name in map(_list_name, PARAMETERS):
            for path, callback in messages_at(agent.body, list_name):
                found += _agent_callback(agent, list_name, path, callback)
    for guardrail in tree.of("guardrails"):
        for name in map(_member_name, PARAMETERS):
            if isinstance(callback := inside(guardrail.body, "codeCallback", name), dict):
                found += _guardrail_callback(guardrail, FieldPath(("codeCallback", name)), name, callback)
    return found


def _agent_callback(
    file: ResourceFile, list_name: str, path: FieldPath, callback: dict[str, Any]
) -> Iterator[Finding]:
    yield from _proactive(file, list_name, path, callback)
    name = _function_name(list_name.removesuffix("s"))
    text = _parsed(callback)
    if text is None:
        return
    function = text.function(name)
    place = path / "pythonCode"
    if function is None:
        yield _missing("CES041", file, place, name, text)
    elif function.takes != PARAMETERS[name]:
        code = "CES043" if function.takes == IN_SAMPLES.get(name) else "CES041"
        yield _wrong_parameters(code, file, place, function)


def _guardrail_callback(
    file: ResourceFile, path: FieldPath, member: str, callback: dict[str, Any]
) -> Iterator[Finding]:
    yield from _proactive(file, member, path, callback)
    name = _function_name(member)
    text = _parsed(callback)
    if text is None:
        return
    function = text.function(name)
    place = path / "pythonCode"
    if function is None:
        yield _missing("CES042", file, place, name, text)
    elif function.takes != PARAMETERS[name]:
        yield _wrong_parameters("CES043", file, place, function)


def _parsed(callback: dict[str, Any]) -> PythonText | None:
    """The parsed code of a callback; None if it is absent or does not parse (CES040)."""
    code = text_at(callback, "pythonCode")
    text = parse(code) if code else None
    return None if text is None or text.fault else text


def _missing(code: str, file: ResourceFile, path: FieldPath, name: str, text: PythonText) -> Finding:
    near = text.function(nearest(name, (item.name for item in text.functions)))
    return Finding(
        code=code,
        file=file,
        path=path,
        summary=f"the function `{name}` is missing",
        detail=f"The service calls it by this name. Define `def {_signature(name)}:`.",
        suggestion=name if near else "",
        place=near.place if near else START,
    )


def _wrong_parameters(code: str, file: ResourceFile, path: FieldPath, function: Function) -> Finding:
    return Finding(
        code=code,
        file=file,
        path=path,
        summary=f"`{function.name}` takes ({', '.join(function.takes)}) "
        f"instead of ({', '.join(PARAMETERS[function.name])})",
        detail="The names and the order of the parameters are fixed; annotations are optional.",
        place=function.place,
    )


def _proactive(file: ResourceFile, holder: str, path: FieldPath, callback: dict[str, Any]) -> Iterator[Finding]:
    if callback.get("proactiveExecutionEnabled") is True and holder not in _PROACTIVE:
        yield Finding(
            code="CES049",
            file=file,
            path=path / "proactiveExecutionEnabled",
            summary="`proactiveExecutionEnabled` has no effect here",
            detail="It applies only to callbacks that run after the model.",
            at_key=True,
        )


def _signature(name: str) -> str:
    return f"{name}({', '.join(PARAMETERS[name])})"


def _function_name(field: str) -> str:
    """`beforeAgentCallback` → `before_agent_callback`."""
    return _CAPITAL.sub(lambda found: f"_{found[0].lower()}", field)


def _member_name(function: str) -> str:
    head, *tail = function.split("_")
    return head + "".join(word.capitalize() for word in tail)


def _list_name(function: str) -> str:
    return f"{_member_name(function)}s"
