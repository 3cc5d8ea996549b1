"""Codes of what an environment lays over a tree: CES101 to CES105."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

ENVIRONMENT_CODES = (
    Code(
        code="CES101",
        title="file of an environment that lies over nothing",
        severity=Severity.ERROR,
        page="""\
A folder or file below `environments/` belongs to no environment, no app or no resource of the tree.

**Why.** What lies over nothing changes nothing: a slip in a name would leave production with the values of
the base, and nobody would be told.

**What to do.** Below `environments/<environment>/` repeat the paths of the tree. A file without a base file is
a whole resource that this environment alone has, and a folder with an `app.yaml` a whole app.

```
environments/prod/apps/support-desk/app.yaml                    merged over apps/support-desk/app.yaml
environments/prod/apps/support-desk/agents/billing.yaml         merged over agents/billing.yaml
environments/prod/apps/support-desk/agents/billing.patch.yaml   RFC 6902 operations, after the merge
environments/prod/apps/support-desk/tools/audit.yaml            a tool of this environment alone
```
""",
    ),
    Code(
        code="CES102",
        title="patch of the wrong form",
        severity=Severity.ERROR,
        page="""\
A `….patch.yaml` is no list of RFC 6902 operations.

**Why.** An operation that is half understood would patch something else.

**What to do.** Each operation has an `op` (`add`, `remove`, `replace`, `move`, `copy` or `test`), a `path`,
and what belongs to it: `value`, or `from`. A path is a JSON pointer into the resource file; `/` in a name is
written `~1`, `~` is written `~0`.

```yaml
- {op: replace, path: /modelSettings/temperature, value: 0.1}
- {op: add, path: /tools/-, value: audit-log}
- {op: remove, path: /guardrails/0}
```
""",
    ),
    Code(
        code="CES103",
        title="patch that does not apply",
        severity=Severity.ERROR,
        page="""\
An operation of a patch names a place that the resource file does not have, or its `test` fails.

**Why.** The base was changed and the patch was not. Passing over the operation would send the base's value to
this environment.

**What to do.** Correct the path to what the base says now, after the merge of the environment's own file. A
pointer does not lead into `{$file: …}`, `{$var: …}` or `{$ref: …}`: those are replaced as a whole. `add` puts a
new entry into a mapping that is there, or a new element into a list (`/-` is its end).
""",
    ),
    Code(
        code="CES104",
        title="protection that means nothing",
        severity=Severity.WARNING,
        page="""\
A pattern under `protect` in cesplan.yaml names an app or a kind that is not there.

**Why.** What is misspelt protects nothing, and nobody notices before something is deleted.

**What to do.** Correct it. A pattern is an address, with or without the app; `*` stands for anything inside one
part, and a kind alone means all of it. The key need not be in the tree: a protection outlives the file.

```yaml
protect: [support-desk, support-desk/deployments/*, guardrails]
```
""",
    ),
    Code(
        code="CES105",
        title="two environments that are one live app",
        severity=Severity.WARNING,
        page="""\
Two environments have the same project, location and endpoint, and an app of the tree has the same id in both.

**Why.** There is one live app, and it is whatever was applied last: each apply undoes what the other did.

**What to do.** Give one of the environments another project or location, or give the app an id for each:

```yaml
# apps/support-desk/app.yaml
$id: {staging: support-desk-staging, prod: support-desk}
```
""",
    ),
)
