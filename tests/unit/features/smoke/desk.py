"""A small app, and answers of its agent as the service shapes them."""

from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.features.smoke.directory import Directory

PLACE = Place(project="acme", location="us")
APP = PLACE.app("desk1")
STATE = {
    "app": {"name": APP, "rootAgent": f"{APP}/agents/id-front"},
    "agents": [
        {"name": f"{APP}/agents/id-front", "displayName": "Front desk"},
        {"name": f"{APP}/agents/id-orders", "displayName": "Orders"},
    ],
    "tools": [{"name": f"{APP}/tools/id-lookup", "displayName": "lookup_order"}],
    "toolsets": [{"name": f"{APP}/toolsets/id-shop", "displayName": "Shop"}],
}
KEYS = {"agents": {"id-front": "front", "id-orders": "orders"}, "tools": {"id-lookup": "lookup"}}
NAMING = Naming(
    place=PLACE,
    app_id="desk1",
    ids={(kind, key): found for kind, keys in KEYS.items() for found, key in keys.items()},
    keys={(kind, found): key for kind, keys in KEYS.items() for found, key in keys.items()},
)
DIRECTORY = Directory(STATE, NAMING)

LOOKUP = {"tool": f"{APP}/tools/id-lookup", "displayName": "lookup_order", "id": "c1"}
END = {"tool": f"{APP}/tools/end_session", "displayName": "end_session"}
CANCEL = {"toolsetTool": {"toolset": f"{APP}/toolsets/id-shop", "toolId": "cancelOrder"}}


def call(who, **args):
    return {"toolCall": who | ({"args": args} if args else {})}


def moved(agent):
    return {"agentTransfer": {"targetAgent": f"{APP}/agents/{agent}"}}


def said(role, *chunks):
    """A message; a text stands for its chunk."""
    return {"role": role, "chunks": [{"text": item} if isinstance(item, str) else item for item in chunks]}


def answer(*outputs, messages=None):
    """A RunSessionResponse; a text stands for its output. `messages` None: no diagnostics."""
    found = [{"text": item} if isinstance(item, str) else dict(item) for item in outputs] or [{}]
    found[-1]["turnCompleted"] = True
    if messages is not None:
        found[-1]["diagnosticInfo"] = {"messages": [*messages]}
    return {"outputs": found}
