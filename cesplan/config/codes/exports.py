"""Codes of the official export layout: CES035 to CES039, and CES095."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

EXPORT_CODES = (
    Code(
        code="CES035",
        title="part of an export that is left alone",
        severity=Severity.NOTICE,
        page="""\
An export holds something that is not applied: a folder or file outside the layout, a file beside the folders of
resources, the JSON file beside a YAML file of the same name, or `_comment…` keys.

**Why.** Files of Python environments, notes and tests may be in an export. None of that is a mistake; that it
takes no part should be known all the same.

**What to do.** Nothing, where it was meant so. `cesplan convert` carries such files along, and writes notes as
YAML comments. A resource has a folder of its own: `evaluations/<name>/<name>.json`.
""",
    ),
    Code(
        code="CES036",
        title="archive or folder that is no export",
        severity=Severity.ERROR,
        page="""\
A ZIP or folder was to be read as an export, and it is none: it cannot be opened, it holds no app.json or
app.yaml at its top or in one folder there, or it has entries that an archive from elsewhere must not have
(paths that lead out of it, links, encrypted or oversized entries, two entries of one name).

**Why.** An archive is data from outside. What could write or read beyond it is refused as a whole, because
nobody meant it.

**What to do.** Export the app again, or name the folder that holds app.json.
""",
    ),
    Code(
        code="CES037",
        title="`$env_var` without a value",
        severity=Severity.ERROR,
        page="""\
A field says `$env_var`, and environment.json has no value for it.

**Why.** The service moves values that differ between environments (URLs, secret versions, service accounts,
data stores) into environment.json, by type, display name and field. Without the value, the text `$env_var`
itself would be sent.

**What to do.** Write the value where the message says:

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
        title="display name that means several",
        severity=Severity.ERROR,
        page="""\
A reference in an export is a display name, and two resources of that kind have it.

**Why.** Which of them is meant cannot be known; the service would take one of them.

**What to do.** Rename one of them, or write the id in the reference: the `name` in its file.
""",
    ),
    Code(
        code="CES039",
        title="export without a place",
        severity=Severity.ERROR,
        page="""\
An export does not say in which project and location its app lives.

**Why.** It is made to be moved, so it names neither.

**What to do.** Say it: `--project acme-dev --location us`, and `--app-id support-desk` for the app it is meant
for. Without `--app-id` the app is found by its display name, then by the id in app.json.
""",
    ),
    Code(
        code="CES095",
        title="unknown field of an export",
        severity=Severity.WARNING,
        page="""\
A file of an export has a field that the API does not have, or that is newer than this version of cesplan. It is
left out.

**Why.** An import of the service drops such fields and keeps the resource, so exports with them exist and work.
A plain create or update with the field is refused, so it is not sent.

**What to do.** Correct the name if it was a slip, or remove the field. A tree takes a field that the service
knows and cesplan does not under `$extra`. Trees are strict: an unknown field is an error there.
""",
    ),
)
