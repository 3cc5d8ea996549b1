"""The JSON Schema of `cesplan.yaml`: location, environments, variables, and policy."""

from typing import Any

from cesplan.domain.settings import SETTINGS, Setting

_VARIABLES = {
    "description": "Variables by name: a default value of any type, `{secret: true}` for a secret from "
    "the environment, "
    "`{secret: {rotation: '2026-11'}}` for a secret with a label to change when it is rotated, "
    "`{secret: {from: projects/P/secrets/S/versions/V}}` for one that is read from Secret Manager, "
    "null for a string without a default, or any of `{type, default, secret, description}`.",
    "type": "object",
    "additionalProperties": True,
}

_RULE: dict[str, Any] = {
    "description": "A rule. `cesplan validate --explain CES111` lists the names that conditions can use.",
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "oneOf": [{"required": ["assert"]}, {"required": ["deny"]}],
    "properties": {
        "name": {
            "description": "The name of the rule in reports and for --allow-policy.",
            "type": "string",
            "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]*$",
        },
        "when": {
            "description": "A condition that selects operations. Default: all.",
            "type": ["string", "boolean"],
        },
        "assert": {"description": "A condition that must be true.", "type": ["string", "boolean"]},
        "deny": {"description": "A condition that must not be true.", "type": ["string", "boolean"]},
        "message": {
            "description": "The message to show for a violation; may contain `{address}`.",
            "type": "string",
        },
        "severity": {
            "description": (
                "deny: refuse the plan. needs-approval: refuse it until approved. warn: "
                "only report. Default: deny."
            ),
            "enum": ["deny", "needs-approval", "warn"],
        },
    },
}


_DRIFT: dict[str, Any] = {
    "description": "Settings of the drift alarm. They do not affect plans.",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "ignore": {
            "description": "Rules that keep accepted differences out of the alarm.",
            "type": "array",
            "maxItems": 500,
            "items": {
                "description": "A rule. It needs an `address`, a `field`, or both.",
                "type": "object",
                "additionalProperties": False,
                "required": ["reason"],
                "anyOf": [{"required": ["address"]}, {"required": ["field"]}],
                "properties": {
                    "address": {
                        "description": "Addresses, as for --target. `*` matches within one segment.",
                        "type": "string",
                        "minLength": 1,
                    },
                    "field": {
                        "description": "A field path, such as `modelSettings.*`; it includes everything "
                        "inside. Without it, the rule also covers resources that appear or disappear.",
                        "type": "string",
                        "minLength": 1,
                    },
                    "reason": {
                        "description": "Why the difference is accepted. Reports show it.",
                        "type": "string",
                        "minLength": 1,
                    },
                    "until": {
                        "description": "The last day (UTC) on which the rule applies. Default: no expiry.",
                        "type": "string",
                        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                    },
                },
            },
        }
    },
}


def project_schema() -> dict[str, Any]:
    """The schema without its `$schema` line."""
    keys = {key: _setting(item) for key, item in SETTINGS.items()}
    in_environment = {key: keys[key] for key, item in SETTINGS.items() if item.in_environment}
    environment = {
        "description": "Settings of this environment.",
        "type": "object",
        "additionalProperties": False,
        "properties": {**in_environment, "variables": _VARIABLES},
    }
    return {
        "title": "cesplan.yaml",
        "description": "A tree of cesplan: its project, location, environments, and policy.",
        "type": "object",
        "additionalProperties": False,
        "required": ["cesplan"],
        "properties": {
            "cesplan": {"description": "The version of the file format.", "const": 1},
            **keys,
            "variables": _VARIABLES,
            "policy": {
                "description": "Rules for the operations of a plan, written in CEL.",
                "type": "array",
                "items": _RULE,
            },
            "drift": _DRIFT,
            "environments": {
                "description": "Environments by name, selected with `-e`.",
                "type": "object",
                "additionalProperties": {"anyOf": [environment, {"type": "null"}]},
            },
        },
    }


def _setting(item: Setting) -> dict[str, Any]:
    described = {"description": item.description}
    if item.choices:
        return {**described, "enum": [*item.choices]}
    match item.default:
        case bool():
            return {**described, "type": "boolean"}
        case int():
            return {**described, "type": "integer", "minimum": item.at_least, "maximum": item.at_most}
        case tuple():
            return {**described, "type": "array", "items": {"type": "string"}}
    return {**described, "type": "string", **({"pattern": f"^(?:{item.form.pattern})$"} if item.form else {})}
