"""
Fidelity: one row for each method, with the source of the claim.

Sources: D the public reference, S observed in what the service wrote or accepted, T another tool's note, ?
unverified. A method that is not served returns UNIMPLEMENTED with its note.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from cesplan.emulator.contract import VERSIONS, load

Level = Literal["faithful", "in part", "not served"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fidelity:
    """How one method is imitated. `note` lists differences from the service, or says why it is not served."""

    level: Level
    source: str
    note: str = ""

    def description(self) -> str:
        """Return the cells of a table."""
        return f"{self.level} | {self.source} | {self.note}"


_STANDARD = ("List", "Get", "Create", "Update", "Delete")
_KINDS_WITH_ALL = (
    *("App", "Agent", "Tool", "Toolset", "Guardrail", "Example", "Deployment"),
    *("Evaluation", "EvaluationDataset", "EvaluationExpectation", "ScheduledEvaluationRun"),
)
_MODEL = "it needs a language model, and the emulator has none"
_TALKS = "conversations come from scripted sessions and from POST /emulator/resources"


def _rows(names: Iterable[str], level: Level, source: str, note: str = "") -> dict[str, Fidelity]:
    return dict.fromkeys(names, Fidelity(level=level, source=source, note=note))


def _plural(action: str, kind: str) -> str:
    return f"{action}{kind}s" if action == "List" else f"{action}{kind}"


FIDELITY: Mapping[str, Fidelity] = {
    **_rows((_plural(a, k) for k in _KINDS_WITH_ALL for a in _STANDARD), "faithful", "D S"),
    **_rows(("GetSecuritySettings", "UpdateSecuritySettings"), "faithful", "D"),
    **_rows(("ListAppVersions", "GetAppVersion", "CreateAppVersion", "DeleteAppVersion"), "faithful", "D S"),
    **_rows(("RestoreAppVersion",), "faithful", "D", "the draft is saved as a version first"),
    **_rows(
        ("ListChangelogs", "GetChangelog"), "in part", "D ?", "coverage, delay, and retention are switches"
    ),
    **_rows(("ListConversations", "GetConversation", "DeleteConversation"), "in part", "D ?", _TALKS),
    **_rows(("BatchDeleteConversations",), "in part", "D", _TALKS),
    **_rows(
        ("ExportApp",), "in part", "S ?", "gs:// refers to the emulator's own store; no pythonEnvFiles"
    ),
    **_rows(("ImportApp",), "in part", "D S T ?", "texts of warnings are the emulator's own; no patches"),
    **_rows(
        ("RunEvaluation",), "in part", "D",
        "verdicts come from a script, and states over time and errors; no optimization step",
    ),
    **_rows(
        ("ListEvaluationRuns", "GetEvaluationRun", "ListEvaluationResults", "GetEvaluationResult"),
        "in part",
        "D ?",
        "what a script does not give is absent",
    ),
    **_rows(("DeleteEvaluationRun",), "in part", "D ?", "the results of the run are kept"),
    **_rows(("DeleteEvaluationResult",), "faithful", "D"),
    **_rows(
        ("ImportEvaluations",), "in part", "D ?", "evaluations only; six action types of the CSV"
    ),
    **_rows(
        ("ExportEvaluations", "ExportEvaluationRuns", "ExportEvaluationResults"),
        "in part",
        "D ?",
        "the format of the bytes is the emulator's own",
    ),
    **_rows(
        ("RetrieveTools",), "in part", "D ?", "OpenAPI toolsets only; other servers are not contacted"
    ),
    **_rows(
        ("RetrieveToolSchema",), "in part", "D ?", "OpenAPI, client, and Python functions only"
    ),
    **_rows(("projects.locations.get",), "faithful", "D"),
    **_rows(("projects.locations.list",), "in part", "D", "filters are refused; only ids are returned"),
    **_rows(
        (f"projects.locations.operations.{verb}" for verb in ("get", "list", "delete")), "faithful", "D"
    ),
    **_rows(
        ("projects.locations.operations.cancel",), "in part", "D",
        "only runs that a script keeps running can be cancelled; other work is done when its operation starts",
    ),
    **_rows(
        (
            *("GenerateChatToken", "GenerateAppResource"),
            *("GenerateEvaluation", "RunEvaluationResultMetrics", "TestPersonaVoice"),
            *(f"projects.locations.apps.{k}message.send" for k in ("", "deployments.", "versions.")),
        ),
        "not served",
        "D",
        _MODEL,
    ),
    **_rows(
        (f"projects.locations.apps.{k}getExtendedAgentCard" for k in ("", "deployments.", "versions.")),
        "not served",
        "D",
        "it describes a running agent, and the emulator runs none",
    ),
    **_rows(
        ("RunSession", "StreamRunSession"), "in part", "D S T ?",
        "answers come from a script, text only; without one, UNIMPLEMENTED",
    ),
    **_rows(
        ("ExecuteTool",), "in part", "D ?", "answers come from a script; without one, UNIMPLEMENTED"
    ),
    **_rows(("UploadEvaluationAudio",), "not served", "D", "it stores audio, which the emulator cannot play"),
}  # fmt: skip


def table() -> str:
    """Return the rows as a Markdown table, each with its routes."""
    head = ["| method | route | versions | served | source | differences from the service |"]
    lines = [f"| `{name}` | {_routes(name)} | {row.description()} |" for name, row in FIDELITY.items()]
    return "\n".join([*head, "|---" * 6 + "|", *lines])


def _routes(method: str) -> str:
    """Return the route of a method and the versions that have it, as two cells."""
    versions: dict[str, list[str]] = {}
    for version in VERSIONS:
        for rpc in load().rpcs[version]:
            if rpc.name == method:
                versions.setdefault(f"`{rpc.verb} {rpc.path}`", []).append(version)
    (route, found), *_ = versions.items()
    return f"{route} | {', '.join(found)}"
