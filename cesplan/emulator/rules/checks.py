"""
Reasons to refuse a write beyond the format of its body. Source: docs/api-facts.md.
"""

import ast
import re
from collections.abc import Callable, Iterator

from cesplan.emulator.errors import Violation
from cesplan.emulator.openapi import python_code
from cesplan.emulator.rules.derived_fields import first_function
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.switches import Switches

SIGNATURES = {
    "beforeAgentCallbacks": ("before_agent_callback", ["callback_context"]),
    "afterAgentCallbacks": ("after_agent_callback", ["callback_context"]),
    "beforeModelCallbacks": ("before_model_callback", ["callback_context", "llm_request"]),
    "afterModelCallbacks": ("after_model_callback", ["callback_context", "llm_response"]),
    "beforeToolCallbacks": ("before_tool_callback", ["tool", "input", "callback_context"]),
    "afterToolCallbacks": (
        "after_tool_callback",
        ["tool", "input", "callback_context", "tool_response"],
    ),
}
# Other parameter names, from samples that Google publishes.
ALSO_SEEN = {"after_tool_callback": ["tool", "tool_input", "callback_context", "tool_response"]}
_SECRET_VERSION = re.compile(r"projects/[^/]+/secrets/[^/]+/versions/[^/]+")


def faults(kind: str, body: Body, switches: Switches) -> list[Violation]:
    """Return the faults in the merged body of a resource of this kind."""
    check = _CHECKS.get(kind)
    return [] if check is None else list(check(body, switches))


def _check_app(body: Body, switches: Switches) -> Iterator[Violation]:
    if switches.app_needs_model and not body.get("modelSettings", {}).get("model"):
        yield Violation(field="modelSettings.model", description="a model is required")
    client = body.get("clientCertificateSettings", {})
    if client and "-----BEGIN CERTIFICATE-----" not in client.get("tlsCertificate", ""):
        where = "clientCertificateSettings.tlsCertificate"
        yield Violation(field=where, description="this is not a PEM certificate")
    if client and not _SECRET_VERSION.fullmatch(client.get("privateKey", "")):
        where = "clientCertificateSettings.privateKey"
        yield Violation(field=where, description="this is not the name of a secret version")
    if len(body.get("evaluationPersonas", [])) > 30:
        yield Violation(field="evaluationPersonas", description="at most 30 are allowed")
    names = [persona.get("displayName", "") for persona in body.get("evaluationPersonas", [])]
    if len(set(names)) != len(names):
        yield Violation(field="evaluationPersonas", description="display names must be unique")


def _check_agent(body: Body, switches: Switches) -> Iterator[Violation]:
    for field, (name, parameters) in SIGNATURES.items() if switches.check_callbacks else ():
        for index, callback in enumerate(body.get(field, [])):
            why = callback_fault(callback.get("pythonCode", ""), name, parameters, switches)
            if why:
                yield Violation(field=f"{field}[{index}].pythonCode", description=why)


def callback_fault(code: str, name: str, parameters: list[str], switches: Switches) -> str:
    """Return the fault in the code of a callback, '' if there is none."""
    try:
        tree = python_code.parsed(code)
    except ValueError as error:
        return str(error)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            found = [argument.arg for argument in node.args.args]
            seen = switches.callback_parameters == "accept" and found == ALSO_SEEN.get(name)
            return "" if found == parameters or seen else f"{name} must take ({', '.join(parameters)})"
    return f"a function {name}({', '.join(parameters)}) is expected"


def _check_tool(body: Body, switches: Switches) -> Iterator[Violation]:
    if "mcpTool" in body:
        yield Violation(field="mcpTool", description="such a tool comes from an MCP toolset")
    python = body.get("pythonFunction")
    code = "" if python is None else python.get("pythonCode", "")
    if code and first_function(code) is None:
        yield Violation(field="pythonFunction.pythonCode", description="no function is defined")
    if not body.get("displayName"):
        yield Violation(field="tool_type", description="a tool type with a name is required")


def _check_deployment(body: Body, switches: Switches) -> Iterator[Violation]:
    release = body.get("experimentConfig", {}).get("versionRelease", {})
    allocations = release.get("trafficAllocations", [])
    where = "experimentConfig.versionRelease.trafficAllocations"
    shares = [allocation.get("trafficPercentage", 0) for allocation in allocations]
    if any(not 0 <= share <= 100 for share in shares):
        yield Violation(field=where, description="each percentage is from 0 to 100")
    if switches.empty_shares == "refuse" and not all(shares):
        yield Violation(field=where, description="a percentage is greater than 0")
    if shares and sum(shares) != 100:
        yield Violation(field=where, description="the percentages must sum to 100")
    if any(len(allocation.get("id", "")) > 128 for allocation in allocations):
        yield Violation(field=where, description="an id has at most 128 characters")


def _check_evaluation(body: Body, switches: Switches) -> Iterator[Violation]:
    if len(body.get("golden", {}).get("turns", [])) > 100:
        yield Violation(field="golden.turns", description="at most 100 are allowed")
    if body.get("scenario", {}).get("maxTurns", 0) > 100:
        yield Violation(field="scenario.maxTurns", description="at most 100 are allowed")


_CHECKS: dict[str, Callable[[Body, Switches], Iterator[Violation]]] = {
    "apps": _check_app,
    "agents": _check_agent,
    "tools": _check_tool,
    "deployments": _check_deployment,
    "evaluations": _check_evaluation,
}
