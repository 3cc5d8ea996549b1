"""Codes of mentions in instructions: CES087 to CES090."""

from cesplan.domain.diagnostic import Code, Severity

MENTION_CODES = (
    Code(
        code="CES087",
        title="instruction mentions a tool that does not exist",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`{@TOOL: name}` does not match any tool of the app.

**Why.** Instructions mention tools by their display names (product documentation): the `name` inside
the tool's type, or the operationId of a toolset's tool, optionally prefixed with the toolset's display name
and `_`. The model cannot call a tool that does not exist.

**What to do.** Correct the name. The service does not know keys, which are file names. If an agent has
toolsets of MCP servers or connectors, unknown names are reported only if they are similar to a known one.
""",
    ),
    Code(
        code="CES088",
        title="instruction mentions an agent that does not exist",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`{@AGENT: name}` does not match the `displayName` of any agent of the app.

**Why.** Instructions mention agents by their display names (product documentation), not by their keys.

**What to do.** Correct the name: `{@AGENT: Front Desk}`.
""",
    ),
    Code(
        code="CES089",
        title="instruction mentions an unknown variable",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`{name}` in an instruction is replaced by the value of a variable, but app.yaml does not declare it.

**Why.** The service replaces variables when it builds the prompt (product documentation). The behavior for
unknown variables is not documented, and the service may predefine some. That is why this is a warning.
`{{name}}`, code in backquotes, and fenced blocks are not checked. In other prompts, only names similar to a
known one are reported.

**What to do.** Declare the variable, correct its name, or put literal braces into backquotes.
""",
    ),
    Code(
        code="CES090",
        title="instruction mentions a tool that the agent does not have",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`{@TOOL: name}` in an agent's instruction names a tool of the app that is not attached to this agent.

**Why.** An agent can call only the tools in its `tools` and `toolsets` (`toolIds` selects from a toolset).
Mentioning a tool in an instruction does not attach it.

**What to do.** Attach the tool, or remove the mention.
""",
    ),
)
