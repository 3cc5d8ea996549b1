"""What a client may send to each tool. A member that a tool does not have is an error, not ignored."""

from typing import Annotated

from pydantic import ConfigDict, Field

from cesplan.model.kinds import KINDS
from cesplan.render.machine.formats.base import Format

Line = Annotated[str, Field(max_length=500)]
Patterns = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=300)], ...], Field(max_length=200)]


class Input(Format):
    """The input of a tool that takes none."""

    model_config = ConfigDict(extra="forbid", strict=False)


class PlaceInput(Input):
    """An environment."""

    environment: Line = ""
    """An environment that the server was started with; empty for the first."""


class ValidateInput(PlaceInput):
    """What to return of the findings."""

    errors_only: bool = False
    """Return only errors: they keep the tree from being used, and warnings may be many."""


class PlanInput(PlaceInput):
    """What to plan."""

    target: Patterns = ()
    """
    Plan only these resources and their dependencies: `agents/*`, `support-desk/tools/lookup-order`. This is
    another plan, with another checksum. To read a part of a plan, use `show`.
    """
    exclude: Patterns = ()
    """Exclude these resources and their dependents."""
    adopt: bool = False
    """Plan as if the apps were taken over that this tree was never applied to."""


class ShownPlanInput(PlanInput):
    """What to plan, and which part of the plan to return."""

    show: Patterns = ()
    """Return only the changes of these resources; the plan and its checksum stay those of everything."""


class SinceInput(PlaceInput):
    """A commit to compare with."""

    ref: Line
    """A branch, a tag, the id of a commit, or `HEAD~1`."""
    show: Patterns = ()
    """Return only the changes of these resources."""


class PlanFileInput(Input):
    """A saved plan."""

    file: Line
    """The path of a file that `cesplan plan --out` wrote, relative to the root of the tree, and inside it."""
    show: Patterns = ()
    """Return only the changes of these resources."""


class ResourcesInput(PlaceInput):
    """Resources of the tree."""

    addresses: Patterns = ()
    """Which: `support-desk/agents/front-desk`, `agents/*`; empty for all."""


class DriftInput(PlaceInput):
    """What to check, and what of it to report."""

    app: Patterns = ()
    """Check only these apps."""
    target: Patterns = ()
    """Report only these resources."""
    since: Line = ""
    """Report only live edits since then: `2026-11-20T17:40Z`, `24h`, `7d`."""
    author: Patterns = ()
    """Report only live edits by these authors; `*` stands for anything."""
    quick: bool = False
    """Read only what the change log says was edited since the last apply."""


class GraphInput(PlaceInput):
    """A part of the graph."""

    address: Line = ""
    """An app, or the resource whose surroundings are shown; empty for everything."""
    live: bool = False
    """Show what is live instead of the tree."""
    all: bool = False
    """Also show examples, evaluations, versions and deployments."""


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
"""The files of a tree that have a schema, by the first part of its name."""


class SchemaInput(Input):
    """A kind of file."""

    kind: Annotated[str, Field(json_schema_extra={"enum": [*SCHEMA_KINDS]})]
    """The kind of resource, by the name of its folder; or `cesplan` for cesplan.yaml."""
