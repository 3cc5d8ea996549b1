"""The JSON Schema of `policy_test.yaml`: cases that prove the rules of a project."""

from typing import Any

from cesplan.domain.features.policy import RuleSeverity
from cesplan.domain.plan import Action
from cesplan.features.policy.language import SUBJECT

_RULE_NAME = {"description": "A rule in cesplan.yaml.", "type": "string"}
_WRITTEN_OUT: dict[str, Any] = {
    "address": {"description": "Such as `support-desk/agents/front-desk`.", "type": "string"},
    "action": {
        "description": "Default: derived from `before` and `after`.",
        "enum": [str(action) for action in Action],
    },
    "before": {"description": "The live resource: only the fields that the rules use. Omit it for a create."},
    "after": {
        "description": (
            "The resource after the operation: only the fields that the rules use. Omit it for a delete."
        )
    },
}


def policy_cases_schema() -> dict[str, Any]:
    """The schema without its `$schema` line."""
    case = {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "operation", "expect"],
        "properties": {
            "name": {"description": "What the case demonstrates.", "type": "string", "minLength": 1},
            "operation": {
                "description": "The operation that the rules are checked against.",
                "type": "object",
                "additionalProperties": False,
                "required": ["address"],
                "properties": {name: _value(name, of) for name, of in SUBJECT.items()},
            },
            "rules": {
                "description": "Check only these rules. Default: all rules.",
                "type": "array",
                "items": _RULE_NAME,
            },
            "expect": {
                "description": "The rules that are violated, each with its severity; `{}` for none.",
                "type": "object",
                "additionalProperties": {"enum": [str(severity) for severity in RuleSeverity]},
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
