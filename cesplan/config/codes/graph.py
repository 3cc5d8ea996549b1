"""Codes of how resources hang together: CES080 to CES086, CES091 to CES094, CES098."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

GRAPH_CODES = (
    Code(
        code="CES080",
        title="app without a root agent",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The app has agents, and `rootAgent` names none of them.

**Why.** Conversations begin with the root agent. The service accepts an app without one, so this is a
warning.

**What to do.** `rootAgent: front-desk` in app.yaml. With `$ownership: declared`, or `$ignore:
[rootAgent]`, the choice is left to others and not checked.
""",
    ),
    Code(
        code="CES081",
        title="agent that no conversation reaches",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
From the root agent, no chain of child agents, transfer rules, agent tools and guardrails leads to this
agent.

**Why.** It costs upkeep and never speaks. Often a `childAgents` entry was forgotten.

**What to do.** Name it where customers should come from, or remove its file.
""",
    ),
    Code(
        code="CES082",
        title="child agents in a circle",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
An agent is its own descendant.

**Why.** The reference speaks of a tree of agents. That circles are refused is not documented; apply
creates them in two steps.

**What to do.** Let the upper agent pass on, or use a transfer rule with `direction: CHILD_TO_PARENT`.
If the circle is wanted, silence this code in the file that closes it.
""",
    ),
    Code(
        code="CES083",
        title="resource that nothing uses",
        severity=Severity.NOTICE,
        silenceable=True,
        page="""\
No agent, tool, guardrail or app refers to this tool, toolset or guardrail. Mentions in instructions,
examples and evaluations do not count: they give no agent the tool.

**What to do.** Name it in `tools`, `toolsets` or `guardrails`, or remove the file.
""",
    ),
    Code(
        code="CES084",
        title="transfer rule for somebody else's child",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`childAgent` of a transfer rule is not among the `childAgents` of the agent that the rule stands in.

**Why.** The reference calls it the child that the rule applies to, in both directions: PARENT_TO_CHILD
leads from this agent to the child, CHILD_TO_PARENT from the child back to this agent. What becomes of a
rule for another agent is not documented; that references which lead nowhere are accepted is known.

**What to do.** Add the agent to `childAgents`, or move the rule to its parent.
""",
    ),
    Code(
        code="CES085",
        title="display name that must be unique",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
Two toolsets, evaluations, evaluation expectations or evaluation datasets have the same `displayName`.

**Why.** The reference says that it is unique in the app: the second one is refused.

**What to do.** Rename one.
""",
    ),
    Code(
        code="CES086",
        title="two resources of one name",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
Two agents, guardrails or examples have the same `displayName`, or two tools the same `name`.

**Why.** The service keeps them apart by id, but exports and imports go by this name, and so do
instructions that mention tools and agents: one of the two would be lost or never meant.

**What to do.** Rename one.
""",
    ),
    Code(
        code="CES091",
        title="MCP tool in a file",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A file under tools/ holds an `mcpTool`.

**Why.** The reference of `McpTool` says that such tools are not created directly: they come from the
server that a toolset names.

**What to do.** Write a toolset, and choose from it in the agent.

```yaml
# toolsets/warehouse.yaml
displayName: warehouse
mcpToolset: {serverAddress: 'https://mcp.example.com/mcp/'}
```
""",
    ),
    Code(
        code="CES092",
        title="system tool in a file",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A file under tools/ holds a `systemTool`.

**Why.** System tools are part of every app and are never managed.

**What to do.** Remove the file and name the tool where it is used: `tools: [end_session]`.
""",
    ),
    Code(
        code="CES093",
        title="deployment of the draft",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`appVersion` of a deployment is `versions/-`, the draft.

**Why.** The reference offers it, but the service has been seen to refuse it when a deployment is
created.

**What to do.** Add a file under versions/ and name its key. For a deployment that is live with the
draft already, silence this code.
""",
    ),
    Code(
        code="CES094",
        title="file names that differ in case only",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
Two files of one kind have names that differ in case only, or in how an accent is encoded: `Orders.yaml` and
`orders.yaml`.

**Why.** The file systems of macOS and Windows take them for one. A checkout there has one of the two, and a
plan made from it would delete the resource of the other.

**What to do.** Rename one of the files, and what refers to its key. For a resource that is live, name its id,
so that it stays the same:

```yaml
$id: orders
```
""",
    ),
    Code(
        code="CES098",
        title="several version files",
        severity=Severity.NOTICE,
        silenceable=True,
        in_plans=False,
        page="""\
The app has more than one file in `versions/`.

**Why.** A version is a copy of the app as it is when the version is made, so one apply makes at most one:
all would be the same. A file whose id, or else whose display name, a live version has means that version.
Of the others one at most may be new. An app in a fresh environment has none of the versions, so a plan for
it is refused. Offline nobody knows which versions an environment has.

**What to do.** Nothing where the older versions exist. Leave their files out of an environment that does not
have them, in `environments/<name>/apps/<app>/versions/<key>.yaml`:

```yaml
$exclude: true
```

A file makes a version in the first complete apply that has it, or never. Where a file is satisfied by another
version, which `plan` says, write the `$id` and the display name of that one before the app changes again.
""",
    ),
)
