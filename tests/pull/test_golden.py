"""An app that was clicked together, and the tree that it becomes: read `golden/console-app.txt`."""

from pathlib import Path

from cesplan.workflow.pulling import pull
from tests.pull.conftest import APP, PLACE, Project

GOLDEN = Path(__file__).parent / "golden" / "console-app.txt"

ROUTER, BILLING, TWIN = (f"{digit * 8}-0000-4000-8000-00000000000{digit}" for digit in "123")
TOOL, SPEC, RAIL, CHAT = (f"{digit * 8}-aaaa-4000-8000-00000000000{digit}" for digit in "4567")

PYTHON = """def look_up_order(number: str) -> dict:
    '''Find an order by its number.'''
    return {"number": number}
"""
OPENAPI = "openapi: 3.0.3\ninfo: {title: Stores, version: 1.0.0}\npaths: {}\n"
CALLBACK = "def before_model_callback(callback_context, llm_request):\n    return None  # {}\n"

LIVE = {
    "": {
        "displayName": "Help Desk: no. 1",
        "rootAgent": f"{APP}/agents/{ROUTER}",
        "globalInstruction": "Be kind.\nBe brief.\n",
        "guardrails": [f"{APP}/guardrails/{RAIL}"],
        "modelSettings": {"model": "gemini-2.5-flash", "temperature": 1.0},
        "loggingSettings": {"conversationLoggingSettings": {"retentionWindow": "31536000s"}},
        "dataStoreSettings": {"engines": [{"name": "x"}]},
        "metadata": {"team": "care"},
        "deploymentCount": 1,
        "variableDeclarations": [
            {"name": "tier", "description": "yes", "schema": {"type": "STRING", "enum": ["no", "gold"]}}
        ],
        "setFromTheFuture": {"level": 3},
    },
    f"agents/{ROUTER}": {
        "displayName": "Front Desk",
        "description": "First contact: 24/7",
        "instruction": "Greet the caller.\n\nThen ask ${what} it is about.\n",
        "generatedSummary": "…",
        "childAgents": [f"{APP}/agents/{BILLING}", f"{APP}/agents/{TWIN}"],
        "tools": [f"{APP}/tools/{TOOL}", f"{APP}/tools/end_session", f"{APP}/tools/long-gone"],
        "toolsets": [{"toolset": f"{APP}/toolsets/{SPEC}", "toolIds": ["listStores"]}],
        "beforeModelCallbacks": [
            {"pythonCode": CALLBACK.format(1), "description": "counts"},
            {"pythonCode": CALLBACK.format(2)},
        ],
        "transferRules": [
            {
                "childAgent": f"{APP}/agents/{BILLING}",
                "direction": "PARENT_TO_CHILD",
                "deterministicTransfer": {"expressionCondition": {"expression": 'topic == "bill"'}},
            }
        ],
    },
    f"agents/{BILLING}": {"displayName": "Billing", "createTime": "2026-01-01T00:00:00Z", "instruction": "B."},
    f"agents/{TWIN}": {"displayName": "Billing", "createTime": "2026-02-01T00:00:00Z", "instruction": "Too."},
    f"tools/{TOOL}": {
        "displayName": "look_up_order",
        "pythonFunction": {"name": "look_up_order", "pythonCode": PYTHON},
    },
    "tools/end_session": {"systemTool": {"name": "end_session"}},
    f"toolsets/{SPEC}": {"displayName": "Stores", "openApiToolset": {"openApiSchema": OPENAPI}},
    f"guardrails/{RAIL}": {
        "displayName": "No cards",
        "enabled": True,
        "contentFilter": {"matchType": "REGEXP_MATCH", "bannedContents": ["[0-9]{16}"]},
        "action": {"respondImmediately": {"responses": [{"text": "No cards, please."}]}},
    },
    "versions/saved-1": {"displayName": "Saved", "snapshot": {"app": {"displayName": "Old"}}},
    "versions/saved-2": {"displayName": "Saved again", "snapshot": {"app": {"displayName": "Older"}}},
    f"deployments/{CHAT}": {
        "displayName": "Web chat",
        "appVersion": f"{APP}/versions/saved-2",
        "channelProfile": {"channelType": "WEB_UI"},
    },
}  # fmt: skip


def bundled(files: dict[str, str]) -> str:
    """All files in one text, each under its path."""
    return "".join(f"===== {path}\n{text}" for path, text in sorted(files.items()))


def test_a_clicked_app_becomes_this_tree(project: Project) -> None:
    project.seed(LIVE)
    pulled = pull(project.root, "Help Desk: no. 1", place=PLACE, connection=project.connection)
    assert bundled(project.files()) == GOLDEN.read_text(encoding="utf-8")
    assert pulled.written == tuple(sorted(project.files()))
    assert pulled.notices == (
        "help-desk: `metadata` has `team`, which are not managed until the file names them",
        "help-desk/toolsets/stores: live violates CES052, which its file silences under `$silence`",
    )
    assert [item for item in pulled.diagnostics if item.severity == "error"] == []
    assert project.plan(adopt=True).is_empty
