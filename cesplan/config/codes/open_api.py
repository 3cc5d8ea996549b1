"""Codes of OpenAPI documents: CES050 to CES057."""

from cesplan.domain.diagnostic import Code, Severity

OPEN_API_CODES = (
    Code(
        code="CES050",
        title="OpenAPI document that cannot be read",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`openApiSchema` is not valid YAML or JSON, or is not a mapping.

**Why.** The API reference of `OpenApiTool` requires a document in JSON or YAML. Without one, there is no
tool.

**What to do.** Fix the document at the place shown. To keep the document in its own file, write
`openApiSchema: {$file: orders.openapi.yaml}`.
""",
    ),
    Code(
        code="CES051",
        title="unsupported OpenAPI version",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The document does not begin with `openapi: 3.…`.

**Why.** The service makes tools from OpenAPI 3. All documents observed in real apps have such a version, and
Swagger 2 has a different structure.

**What to do.** Convert the document, for example to 3.0.3. Silence this code if the service accepts your
document.
""",
    ),
    Code(
        code="CES052",
        title="OpenAPI document without operations",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
No path of the document has an operation such as `get` or `post`.

**Why.** Each operation becomes a tool, so there would be no tools.

**What to do.** Write the operations under `paths`, not only under `components` or `webhooks`.
""",
    ),
    Code(
        code="CES053",
        title="duplicate operationId",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
Two operations of one document have the same `operationId`.

**Why.** OpenAPI requires unique ids, and the tools of a toolset are identified by them, so one of the two
could not be referenced.

**What to do.** Rename one of them, and its mentions in agents, evaluations, and instructions.
""",
    ),
    Code(
        code="CES054",
        title="operation without an operationId",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
An operation has no `operationId`.

**Why.** It names the tool (API reference of `OpenApiTool.name`). The name that the service generates instead
is not documented, so `toolIds`, evaluations, and instructions cannot rely on it.

**What to do.** Add an id: `operationId: findStores`. For an `openApiTool`, you can set `name` instead.
""",
    ),
    Code(
        code="CES055",
        title="$ref without a target",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A `$ref` inside an OpenAPI document has no target in the document: its pointer is wrong, or it refers to
another file.

**Why.** The service receives only this document, not the files that it refers to.

**What to do.** Correct the pointer (`#/components/schemas/Store`), or copy the definition into the
document.
""",
    ),
    Code(
        code="CES056",
        title="OpenAPI document without a server URL",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The document has no `servers`, or a server whose `url` is not absolute.

**Why.** In OpenAPI, the default server is the URL that the document was fetched from; here there is no such
URL. The placeholder `$env_var`, which exports contain, is accepted.

**What to do.**

```yaml
servers:
  - url: https://${apiHost}/orders/v2      # with `$expand: true` next to the `$file`
```
""",
    ),
    Code(
        code="CES057",
        title="tool that a toolset does not have",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`toolIds` of an agent, or `toolsetTool.toolId` of an example or evaluation, does not match any operation of
its OpenAPI toolset.

**Why.** The service accepts unknown ids without an error. The agent then lacks the tool, and an evaluation
that expects it fails.

**What to do.** Use an exact `operationId` of the document. Tools of MCP servers and connectors are not known
offline and are not checked.
""",
    ),
)
