"""Codes of references, directives and ids: CES021 to CES027, and CES033."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

REFERENCE_CODES = (
    Code(
        code="CES021",
        title="reference to something that does not exist",
        severity=Severity.ERROR,
        page="""\
The field names a resource of the same app that the tree does not have.

**Why.** Some dangling references are accepted by the service and fail only in a conversation; others are
refused after part of the tree has been written.

**What to do.** Correct the key: it is the name of the file without its suffix. System tools such as
`end_session` are known by their names. Something that exists on the server and not in the tree is named by its
id, with an `@`:

```yaml
tools:
  - lookup-order
  - tools/@4f2c9e1a-6f0b-4c3e-9a55-0d6c1f1f4a10
```
""",
    ),
    Code(
        code="CES022",
        title="reference of the wrong form",
        severity=Severity.ERROR,
        page="""\
The text cannot name a resource of the kind that the field takes; or `{$ref: …}` stands in a field that holds
no reference.

**Why.** The field takes a key, `<kind>/<key>`, or a full resource name; for things outside the app (data
stores, connections, secrets) only the full name.

**What to do.** Use the form that is shown.

```yaml
tools: [lookup-order]
rootAgent: {$ref: agents/front-desk}
connection: projects/acme-dev/locations/us-central1/connections/crm
```
""",
    ),
    Code(
        code="CES023",
        title="unknown directive",
        severity=Severity.ERROR,
        page="""\
A key that begins with `$` is no directive, or not at this place.

**Why.** `$` marks what is for cesplan and not for the service.

**What to do.** At the top of a resource file stand `$id`, `$protect`, `$ignore`, `$ownership`, `$extra` and
`$silence`; as a value `{$file: path}`, `{$var: name}` and `{$ref: kind/key}`. In free-form values a key that
really begins with `$` is written with two:

```yaml
payload:
  $$schema: https://acme.example/rating.json
```
""",
    ),
    Code(
        code="CES024",
        title="directive with a wrong value",
        severity=Severity.ERROR,
        page="""\
A directive has a value that it does not take.

**Why.** A `$protect` or `$ignore` that is passed over would not protect anything. An element of a list can be
ignored where a key finds it again; any other list is ignored as a whole.

**What to do.**

```yaml
$id: 4f2c9e1a-6f0b-4c3e-9a55-0d6c1f1f4a10     # or one for each environment: {prod: …, dev: …}
$protect: true
$ignore: [modelSettings.temperature, 'variableDeclarations[name=tier].description']
$ownership: declared                          # or full
$extra: {newField: value}                     # only what the models do not know
$silence: {CES083: kept for the next release}
```
""",
    ),
    Code(
        code="CES025",
        title="$file that cannot be taken in",
        severity=Severity.ERROR,
        page="""\
The file that `$file` names does not exist, cannot be read, or lies outside the tree.

**Why.** The path is relative to the file in which it stands and must end, symbolic links followed, inside the
folder of cesplan.yaml: what is applied should be what is in git.

**What to do.** Correct the path, or put the file into the tree.
""",
    ),
    Code(
        code="CES026",
        title="key that cannot be an id",
        severity=Severity.ERROR,
        page="""\
The key of a resource is not a valid id, and the file names none.

**Why.** A resource is created with its key as id, and the service takes 5 to 36 letters, digits, `-` and `_`,
of which the first is a letter or a digit.

**What to do.** Name the id, or rename the file:

```yaml
# tools/faq.yaml
$id: help-center-faq
```
""",
    ),
    Code(
        code="CES027",
        title="two resources with one id",
        severity=Severity.ERROR,
        page="""\
Two files of one kind have the same id: by `$id`, or because one's `$id` is the other's key.

**Why.** They would be one resource on the server, and each apply would undo the other's.

**What to do.** Give one of them another `$id`, or remove it.
""",
    ),
    Code(
        code="CES033",
        title="$silence that silences nothing",
        severity=Severity.WARNING,
        page="""\
`$silence` names a code that does not exist or cannot be silenced, or gives no reason.

**Why.** The next reader should find what is silenced, and why. What a live resource can be like can be
silenced; a file that cannot be understood cannot.

**What to do.**

```yaml
$silence:
  CES083: the next release uses it
```
""",
    ),
)
