"""Codes of relations between resources: CES080 to CES086, CES091 to CES094, CES098."""

from cesplan.domain.diagnostic import Code, Severity

GRAPH_CODES = (
    Code(
        code="CES080",
        title="app without a root agent",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The app has agents but no `rootAgent`.

**Why.** Conversations start with the root agent. The service accepts an app without one, so this is a
warning.

**What to do.** Set `rootAgent: front-desk` in app.yaml. With `$ownership: declared` or `$ignore:
[rootAgent]`, the root agent is managed elsewhere and not checked.
""",
    ),
    Code(
        code="CES081",
        title="unreachable agent",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
No chain of child agents, transfer rules, agent tools, and guardrails leads from the root agent to this agent.

**Why.** No conversation can reach the agent. Often a `childAgents` entry is missing.

**What to do.** Add it to the `childAgents` of another agent, or remove its file.
""",
    ),
    Code(
        code="CES082",
        title="circular child agents",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
An agent is its own descendant.

**Why.** The API reference describes agents as a tree. It does not say whether the service rejects circles;
apply creates them in two steps.

**What to do.** Remove one `childAgents` entry, or use a transfer rule with `direction: CHILD_TO_PARENT`.
If the circle is intentional, silence this code in the file that closes it.
""",
    ),
    Code(
        code="CES083",
        title="unused resource",
        severity=Severity.NOTICE,
        silenceable=True,
        page="""\
No agent, tool, guardrail, or app refers to this tool, toolset, or guardrail. Mentions in instructions,
examples, and evaluations do not count, because they do not attach the tool to an agent.

**What to do.** Add it to `tools`, `toolsets`, or `guardrails`, or remove the file.
""",
    ),
    Code(
        code="CES084",
        title="transfer rule for an agent that is not a child",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`childAgent` of a transfer rule is not in the `childAgents` of the agent with the rule.

**Why.** According to the API reference, the rule applies to this child in both directions: PARENT_TO_CHILD
leads from this agent to the child, CHILD_TO_PARENT from the child back to this agent. The effect of a rule
for another agent is not documented; the service is known to accept dangling references.

**What to do.** Add the agent to `childAgents`, or move the rule to its parent.
""",
    ),
    Code(
        code="CES085",
        title="duplicate display name",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
Two toolsets, evaluations, evaluation expectations, or evaluation datasets have the same `displayName`.

**Why.** According to the API reference, it must be unique in the app. The service rejects the second one.

**What to do.** Rename one.
""",
    ),
    Code(
        code="CES086",
        title="two resources with the same name",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
Two agents, guardrails, or examples have the same `displayName`, or two tools the same `name`.

**Why.** The service identifies them by id, but exports and imports use this name, and so do instructions that
mention tools and agents. One of the two would be lost, or could not be mentioned.

**What to do.** Rename one.
""",
    ),
    Code(
        code="CES091",
        title="MCP tool in a resource file",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A file in tools/ contains an `mcpTool`.

**Why.** According to the API reference of `McpTool`, such tools cannot be created directly: they come from
the server of a toolset.

**What to do.** Add a toolset, and select its tools in the agent.

```yaml
# toolsets/warehouse.yaml
displayName: warehouse
mcpToolset: {serverAddress: 'https://mcp.example.com/mcp/'}
```
""",
    ),
    Code(
        code="CES092",
        title="system tool in a resource file",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A file in tools/ contains a `systemTool`.

**Why.** System tools are part of every app and cannot be managed.

**What to do.** Remove the file, and refer to the tool by name where it is used: `tools: [end_session]`.
""",
    ),
    Code(
        code="CES093",
        title="deployment of the draft",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`appVersion` of a deployment is `versions/-`, the draft.

**Why.** The API reference mentions it, but the service has been observed to reject it when a deployment is
created.

**What to do.** Add a file in versions/ and refer to its key. If a live deployment already uses the draft,
silence this code.
""",
    ),
    Code(
        code="CES094",
        title="file names that differ only in case",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
Two files of one kind have names that differ only in case or in the encoding of an accent: `Orders.yaml` and
`orders.yaml`.

**Why.** The file systems of macOS and Windows treat them as the same file. A checkout there has only one of the
two, and a plan made from it would delete the resource of the other.

**What to do.** Rename one of the files and the references to its key. If the resource is live, set its id so
that it stays the same:

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

**Why.** A version is a snapshot of the app, so one apply creates at most one: several would be identical. A
file matches a live version by id or else by display name. At most one of the remaining files can be new. An
app in a new environment has none of the versions, so a plan for it fails. `validate` works offline and does
not know which versions an environment has.

**What to do.** Nothing if the older versions exist. In an environment that does not have them, leave their
files out with `environments/<name>/apps/<app>/versions/<key>.yaml`:

```yaml
$exclude: true
```

A file creates a version in the first complete apply that includes it, or never. If `plan` reports that
another version already satisfies a file, set the `$id` and the display name of that version before the app
changes again.
""",
    ),
)
