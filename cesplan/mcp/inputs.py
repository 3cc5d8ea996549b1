"""What a client can send to each tool. An unknown member is an error, not ignored."""

from typing import Annotated

from pydantic import ConfigDict, Field

from cesplan.model.kinds import KINDS
from cesplan.render.machine.formats.base import Format

Line = Annotated[str, Field(max_length=500)]
Patterns = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=300)], ...], Field(max_length=200)]


class Input(Format):
    """No input."""

    model_config = ConfigDict(extra="forbid", strict=False)


class PlaceInput(Input):
    """An environment."""

    environment: Line = ""
    """An environment that the server was started with; empty for the first."""


class ValidateInput(PlaceInput):
    """What to return of the findings."""

    errors_only: bool = False
    """Return only errors, which prevent a plan, and leave out warnings, of which there may be many."""


class PlanInput(PlaceInput):
    """What to plan."""

    target: Patterns = ()
    """
    Plan only these resources and their dependencies: `agents/*`, `support-desk/tools/lookup-order`. This makes
    a different plan with a different checksum. To read part of a plan, use `show`.
    """
    exclude: Patterns = ()
    """Exclude these resources and their dependents."""
    adopt: bool = False
    """Plan to take over apps that this tree was never applied to."""


class ShownPlanInput(PlanInput):
    """What to plan, and which part of the plan to return."""

    show: Patterns = ()
    """Return only the changes of these resources; the plan and its checksum still cover everything."""


class SinceInput(PlaceInput):
    """A commit to compare with."""

    ref: Line
    """A branch, a tag, the id of a commit, or `HEAD~1`."""
    show: Patterns = ()
    """Return only the changes of these resources."""


class PlanFileInput(Input):
    """A saved plan."""

    file: Line
    """The path of a file that `cesplan plan --out` wrote, inside the tree and relative to its root."""
    show: Patterns = ()
    """Return only the changes of these resources."""


class ResourcesInput(PlaceInput):
    """Resources of the tree."""

    addresses: Patterns = ()
    """The resources: `support-desk/agents/front-desk`, `agents/*`; empty for all."""


class DriftInput(PlaceInput):
    """What to check, and which part to report."""

    app: Patterns = ()
    """Check only these apps."""
    target: Patterns = ()
    """Report only these resources."""
    since: Line = ""
    """Report only live edits since then: `2026-11-20T17:40Z`, `24h`, `7d`."""
    author: Patterns = ()
    """Report only live edits by these authors; `*` is a wildcard."""
    quick: bool = False
    """Read only the resources that the change log names since the last apply."""


class GraphInput(PlaceInput):
    """A part of the graph."""

    address: Line = ""
    """An app, or a resource, to show what leads to it and where it leads; empty for everything."""
    live: bool = False
    """Show the live resources instead of the tree."""
    all: bool = False
    """Also show examples, evaluations, versions, and deployments."""


class RunsInput(PlaceInput):
    """An app."""

    app: Line = ""
    """The key of the app in the tree; empty for the only one."""


class RunInput(RunsInput):
    """An evaluation run."""

    run: Line = ""
    """The id or the display name of the run; empty for the newest."""


class CodeInput(Input):
    """A code."""

    code: Line
    """Such as `CES021`."""


SCHEMA_KINDS = ("cesplan", *sorted(KINDS), "releases", "patch", "policy_test")
"""The kinds of files that have a schema, by the first part of the schema's name."""


class SchemaInput(Input):
    """A kind of file."""

    kind: Annotated[str, Field(json_schema_extra={"enum": [*SCHEMA_KINDS]})]
    """The kind of resource, by the name of its folder; or `cesplan` for cesplan.yaml."""
