"""Codes of the official export layout: CES035 to CES039."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

EXPORT_CODES = (
    Code(
        code="CES035",
        title="part of an export that is left alone",
        severity=Severity.NOTICE,
        page="""\
An export holds something that is not applied: a folder or file outside the layout, or a field newer than this
version of cesplan.

**Why.** Files of Python environments, notes and tests may lie in an export, and the service adds fields over
time. None of that is a mistake; that it takes no part should be known all the same.

**What to do.** Nothing. `cesplan convert` carries such files along. A newer field is sent and compared as it
stands where a mask can name it.
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
)
