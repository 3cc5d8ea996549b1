"""Small apps for tests of graphs."""

from typing import Any

from cesplan.domain.address import Address, AppKey, Key, KindName, app_address
from cesplan.features.impact.graph import GraphResource, graph_of
from cesplan.features.impact.values import Graph

APP = AppKey("desk")
HOSTILE = (
    'a"] --> x["b',
    "`**bold**` <img src=x onerror=alert(1)>",
    "#quot;#35;&lt;&amp;",
    "end",
    "x%%{init: {}}%%\nclick n0 href",
    "back\\slash \\N \\l\\",
    "1. first",
    "- item",
    "```\n# heading",
    "\u202eright to left \x1b[31m",
    "größe 日本 😀",
    ";}{|()[]",
    "style n0 fill:red",
)
"""Names that would end a label, open markup or begin a statement."""


def at(kind: str, key: str) -> Address:
    return Address(app=APP, kind=KindName(kind), key=Key(key))


def agent(key: str, **body: Any) -> GraphResource:
    return GraphResource(address=at("agents", key), display_name="", body=body)


def other(kind: str, key: str, **body: Any) -> GraphResource:
    return GraphResource(address=at(kind, key), display_name="", body=body)


def desk() -> Graph:
    """An app with rules in both directions, a cycle through a tool, and things that nothing leads to."""
    app = {"rootAgent": "agents/desk", "guardrails": ["guardrails/pii"]}
    rules = [
        {"childAgent": "agents/orders", "direction": "PARENT_TO_CHILD", "deterministicTransfer": {}},
        {"childAgent": "agents/orders", "direction": "CHILD_TO_PARENT", "disablePlannerTransfer": {}},
    ]
    call = {"golden": {"turns": [{"steps": [{"expectation": {"toolCall": {"tool": "tools/ask"}}}]}]}}
    return graph_of(
        APP,
        [
            GraphResource(address=app_address(APP), display_name="The Desk", body=app),
            agent("desk", childAgents=["agents/orders"], transferRules=rules, tools=["tools/end_session"]),
            agent("orders", tools=["tools/ask"]),
            agent("lonely", tools=["tools/ask"]),
            other("tools", "ask", agentTool={"agent": "agents/orders"}),
            other("tools", "unused"),
            other("guardrails", "pii"),
            other("evaluations", "asks", **call),
        ],
    )
