"""Codes of the official export layout: CES035 to CES039, and CES095."""

from cesplan.domain.diagnostic import Code, Severity

EXPORT_CODES = (
    Code(
        code="CES035",
        title="part of an export that is ignored",
        severity=Severity.NOTICE,
        page="""\
An export contains something that is not applied: a folder or file outside the layout, a file next to the
resource folders, a JSON file next to a YAML file of the same name, or `_comment…` keys.

**Why.** An export may contain Python environments, notes, and tests. That is not a mistake, but you should know
that these files are not applied.

**What to do.** Nothing, if this is intended. `cesplan convert` copies such files and turns notes into YAML
comments. Each resource needs its own folder: `evaluations/<name>/<name>.json`.
""",
    ),
    Code(
        code="CES036",
        title="not a usable export",
        severity=Severity.ERROR,
        page="""\
A ZIP file or folder cannot be used as an export: it cannot be opened, it has no app.json or app.yaml at its
root or in one folder below it, or it contains unsafe entries (paths outside the archive, links, encrypted or
oversized entries, duplicate entries).

**Why.** An archive is untrusted input. An archive with an entry that could read or write outside of it is
rejected as a whole.

**What to do.** Export the app again, or give the path of the folder that contains app.json.
""",
    ),
    Code(
        code="CES037",
        title="`$env_var` without a value",
        severity=Severity.ERROR,
        page="""\
A field is set to `$env_var`, but environment.json has no value for it.

**Why.** The service moves values that differ between environments (URLs, secret versions, service accounts,
data stores) into environment.json, by type, display name, and field. Without the value, the text `$env_var`
itself would be sent.

**What to do.** Add the value at the path in the message:

```json
{
  "toolsets": {
    "orders": {
      "openApiToolset": {
        "url": "https://orders.acme.example"
      }
    }
  }
}
```
""",
    ),
    Code(
        code="CES038",
        title="ambiguous display name",
        severity=Severity.ERROR,
        page="""\
A reference in an export is a display name that two resources of that kind share.

**Why.** The reference is ambiguous; the service would pick one of the resources.

**What to do.** Rename one of them, or use the id in the reference: the `name` in the file of the resource.
""",
    ),
    Code(
        code="CES039",
        title="export without a project or location",
        severity=Severity.ERROR,
        page="""\
An export does not say in which project and location its app lives.

**Why.** Exports are portable, so they contain neither.

**What to do.** Add `--project acme-dev --location us`, and `--app-id support-desk` to choose the app. Without
`--app-id`, the app is found by its display name, then by the id in app.json.
""",
    ),
    Code(
        code="CES095",
        title="unknown field or value of an export",
        severity=Severity.WARNING,
        page="""\
A file of an export has a field that the API does not have, or that is newer than this version of cesplan. The
field is dropped. The same applies to an unknown enum value: the field is not sent, and its live value is left
alone.

**Why.** The service's import drops such fields and keeps the resource, so exports with them exist and work;
enums grow, so an export may contain a value that is newer than cesplan. A plain create or update with the field
is rejected, so cesplan does not send it.

**What to do.** Correct the name if it is misspelled, or remove the field. In a tree, put a field that only the
service knows under `$extra`. Trees are strict: an unknown field is an error there.
""",
    ),
)
