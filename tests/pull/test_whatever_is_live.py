"""
Whatever is live can be pulled: the tree that `pull` writes is one that `validate` accepts.

The service keeps resources that break its own reference and our checks. Nothing about them is an error that
a file cannot silence.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from cesplan.config.codes import CODES
from cesplan.domain.diagnostic import Severity
from cesplan.workflow.pulling import Pulled, pull
from tests.pull.conftest import APP, Project

DESK: Mapping[str, Any] = {"displayName": "Help Desk", "rootAgent": f"{APP}/agents/front"}
FRONT: Mapping[str, Any] = {"displayName": "front", "instruction": "Greet.", "llmAgent": {}}

WITHOUT_REQUIRED_FIELDS = {
    "": {**DESK, "variableDeclarations": [{"name": "order"}]},
    "agents/front": {
        **FRONT,
        "transferRules": [{"childAgent": f"{APP}/agents/front"}],
        "toolsets": [{"toolset": f"{APP}/toolsets/orders"}],
    },
    "guardrails/short": {"displayName": "short", "llmPolicy": {}, "action": {"generativeAnswer": {}}},
    "evaluations/thin1": {
        "displayName": "thin",
        "scenario": {
            "scenarioExpectations": [{"toolExpectation": {"expectedToolCall": {"args": {"a": "b"}}}}],
        },
    },
    "evaluations/golden": {"displayName": "golden", "golden": {"turns": [{}]}},
    "tools/catalog": {"dataStoreTool": {"name": "catalog", "engineSource": {}}},
    "tools/window": {"widgetTool": {"name": "window", "dataMapping": {}}},
    "toolsets/orders": {
        "displayName": "orders",
        "openApiToolset": {"apiAuthentication": {"apiKeyConfig": {"keyName": "X-Key"}}},
    },
    "examples/first": {"displayName": "one", "messages": [{"chunks": [{"toolResponse": {}}]}]},
    "deployments/web-chat": {"displayName": "web"},
}
"""Fields that the protos call required are missing at every depth."""

AGAINST_THE_REFERENCE = {
    "": {**DESK, "variableDeclarations": [{"name": "1st", "description": "d", "schema": {"type": "STRING"}}]},
    "agents/front": {
        **FRONT,
        "beforeAgentCallbacks": [{"pythonCode": "def before_agent_callback(context):\n    pass\n"}],
        "afterAgentCallbacks": [{"pythonCode": "def broken(:\n"}],
    },
    "tools/lookup": {
        "pythonFunction": {"name": "lookup", "pythonCode": "def other():\n    return 1\n"},
        "displayName": "lookup",
    },
    "toolsets/first": {"displayName": "orders", "openApiToolset": {"openApiSchema": "- no document"}},
    "toolsets/second": {
        "displayName": "orders",
        "openApiToolset": {
            "openApiSchema": "openapi: 3.0.0\npaths: {/a: {get: {operationId: x}, put: {operationId: x}}}",
            "apiAuthentication": {"bearerTokenConfig": {"token": "plain"}},
        },
    },
    "deployments/split": {
        "displayName": "split",
        "channelProfile": {"channelType": "API"},
        "experimentConfig": {
            "versionRelease": {"state": "RUNNING", "trafficAllocations": [{"id": "a", "trafficPercentage": 40}]}
        },
    },
    "scheduledEvaluationRuns/nightly": {
        "displayName": "nightly",
        "request": {"app": APP},
        "schedulingConfig": {"frequency": "DAILY", "daysOfWeek": [1], "startTime": "2026-01-01T00:00:00Z"},
    },
    "agents/nameless": {"instruction": "No name.", "llmAgent": {}},
}
"""Resources that break a check whose finding is an error."""


def pulled(project: Project, resources: Mapping[str, Mapping[str, Any]]) -> Pulled:
    project.seed(resources)
    return pull(project.root, APP, new_tree=True, connection=project.connection)


@pytest.mark.parametrize("resources", [WITHOUT_REQUIRED_FIELDS, AGAINST_THE_REFERENCE], ids=["required", "odd"])
def test_the_pulled_tree_is_valid_and_plans_to_nothing(
    resources: dict[str, dict[str, Any]], project: Project
) -> None:
    """No error is left, and a plan of the tree is empty."""
    found = pulled(project, resources)
    assert [item for item in found.diagnostics if item.severity is Severity.ERROR] == []
    assert [(str(item.address), item.changes) for item in project.plan(adopt=True).shown] == []


def test_a_required_field_that_is_missing_is_a_warning(project: Project) -> None:
    """What the protos call required and live apps lack is said, and refuses nothing."""
    found = pulled(project, {"": DESK, "agents/front": FRONT, "deployments/web-chat": {"displayName": "web"}})
    told = [(item.code, item.severity.value, item.summary) for item in found.diagnostics]
    assert ("CES020", "warning", "`channelProfile` is missing") in told


def test_what_comes_up_behind_a_silenced_error_is_silenced_too(project: Project) -> None:
    """Checks pass over files with errors, so one round of silencing is not enough."""
    agent = {"instruction": "x", "beforeAgentCallbacks": [{"pythonCode": "def broken(:\n"}]}
    found = pulled(project, {"": {"displayName": "Help Desk"}, "agents/nameless": agent})
    assert [item for item in found.diagnostics if item.severity is Severity.ERROR] == []
    assert "$silence:\n  CES018: live is like this\n  CES040: live is like this" in "".join(
        project.files("apps/help-desk/agents").values()
    )


CANNOT_BE_LIVE = {
    *("CES001", "CES002", "CES003", "CES004", "CES005", "CES006", "CES007", "CES008", "CES009", "CES010"),
    *("CES012", "CES013", "CES014", "CES015", "CES016", "CES017"),
    *("CES021", "CES022", "CES023", "CES024", "CES025", "CES026", "CES027", "CES028", "CES029", "CES030"),
    *("CES031", "CES034", "CES036", "CES037", "CES038", "CES039"),
    *("CES101", "CES102", "CES103", "CES111", "CES112", "CES121", "CES122"),
}
"""Errors about files, keys, references and directives: what is live is written so that they do not arise."""


def test_every_error_that_a_live_resource_can_cause_can_be_silenced() -> None:
    """A new check of what resources say is silenceable, or it belongs in the list above with reason."""
    fixed = {code for code, item in CODES.items() if item.severity is Severity.ERROR and not item.silenceable}
    assert fixed == CANNOT_BE_LIVE
