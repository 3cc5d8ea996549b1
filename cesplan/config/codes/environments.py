"""Codes of environment files: CES101 to CES105."""

from cesplan.domain.diagnostic import Code, Severity

ENVIRONMENT_CODES = (
    Code(
        code="CES101",
        title="environment file that overrides nothing",
        severity=Severity.ERROR,
        page="""\
A folder or file in `environments/` does not belong to an environment, app, or resource of the tree.

**Why.** A file that overrides nothing has no effect: with a misspelled name, production would silently keep the
values of the base.

**What to do.** In `environments/<environment>/`, repeat the paths of the tree. A file without a base file is a
complete resource that only this environment has; a folder with an `app.yaml` is a complete app.

```
environments/prod/apps/support-desk/app.yaml                    merged over apps/support-desk/app.yaml
environments/prod/apps/support-desk/agents/billing.yaml         merged over agents/billing.yaml
environments/prod/apps/support-desk/agents/billing.patch.yaml   RFC 6902 operations, after the merge
environments/prod/apps/support-desk/tools/audit.yaml            a tool that only this environment has
```
""",
    ),
    Code(
        code="CES102",
        title="malformed patch",
        severity=Severity.ERROR,
        page="""\
A `….patch.yaml` file is not a list of RFC 6902 operations.

**Why.** A misinterpreted operation could patch the wrong place.

**What to do.** Each operation has an `op` (`add`, `remove`, `replace`, `move`, `copy`, or `test`), a `path`,
and, depending on the `op`, a `value` or `from`. A path is a JSON pointer into the resource file. In a name,
write `/` as `~1` and `~` as `~0`.

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
The path of a patch operation does not exist in the resource file, or its `test` fails.

**Why.** The base has changed, but the patch has not. Skipping the operation would send the base's value to this
environment.

**What to do.** Update the path to match the base after the environment's own file is merged. A pointer cannot
point inside `{$file: …}`, `{$var: …}`, or `{$ref: …}`; replace those as a whole. `add` puts a new entry into an
existing mapping, or a new element into a list (`/-` is its end).
""",
    ),
    Code(
        code="CES104",
        title="protection that matches nothing",
        severity=Severity.WARNING,
        page="""\
A pattern under `protect` in cesplan.yaml refers to an app or a kind that does not exist.

**Why.** A misspelled pattern protects nothing, which goes unnoticed until something is deleted.

**What to do.** Correct the pattern. It is an address, with or without the app; `*` matches within one
segment, and a kind alone matches all of its resources. The key need not be in the tree: protection stays in
place after the file is removed.

```yaml
protect: [support-desk, support-desk/deployments/*, guardrails]
```
""",
    ),
    Code(
        code="CES105",
        title="two environments share one live app",
        severity=Severity.WARNING,
        page="""\
Two environments have the same project, location, and endpoint, and an app of the tree has the same id in both.

**Why.** There is only one live app, so each apply undoes the other.

**What to do.** Give one of the environments another project or location, or give the app an id for each:

```yaml
# apps/support-desk/app.yaml
$id: {staging: support-desk-staging, prod: support-desk}
```
""",
    ),
)
