"""One body and one change of it for every kind, in the spelling of Google's client."""

import uuid
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One kind: the client's singular and plural words, the message, a body, a change of it."""

    collection: str
    word: str
    plural: str
    message: str
    body: dict[str, Any]
    change: dict[str, Any] | None = None

    def made_for(self, app: str) -> dict[str, Any]:
        """Return a body of its own: display names are unique, schedules name their app."""
        body = dict(self.body)
        if "display_name" in body:
            body["display_name"] = f"{body['display_name']} {uuid.uuid4().hex[:8]}"
        if "request" in body:
            body["request"] = body["request"] | {"app": app}
        return body

    def changed_for(self, name: str) -> dict[str, Any]:
        """Return a change of its own for the resource of this name: display names are unique."""
        change = dict(self.change or {})
        if "display_name" in change:
            change["display_name"] = f"{change['display_name']} {name[-8:]}"
        return change

    def __str__(self) -> str:
        return self.collection


SHARED = [
    Case(
        collection="agents",
        word="agent",
        plural="agents",
        message="Agent",
        body={"display_name": "Front", "llm_agent": {}, "model_settings": {"temperature": 0.5}},
        change={"instruction": "Be kind."},
    ),
    Case(
        collection="tools",
        word="tool",
        plural="tools",
        message="Tool",
        body={
            "python_function": {"name": "look", "python_code": "def look():\n    return 1\n"},
            "execution_type": "SYNCHRONOUS",
        },
        change={"execution_type": "ASYNCHRONOUS"},
    ),
    Case(
        collection="toolsets",
        word="toolset",
        plural="toolsets",
        message="Toolset",
        body={"display_name": "S", "mcp_toolset": {"server_address": "https://mcp.acme.example"}},
        change={"description": "d"},
    ),
    Case(
        collection="guardrails",
        word="guardrail",
        plural="guardrails",
        message="Guardrail",
        body={
            "display_name": "G",
            "model_safety": {
                "safety_settings": [
                    {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_LOW_AND_ABOVE"}
                ]
            },
        },
        change={"enabled": True},
    ),
    Case(
        collection="examples",
        word="example",
        plural="examples",
        message="Example",
        body={
            "display_name": "E",
            "messages": [{"role": "user", "chunks": [{"updated_variables": {"n": 1}}, {"text": "hi"}]}],
        },
        change={"description": "d"},
    ),
    Case(
        collection="deployments",
        word="deployment",
        plural="deployments",
        message="Deployment",
        body={"display_name": "D", "channel_profile": {"channel_type": "API"}},
        change={"display_name": "E"},
    ),
    Case(
        collection="versions",
        word="app_version",
        plural="app_versions",
        message="AppVersion",
        body={"display_name": "one"},
    ),
]
EVALUATIONS = [
    Case(
        collection="evaluations",
        word="evaluation",
        plural="evaluations",
        message="Evaluation",
        body={"display_name": "V", "scenario": {"task": "t", "max_turns": 5}},
        change={"tags": ["smoke"]},
    ),
    Case(
        collection="evaluationDatasets",
        word="evaluation_dataset",
        plural="evaluation_datasets",
        message="EvaluationDataset",
        body={"display_name": "DS"},
        change={"display_name": "Other"},
    ),
    Case(
        collection="evaluationExpectations",
        word="evaluation_expectation",
        plural="evaluation_expectations",
        message="EvaluationExpectation",
        body={"display_name": "X", "llm_criteria": {"prompt": "polite?"}},
        change={"tags": ["t"]},
    ),
    Case(
        collection="scheduledEvaluationRuns",
        word="scheduled_evaluation_run",
        plural="scheduled_evaluation_runs",
        message="ScheduledEvaluationRun",
        body={
            "display_name": "R",
            "request": {"run_count": 2},
            "scheduling_config": {
                "frequency": "WEEKLY",
                "start_time": "2027-01-01T00:00:00Z",
                "days_of_week": [1, 3],
            },
        },
        change={"active": True},
    ),
]
