"""Codes of what instructions mention: CES087 to CES090."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

MENTION_CODES = (
    Code(
        code="CES087",
        title="instruction mentions a tool that does not exist",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`{@TOOL: name}` names no tool of the app.

**Why.** Instructions mention tools by their display names (product documentation): the `name` inside
the tool's type, or the operationId of a toolset's tool, which may have the toolset's display name and
`_` before it. The model cannot call what is not there.

**What to do.** Correct the name. Keys, which are names of files, are not known to the service. Where an
agent has toolsets of MCP servers or connectors, unknown names are not reported unless they look like a
known one.
""",
    ),
    Code(
        code="CES088",
        title="instruction mentions an agent that does not exist",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`{@AGENT: name}` is the `displayName` of no agent of the app.

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
`{name}` in an instruction stands for the value of a variable, and app.yaml declares no such variable.

**Why.** The service replaces variables when it makes the prompt (product documentation). What it does
with unknown ones is not documented; it may also predefine some, hence a warning. `{{name}}`, code in
backquotes and fenced blocks are left alone. In other prompts only near misses are reported.

**What to do.** Declare the variable, correct its name, or put the braces into backquotes if they are
meant.
""",
    ),
    Code(
        code="CES090",
        title="instruction mentions a tool that the agent does not have",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`{@TOOL: name}` in an agent's instruction names a tool of the app that is not attached to this agent.

**Why.** An agent can call only what stands under its `tools` and `toolsets` (`toolIds` choose from a
toolset). An instruction alone gives it nothing.

**What to do.** Attach the tool, or take the sentence out.
""",
    ),
)
