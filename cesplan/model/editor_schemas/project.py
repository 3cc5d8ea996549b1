"""The JSON Schema of `cesplan.yaml`: where things live, environments, variables and policy."""

from typing import Any

from cesplan.domain.app_metadata.stamp import TREE
from cesplan.domain.resource_name import LOCATION_PATTERN, PROJECT_PATTERN

_PROTECT = {
    "description": "Addresses that are never deleted, with or without the app. `*` matches within one segment.",
    "type": "array",
    "items": {"type": "string"},
}
_VARIABLES = {
    "description": "Variables by name: a default value of any type, `{secret: true}` for a secret from "
    "the environment, "
    "`{secret: {rotation: '2026-11'}}` for a secret with a label to change when it is rotated, "
    "nothing for a string without a default, or any of `{type, default, secret, description}`.",
    "type": "object",
    "additionalProperties": True,
}

_PLACE: dict[str, Any] = {
    "project": {
        "description": "The Google Cloud project, by id or number.",
        "type": "string",
        "pattern": f"^(?:{PROJECT_PATTERN.pattern})$",
    },
    "location": {
        "description": "The location, such as `us` or `eu`.",
        "type": "string",
        "pattern": f"^(?:{LOCATION_PATTERN.pattern})$",
    },
    "endpoint": {
        "description": "Another host, such as `ces.us.rep.googleapis.com`. One outside googleapis.com must be "
        "confirmed with --endpoint or CESPLAN_ENDPOINT.",
        "type": "string",
    },
    "apiVersion": {
        "description": "The API version. v1 lacks evaluations, personas and some fields. Default: v1beta.",
        "enum": ["v1", "v1beta"],
    },
    "variables": _VARIABLES,
    "protect": _PROTECT,
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

_POLICY: dict[str, Any] = {
    "prune": {
        "description": "If false, resources missing from the tree are listed, not deleted. Default: true.",
        "type": "boolean",
    },
    "adopt": {"description": "If true, take over apps that have no cesplan stamp.", "type": "boolean"},
    "stamp": {
        "description": "If false, do not write a stamp into `metadata`. Default: true.",
        "type": "boolean",
    },
    "lease": {
        "description": "If true, only one apply at a time can run against an app. Default: false.",
        "type": "boolean",
    },
    "maskDepth": {
        "description": "The depth of update masks. Default: nested.",
        "enum": ["nested", "top"],
    },
    "verifyBeforeWrite": {
        "description": (
            "If false, skip the read before each write, for services that enforce etags. Default: true."
        ),
        "type": "boolean",
    },
}


def project_schema() -> dict[str, Any]:
    """The schema without its `$schema` line."""
    settings = {**_PLACE, **_POLICY}
    environment = {
        "description": "Settings of this environment.",
        "type": "object",
        "additionalProperties": False,
        "properties": settings,
    }
    return {
        "title": "cesplan.yaml",
        "description": "A cesplan project: its location, environments and policy.",
        "type": "object",
        "additionalProperties": False,
        "required": ["cesplan"],
        "properties": {
            "cesplan": {"description": "The version of the file format.", "const": 1},
            **settings,
            "tree": {
                "description": "The name of this tree in stamps. Default: its project and its path in git.",
                "type": "string",
                "pattern": f"^{TREE.pattern}$",
            },
            "apps": {
                "description": "Patterns that match the app folders. Default: `apps/*`.",
                "type": "array",
                "items": {"type": "string"},
            },
            "policy": {
                "description": "Rules for the operations of a plan, written in CEL.",
                "type": "array",
                "items": _RULE,
            },
            "environments": {
                "description": "Environments by name, selected with `-e`.",
                "type": "object",
                "additionalProperties": {"anyOf": [environment, {"type": "null"}]},
            },
        },
    }
