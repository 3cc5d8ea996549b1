"""Two states of one app: what leads from one to the other creates, updates, deletes, and switches a oneof."""

from typing import Any

from cesplan.domain.desired import Desired
from tests.properties.trees import desired
from tests.properties.world import World

APP = {"displayName": "Shop desk", "rootAgent": "agents/front-desk"}

BEFORE: dict[str, dict[str, Any]] = {
    "agents/front-desk": {
        "displayName": "Front",
        "instruction": "Be kind.",
        "tools": ["tools/old-lookup", "tools/end_session"],
        "childAgents": ["agents/old-expert"],
    },
    "agents/old-expert": {
        "displayName": "Expert",
        "llmAgent": {},
        "modelSettings": {"temperature": 0.5},
        "guardrails": ["guardrails/old-words"],
    },
    "tools/old-lookup": {"pythonFunction": {"name": "old_lookup", "pythonCode": "def old_lookup():\n  pass\n"}},
    "guardrails/old-words": {
        "displayName": "Words",
        "contentFilter": {"bannedContents": ["bad"], "matchType": "SIMPLE_STRING_MATCH"},
    },
    "guardrails/no-attack": {
        "displayName": "Attack",
        "enabled": True,
        "llmPromptSecurity": {"defaultSettings": {}},
    },
    "evaluations/greeting": {
        "displayName": "Greets",
        "scenario": {"task": "Say hello.", "rubrics": ["kind"], "maxTurns": 3},
    },
    "deployments/web-chat": {"displayName": "Web", "channelProfile": {"channelType": "WEB_UI"}},
}

AFTER: dict[str, dict[str, Any]] = {
    "agents/front-desk": {
        "displayName": "Front",
        "instruction": "Be brief.",
        "tools": ["tools/new-lookup", "tools/end_session"],
        "modelSettings": {"model": "gemini-2.5-flash", "temperature": 0.1},
        "childAgents": ["agents/new-expert"],
    },
    "agents/new-expert": {
        "displayName": "New expert",
        "transferRules": [
            {"childAgent": "agents/front-desk", "direction": "CHILD_TO_PARENT", "deterministicTransfer": {}}
        ],
    },
    "tools/new-lookup": {"clientFunction": {"name": "new_lookup"}},
    "guardrails/no-attack": {
        "displayName": "Attack",
        "llmPromptSecurity": {"customPolicy": {"prompt": "p", "policyScope": "USER_QUERY"}},
    },
    "versions/release-2": {"displayName": "Release 2"},
    "deployments/web-chat": {
        "displayName": "Web",
        "channelProfile": {"channelType": "WEB_UI"},
        "appVersion": "versions/release-2",
    },
}


def old(**settings: Any) -> Desired:
    return desired(BEFORE, {**APP, "locked": settings.pop("locked", False)}, **settings)


def new(**settings: Any) -> Desired:
    locked = {"locked": True} if settings.pop("locked", False) else {}
    app = {**APP, **locked, "displayName": "The new desk", "metadata": {"team": "care"}}
    return desired(AFTER, app, **settings)


def at_first(world: World, **settings: Any) -> None:
    """Bring the old state about."""
    world.once(f"old {settings}", lambda: world.carry_out(old(**settings)))
