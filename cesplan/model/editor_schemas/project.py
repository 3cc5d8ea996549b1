"""The JSON Schema of `cesplan.yaml`: where things live, environments, variables and policy (DESIGN §3)."""

from typing import Any

from cesplan.domain.resource_name import LOCATION_PATTERN, PROJECT_PATTERN
from cesplan.domain.stamp import TREE

_PROTECT = {
    "description": "Addresses that are never deleted, with or without the app; `*` matches inside one part.",
    "type": "array",
    "items": {"type": "string"},
}
_VARIABLES = {
    "description": "Variables by name: a default of any type, `{secret: true}` for a secret from outside, "
    "`{secret: {rotation: '2026-11'}}` for one with a marker to move when it is a new one, "
    "nothing for a text from outside, or all of `{type, default, secret, description}`.",
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
        "description": "v1 leaves out evaluations, personas and what else it lacks. Default v1beta.",
        "enum": ["v1", "v1beta"],
    },
    "variables": _VARIABLES,
    "protect": _PROTECT,
}

_RULE: dict[str, Any] = {
    "description": "A rule; `cesplan validate --explain CES111` says what its conditions may name.",
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "oneOf": [{"required": ["assert"]}, {"required": ["deny"]}],
    "properties": {
        "name": {
            "description": "What reports and --allow-policy call it.",
            "type": "string",
            "pattern": "^[A-Za-z0-9][A-Za-z0-9_.-]*$",
        },
        "when": {"description": "Which operations; all without it.", "type": ["string", "boolean"]},
        "assert": {"description": "Must be true.", "type": ["string", "boolean"]},
        "deny": {"description": "Must not be true.", "type": ["string", "boolean"]},
        "message": {"description": "What is wrong; may hold `{address}`.", "type": "string"},
        "severity": {
            "description": "Refused, refused until approved, or only said. Default deny.",
            "enum": ["deny", "needs-approval", "warn"],
        },
    },
}

_POLICY: dict[str, Any] = {
    "prune": {
        "description": "False lists what the tree lacks instead of deleting it. Default true.",
        "type": "boolean",
    },
    "adopt": {"description": "True takes over apps that bear no stamp of cesplan.", "type": "boolean"},
    "stamp": {
        "description": "False writes no stamp into `metadata`. Default true.",
        "type": "boolean",
    },
    "lease": {
        "description": "True lets applies of one app exclude each other. Default false.",
        "type": "boolean",
    },
    "maskDepth": {
        "description": "How deep update masks go. Default nested.",
        "enum": ["nested", "top"],
    },
    "verifyBeforeWrite": {
        "description": "False skips the read before each write, for services that enforce etags. Default true.",
        "type": "boolean",
    },
}


def project_schema() -> dict[str, Any]:
    """The schema without its `$schema` line."""
    settings = {**_PLACE, **_POLICY}
    environment = {
        "description": "What differs in this environment.",
        "type": "object",
        "additionalProperties": False,
        "properties": settings,
    }
    return {
        "title": "cesplan.yaml",
        "description": "A project: where its apps live, its environments and its policy.",
        "type": "object",
        "additionalProperties": False,
        "required": ["cesplan"],
        "properties": {
            "cesplan": {"description": "The format of the tree.", "const": 1},
            **settings,
            "tree": {
                "description": "What stamps call this tree. Default its project and its path in git.",
                "type": "string",
                "pattern": f"^{TREE.pattern}$",
            },
            "apps": {
                "description": "The folders of apps, as patterns. Default `apps/*`.",
                "type": "array",
                "items": {"type": "string"},
            },
            "policy": {
                "description": "Rules over the operations of a plan, written in CEL.",
                "type": "array",
                "items": _RULE,
            },
            "environments": {
                "description": "Environments by name, chosen with `-e`.",
                "type": "object",
                "additionalProperties": {"anyOf": [environment, {"type": "null"}]},
            },
        },
    }
