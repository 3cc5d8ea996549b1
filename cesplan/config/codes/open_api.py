"""Codes of OpenAPI documents: CES050 to CES057."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

OPEN_API_CODES = (
    Code(
        code="CES050",
        title="OpenAPI document that cannot be read",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`openApiSchema` is neither YAML nor JSON, or holds no mapping.

**Why.** The reference of `OpenApiTool` asks for a document in JSON or YAML. Without one there is no
tool.

**What to do.** Mend the text at the place shown. A document in a file of its own is taken in by
`openApiSchema: {$file: orders.openapi.yaml}`.
""",
    ),
    Code(
        code="CES051",
        title="document of another OpenAPI version",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The document does not begin with `openapi: 3.…`.

**Why.** Tools are made from OpenAPI 3; every document seen in real apps has such a version, and Swagger
2 has another shape altogether.

**What to do.** Convert the document, for instance to 3.0.3. Silence this code if the service takes
yours.
""",
    ),
    Code(
        code="CES052",
        title="OpenAPI document without operations",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
No path of the document has an operation such as `get` or `post`.

**Why.** Each operation becomes a tool, so there would be none.

**What to do.** Write the operations under `paths`, not only under `components` or `webhooks`.
""",
    ),
    Code(
        code="CES053",
        title="operationId used twice",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
Two operations of one document have the same `operationId`.

**Why.** OpenAPI demands that it be unique, and the tools of a toolset are known by it: one of the two
could never be named.

**What to do.** Rename one of them, and its mentions in agents, evaluations and instructions.
""",
    ),
    Code(
        code="CES054",
        title="operation without an operationId",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
An operation has no `operationId`.

**Why.** It names the tool (reference of `OpenApiTool.name`). Which name the service makes up instead is
not documented, so `toolIds`, evaluations and instructions cannot rely on one.

**What to do.** Write one: `operationId: findStores`. For an `openApiTool`, a `name` of its own also
serves.
""",
    ),
    Code(
        code="CES055",
        title="$ref that leads nowhere",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A `$ref` inside an OpenAPI document has no target there: its pointer is wrong, or it leads to another
file.

**Why.** The service gets this one text. What it refers to elsewhere does not come along.

**What to do.** Correct the pointer (`#/components/schemas/Store`), or copy the definition into the
document.
""",
    ),
    Code(
        code="CES056",
        title="OpenAPI document without an address",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The document has no `servers`, or a server whose `url` is not absolute.

**Why.** OpenAPI reads a missing server as the address the document was fetched from; here it was
fetched from nowhere. `$env_var`, which exports put in its place, is accepted.

**What to do.**

```yaml
servers:
  - url: https://${apiHost}/orders/v2      # with `$expand: true` beside the `$file`
```
""",
    ),
    Code(
        code="CES057",
        title="tool that a toolset does not have",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`toolIds` of an agent, or `toolsetTool.toolId` of an example or evaluation, names no operation of the
OpenAPI toolset beside it.

**Why.** The service takes ids that lead nowhere without an error. The agent is then without the tool,
and an evaluation that expects it can only fail.

**What to do.** Use an `operationId` of the document, in the same spelling. Tools of MCP servers and
connectors are not known offline and not checked.
""",
    ),
)
