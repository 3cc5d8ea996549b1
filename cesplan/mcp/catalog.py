"""The tools, one row each. The one that writes is offered only if a person approved a plan."""

from collections.abc import Callable
from typing import Any, get_type_hints

from cesplan.domain.frozen import dataclass
from cesplan.mcp import applying, inputs, reading, results
from cesplan.mcp.workspace import Call, Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """
    A tool: its function, whose name and types are those of the tool.

    `uses_service`: it makes requests; otherwise it works offline. `is_whole`: a shortened result would be
    useless, so one that is too large is an error.
    """

    title: str
    description: str
    run: Callable[[Call, Any], results.Result]
    uses_service: bool = False
    is_whole: bool = False
    writes: bool = False

    @property
    def name(self) -> str:
        return self.run.__name__

    @property
    def input_type(self) -> type[inputs.Input]:
        """The shape of its input: that of the function."""
        shape: type[inputs.Input] = get_type_hints(self.run)["arguments"]
        return shape

    @property
    def result_type(self) -> type[results.Result]:
        """The shape of its result: that of the function."""
        result: type[results.Result] = get_type_hints(self.run)["return"]
        return result


_READING = (
    Tool(
        title="Check the tree",
        description="Check the tree offline and report every problem, with file, line, code, and suggestion. "
        "Call this after every edit of a file.",
        run=reading.validate,
    ),
    Tool(
        title="Plan",
        description="Show what an apply would create, update, and delete on the service to make it match the "
        "tree: fields, weakened protection, impact, live edits that would be reverted, and why an apply is "
        "refused. Writes nothing.",
        run=reading.plan,
        uses_service=True,
    ),
    Tool(
        title="Changes of the tree since a commit",
        description="Compare the tree with the tree at a commit, in the form of a plan. Works offline.",
        run=reading.plan_since,
    ),
    Tool(
        title="Show a saved plan",
        description="Show a plan that `cesplan plan --out` saved in a file inside the tree. Works offline.",
        run=reading.show_plan,
    ),
    Tool(
        title="Show resources of the tree",
        description="Show resources with the overrides of an environment: overlays applied, texts and"
        " variables filled in, secrets as the names of their variables. Works offline.",
        run=reading.show_resources,
    ),
    Tool(
        title="Drift",
        description="Report what was edited live since the last apply, by whom and when, and which changes of "
        "the tree are not applied.",
        run=reading.drift,
        uses_service=True,
    ),
    Tool(
        title="List evaluation runs",
        description="List the newest evaluation runs of an app. Starts nothing.",
        run=reading.evaluation_runs,
        uses_service=True,
    ),
    Tool(
        title="Results of an evaluation run",
        description="Report the results of an evaluation run: the verdict of each evaluation, expected and"
        " observed values turn by turn, scores, and problems. Starts nothing and does not wait.",
        run=reading.evaluation_results,
        uses_service=True,
    ),
    Tool(
        title="References between resources",
        description="Show which resources refer to which, cycles, and resources that no conversation or"
        " evaluation reaches; in the tree, offline, or live.",
        run=reading.graph,
        uses_service=True,
    ),
    Tool(
        title="Schema of a kind",
        description="Return the JSON Schema of a kind of file: its fields, their types and meanings. Read it"
        " before you write a file of that kind.",
        run=reading.schema,
        is_whole=True,
    ),
    Tool(
        title="Explain a code",
        description="Explain a code of `validate` or of a plan, and how to fix the problem.",
        run=reading.explain,
    ),
    Tool(
        title="List all codes",
        description="List all codes that `explain` knows.",
        run=reading.list_codes,
    ),
)

_APPLY = Tool(
    title="Apply the approved plan",
    description="Plan again, and apply the plan if it has the checksum that a person approved when starting"
    " this server; otherwise, write nothing. Pass the same input as for the approved plan. Works"
    " once.",
    run=applying.apply,
    uses_service=True,
    writes=True,
)


def tools_for(workspace: Workspace) -> dict[str, Tool]:
    """The tools that a server offers, by name."""
    offered = (*_READING, _APPLY) if workspace.approval else _READING
    return {item.name: item for item in offered}
