"""Codes of references, directives, and ids: CES021 to CES027, and CES033."""

from cesplan.domain.diagnostic import Code, Severity

REFERENCE_CODES = (
    Code(
        code="CES021",
        title="reference to something that does not exist",
        severity=Severity.ERROR,
        page="""\
The field refers to a resource of the same app that the tree does not have.

**Why.** The service accepts some dangling references, which then fail only in a conversation. It rejects others
after part of the tree has been written.

**What to do.** Correct the key: it is the name of the file without its suffix. Refer to system tools such as
`end_session` by name. Refer to a resource that exists only on the server by its id, with an `@`:

```yaml
tools:
  - lookup-order
  - tools/@4f2c9e1a-6f0b-4c3e-9a55-0d6c1f1f4a10
```
""",
    ),
    Code(
        code="CES022",
        title="malformed reference",
        severity=Severity.ERROR,
        page="""\
The value cannot refer to a resource of the kind that the field expects, or `{$ref: …}` is used in a field
that is not a reference.

**Why.** A reference is a key, `<kind>/<key>`, or a full resource name. References to resources outside the app
(data stores, connections, secrets) must be full names.

**What to do.** Use the form in the message.

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
A key that begins with `$` is not a directive, or the directive is not allowed here.

**Why.** `$` marks keys for cesplan, which are not sent to the service.

**What to do.** Use `$id`, `$protect`, `$ignore`, `$ownership`, `$extra`, and `$silence` at the top of a
resource file, and `{$file: path}`, `{$var: name}`, and `{$ref: kind/key}` as values. In free-form values,
double the `$` of a key that really begins with one:

```yaml
payload:
  $$schema: https://acme.example/rating.json
```
""",
    ),
    Code(
        code="CES024",
        title="invalid value for a directive",
        severity=Severity.ERROR,
        page="""\
A directive has an invalid value.

**Why.** An invalid `$protect` or `$ignore` would not protect anything. An element of a list can be ignored
only if a key identifies it; any other list must be ignored as a whole.

**What to do.**

```yaml
$id: 4f2c9e1a-6f0b-4c3e-9a55-0d6c1f1f4a10     # or one for each environment: {prod: …, dev: …}
$protect: true
$ignore: [modelSettings.temperature, 'variableDeclarations[name=tier].description']
$ownership: declared                          # or full
$extra: {newField: value}                     # only fields that cesplan does not know
$silence: {CES083: kept for the next release}
```
""",
    ),
    Code(
        code="CES025",
        title="$file that cannot be included",
        severity=Severity.ERROR,
        page="""\
The file in `$file` does not exist, cannot be read, or is outside the tree.

**Why.** The path is relative to the file that contains it. With symbolic links resolved, it must stay inside
the folder of cesplan.yaml, so that git contains everything that is applied.

**What to do.** Correct the path, or move the file into the tree.
""",
    ),
    Code(
        code="CES026",
        title="key is not a valid id",
        severity=Severity.ERROR,
        page="""\
The key of a resource is not a valid id, and the file does not set one.

**Why.** cesplan creates a resource with its key as the id. The service requires 5 to 36 letters, digits, `-`,
and `_`, beginning with a letter or a digit.

**What to do.** Set the id, or rename the file:

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
Two files of one kind have the same id: both set it with `$id`, or the `$id` of one is the key of the other.

**Why.** They would be the same resource on the server, and each apply would undo the other.

**What to do.** Give one of them another `$id`, or remove it.
""",
    ),
    Code(
        code="CES033",
        title="invalid $silence",
        severity=Severity.WARNING,
        page="""\
`$silence` lists a code that does not exist or cannot be silenced, or has no reason.

**Why.** The next reader should know which findings are silenced, and why. Findings about the content of a
resource can be silenced; errors in the structure of a file cannot.

**What to do.**

```yaml
$silence:
  CES083: the next release uses it
```
""",
    ),
)
