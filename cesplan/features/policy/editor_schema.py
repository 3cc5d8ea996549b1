"""The JSON Schema of `policy_test.yaml`: cases that prove the rules of a project."""

from typing import Any

from cesplan.domain.plan import Action
from cesplan.domain.policy import Gravity
from cesplan.features.policy.language import SUBJECT

_RULE_NAME = {"description": "A rule of cesplan.yaml.", "type": "string"}
_WRITTEN_OUT: dict[str, Any] = {
    "address": {"description": "Such as `support-desk/agents/front-desk`.", "type": "string"},
    "action": {
        "description": "Without it: what `before` and `after` make of it.",
        "enum": [str(action) for action in Action],
    },
    "before": {"description": "The live resource, as much of it as rules look at; absent for a create."},
    "after": {
        "description": "The resource as it will be, as much of it as rules look at; absent for a delete."
    },
}


def policy_cases_schema() -> dict[str, Any]:
    """The schema without its `$schema` line."""
    case = {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "operation", "expect"],
        "properties": {
            "name": {"description": "What the case shows.", "type": "string", "minLength": 1},
            "operation": {
                "description": "The operation that rules are asked about.",
                "type": "object",
                "additionalProperties": False,
                "required": ["address"],
                "properties": {name: _value(name, of) for name, of in SUBJECT.items()},
            },
            "rules": {
                "description": "Only these rules are asked; all without it.",
                "type": "array",
                "items": _RULE_NAME,
            },
            "expect": {
                "description": "The rules that are broken, and with which severity; `{}`: none is.",
                "type": "object",
                "additionalProperties": {"enum": [str(gravity) for gravity in Gravity]},
            },
        },
    }
    return {
        "title": "policy_test.yaml",
        "description": "Cases for `cesplan policy test`.",
        "type": "array",
        "items": case,
    }


def _value(name: str, of: str) -> dict[str, Any]:
    if name in _WRITTEN_OUT:
        return dict(_WRITTEN_OUT[name])
    if of.startswith("list"):
        return {"type": "array"}
    return {"type": "string"} if of == "string" else {}
