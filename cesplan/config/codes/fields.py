"""Codes of fields and their values: CES012 to CES020, and CES032."""

from cesplan.domain.diagnostic import Code, Severity

FIELD_CODES = (
    Code(
        code="CES012",
        title="unknown field",
        severity=Severity.ERROR,
        page="""\
The message at this place has no field of this name.

**Why.** Fields have the names of the API's JSON, in camelCase. Files are strict, because ignoring a misspelled
field would silently drop a setting.

**What to do.** Correct the name. Put a field that is newer than this release under `$extra`, with its path:

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
The value does not have the type of the field: a string, a number, true or false, a list, or a mapping.

**Why.** cesplan does not convert values, because a guess can be wrong: `012` is a number and `'012'` a
string. In YAML 1.2, only `true` and `false` are booleans; `yes`, `no`, `on`, and `off` are strings.

**What to do.** Quote strings, and remove the quotes from other values. `${name}` always gives a string;
`{$var: name}` gives the variable with its type.
""",
    ),
    Code(
        code="CES014",
        title="unknown enum value",
        severity=Severity.ERROR,
        page="""\
The value is not one of the values of this enum.

**Why.** The service would reject it or, for some fields, treat it as unspecified.

**What to do.** Use one of the values listed. They are case-sensitive.
""",
    ),
    Code(
        code="CES015",
        title="conflicting fields",
        severity=Severity.ERROR,
        page="""\
Two fields are set, but the API allows only one of them at a time.

**Why.** The service keeps one of them, usually the last, and drops the other.

**What to do.** Keep one. Setting the other one to `null` is allowed and means the same as omitting it.

```yaml
contentFilter: {matchType: SIMPLE_STRING_MATCH}
llmPolicy: {prompt: …}        # a guardrail has one type
```
""",
    ),
    Code(
        code="CES016",
        title="field that cannot be set in files",
        severity=Severity.ERROR,
        page="""\
The field is set by the service (`createTime`), identifies the resource or its state (`name`, `etag`), or
follows from the location of the file (`request.app` of a schedule).

**Why.** The service ignores or rejects it, and in a file it would tie the tree to one project.

**What to do.** Remove it. If the id on the server differs from the key, set `$id`.
""",
    ),
    Code(
        code="CES017",
        title="value in the wrong format",
        severity=Severity.ERROR,
        page="""\
The value has the right type but the wrong format: a duration without `s`, a timestamp without a time zone,
invalid base64, or a number that is too large or not finite.

**Why.** Google's APIs require these formats in JSON; the service rejects any other.

**What to do.**

```yaml
timeout: 30s                        # seconds, up to nine decimals
startTime: 2027-01-04T09:00:00Z     # RFC 3339, with a time zone
cert: {$file: root.ca.b64}          # base64; line breaks are dropped
```
""",
    ),
    Code(
        code="CES018",
        title="required field is missing",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A required field of the resource, or of an element in it, is absent or set to null.

**Why.** The service would reject the resource after others have been written. If a live resource lacks the
field, `pull` silences this code.

**What to do.** Add the field. In a resource with `$ownership: declared`, no field of the resource itself is
required, because it may already exist; elements of lists must still be complete.
""",
    ),
    Code(
        code="CES019",
        title="deprecated field",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The API still accepts the field but marks it as deprecated.

**Why.** It may stop working with little notice.

**What to do.** Use the replacement in the message.
""",
    ),
    Code(
        code="CES020",
        title="recommended field is missing",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The API documents the field as required, although live apps without it exist and work.

**Why.** The service does not enforce everything that its documentation requires, and its validation becomes
stricter over time without a new API version.

**What to do.** Add the field. Most of these fields, such as the description of a variable, also help the model.
""",
    ),
    Code(
        code="CES032",
        title="not available in this API version",
        severity=Severity.NOTICE,
        page="""\
cesplan.yaml sets `apiVersion: v1`, and v1 of the API does not have this kind or field.

**Why.** cesplan checks it like everything else, but does not compare, send, or delete it.

**What to do.** Nothing, or set `apiVersion: v1beta`.
""",
    ),
)
