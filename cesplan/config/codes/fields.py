"""Codes of fields and their values: CES012 to CES020, and CES032."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

FIELD_CODES = (
    Code(
        code="CES012",
        title="unknown field",
        severity=Severity.ERROR,
        page="""\
The message at this place has no field of this name.

**Why.** Fields are written as the API's JSON has them, in camelCase, and files are strict: a misspelt field
that is passed over would be a setting that nobody has.

**What to do.** Correct the name. A field that is newer than this release goes under `$extra`, with its path:

```yaml
$extra:
  modelSettings.thinkingBudget: 512
```
""",
    ),
    Code(
        code="CES013",
        title="value of the wrong type",
        severity=Severity.ERROR,
        page="""\
A field takes another type: a text, a number, true or false, a list, a mapping.

**Why.** Values are not converted, since a guess can be wrong: `012` is a number and `'012'` a text. YAML 1.2
holds: only `true` and `false` are booleans; `yes`, `no`, `on` and `off` are texts.

**What to do.** Quote what is a text, and take the quotes off what is not. `${name}` always gives a text;
`{$var: name}` gives the variable with its type.
""",
    ),
    Code(
        code="CES014",
        title="unknown enum value",
        severity=Severity.ERROR,
        page="""\
The field takes one of a few words, and this is none of them.

**Why.** The service would refuse it, or, in some fields, take it for unspecified.

**What to do.** Write one of the words listed, in capitals as they are.
""",
    ),
    Code(
        code="CES015",
        title="two members of one oneof",
        severity=Severity.ERROR,
        page="""\
Two fields are set of which the API allows one at a time.

**Why.** The service keeps one of them, usually the last; the other would be lost.

**What to do.** Keep one. `null` beside it is allowed and means the same as leaving the field out.

```yaml
contentFilter: {matchType: SIMPLE_STRING_MATCH}
llmPolicy: {prompt: …}        # a guardrail has one type
```
""",
    ),
    Code(
        code="CES016",
        title="field that is not for files",
        severity=Severity.ERROR,
        page="""\
The field is filled in by the service (`createTime`), is how a resource is addressed (`name`, `etag`), or
repeats where the file stands (`request.app` of a schedule).

**Why.** The service ignores or refuses it, and in a file it would tie the tree to one project.

**What to do.** Leave it out. A resource whose id on the server is not its key says so with `$id`.
""",
    ),
    Code(
        code="CES017",
        title="value of the wrong form",
        severity=Severity.ERROR,
        page="""\
The type is right, the form is not: a duration without its `s`, a time without its zone, text that is no
base64, a number that is too large or not finite.

**Why.** These are the forms of JSON in Google's APIs; the service refuses any other.

**What to do.**

```yaml
timeout: 30s                        # seconds, up to nine decimals
startTime: 2027-01-04T09:00:00Z     # RFC 3339, with its zone
cert: {$file: root.ca.b64}          # base64; line breaks in it are dropped
```
""",
    ),
    Code(
        code="CES018",
        title="required field is missing",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A field that names the resource, or an element of it, is left out or set to null.

**Why.** The service refuses the resource, after others have been written. For a live resource that has no such
field, `pull` silences this code.

**What to do.** Write the field. In a resource with `$ownership: declared`, which may exist already, absent
fields are left alone and nothing is required; whole elements of lists are complete there too.
""",
    ),
    Code(
        code="CES019",
        title="deprecated field",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The API still accepts the field and says that it should not be used any more.

**Why.** It may stop working with little notice.

**What to do.** Use what is named instead.
""",
    ),
    Code(
        code="CES020",
        title="field that should be there is missing",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The API describes the field as required. Live apps without such fields exist and work.

**Why.** The service does not enforce all that its description requires, and its validation becomes stricter
over time without a new version of the API.

**What to do.** Write the field; most of them, such as the description of a variable, help the model too.
""",
    ),
    Code(
        code="CES032",
        title="left out in this API version",
        severity=Severity.NOTICE,
        page="""\
cesplan.yaml says `apiVersion: v1`, and v1 of the API does not have this kind or field.

**Why.** It is checked like everything else, but neither compared nor sent, and nothing of it is deleted.

**What to do.** Nothing, or write `apiVersion: v1beta`.
""",
    ),
)
