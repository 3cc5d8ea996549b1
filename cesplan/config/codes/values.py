"""Codes of single values and combinations of them: CES060 to CES079, CES096, CES099."""

from cesplan.domain.diagnostic import Code, Severity

VALUE_CODES = (
    Code(
        code="CES060",
        title="invalid regular expression",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
With `matchType: REGEXP_MATCH`, every banned content is a regular expression, and this one is invalid.

**Why.** A filter with an invalid expression filters nothing.

**What to do.** Fix the expression at the character shown. To match a special character literally, escape it
with a backslash: `\\(`, `\\.`, `\\+`. In YAML, single quotes keep backslashes unchanged: `'\\b\\d{4}\\b'`.
""",
    ),
    Code(
        code="CES061",
        title="regular expression that RE2 does not support",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The expression uses a feature that RE2 does not support: lookahead, lookbehind, backreferences,
possessive quantifiers, atomic groups, or more than 1000 repetitions.

**Why.** The API reference says "regular expression" without naming a dialect. Google's services commonly
use RE2, which omits these features to keep matching fast. That is why this is a warning.

**What to do.** Rewrite the expression without them; often two expressions can replace one.
""",
    ),
    Code(
        code="CES062",
        title="number out of range",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The value is outside the range that the API reference gives for this field. For fields where 0 is the same
as unset, 0 is accepted.

**Why.** The service is known to reject such values for some fields, and is not known to accept them for any.

**What to do.** Choose a value in the range. If the service has extended the range since, silence this code.
""",
    ),
    Code(
        code="CES063",
        title="limit exceeded",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A list has more entries, or a string more characters, than the API reference allows.

**What to do.** Shorten it, or split it across several resources. If the service has raised the limit since,
silence this code.
""",
    ),
    Code(
        code="CES064",
        title="value does not match the required format",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The API reference gives a format for this string, such as `gs://…` for a bucket, and the value does not
match it.

**What to do.** Use the format in the message.
""",
    ),
    Code(
        code="CES065",
        title="value is not one of the documented choices",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The field accepts only a few documented values, although its type is a plain string.

**What to do.** Use one of them. If the service supports a new value since, silence this code.
""",
    ),
    Code(
        code="CES066",
        title="traffic that does not sum to 100",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The `trafficPercentage` values of all `trafficAllocations` of a deployment must add up to 100.

**Why.** The product guide requires it. An allocation without a percentage counts as 0.

**What to do.**

```yaml
trafficAllocations:
  - {id: control, trafficPercentage: 90, appVersion: release-1}
  - {id: candidate, trafficPercentage: 10, appVersion: release-2}
```
""",
    ),
    Code(
        code="CES067",
        title="days without a weekly schedule",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`schedulingConfig.daysOfWeek` is set together with a frequency other than WEEKLY or BIWEEKLY.

**Why.** The API reference of `SchedulingConfig` allows days only for these two.

**What to do.** Remove the days, or choose `frequency: WEEKLY`. 1 is Monday, 7 is Sunday.
""",
    ),
    Code(
        code="CES068",
        title="unknown time zone",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
`timeZoneSettings.timeZone` is not in the IANA time zone database of this machine.

**Why.** The API reference requires a name from that database. On a machine without the database, nothing is
checked.

**What to do.** Use a name such as `Europe/Stockholm`. Abbreviations such as CET are ambiguous.
""",
    ),
    Code(
        code="CES069",
        title="inconsistent languages",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
A language code is malformed, is listed twice, or is used for voices or fallback messages without being
in `defaultLanguageCode` or `supportedLanguageCodes`.

**Why.** The list contains the languages other than the default one (API reference of `LanguageSettings`).
Settings for a language that the app does not support are never used.

**What to do.** Add the language, or remove the settings for it.
""",
    ),
    Code(
        code="CES070",
        title="schema reference to nothing",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
In a `Schema`, `ref: '#/defs/<name>'` has no matching entry in `defs` at the root, or `defs` is nested.

**Why.** The API reference of `Schema` allows `defs` only at the root, and `ref` only to its children.

**What to do.**

```yaml
schema:
  type: OBJECT
  properties: {home: {type: OBJECT, ref: '#/defs/Address'}}
  defs:
    Address: {type: OBJECT, properties: {city: {type: STRING}}}
```
""",
    ),
    Code(
        code="CES071",
        title="evaluations beside a dataset",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A scheduled run has both `evaluations` and an `evaluationDataset`.

**Why.** The two are mutually exclusive (API reference of `EvaluationRun`).

**What to do.** Keep one. To combine them, put the single evaluations into a dataset.
""",
    ),
    Code(
        code="CES072",
        title="required property that does not exist",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`required` of a `Schema` lists a key that its `properties` do not have.

**Why.** This is usually a typo or a renamed property. JSON Schema would allow it; the behavior of the
service is not documented.

**What to do.** Use the key as written under `properties`, or add the property.
""",
    ),
    Code(
        code="CES073",
        title="plaintext token",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A token or header must be `$context.variables.<name>`: the service inserts the value of that session
variable.

**Why.** The API reference of `BearerTokenConfig`, `EndUserAuthConfig`, and `customHeaders` requires it.
Any other value would be a token that everyone with read access to the app can read.

**What to do.** Declare a variable in app.yaml, refer to it here, and set it when a session begins.

```yaml
bearerTokenConfig: {token: $context.variables.session_token}
```
""",
    ),
    Code(
        code="CES075",
        title="variable declared twice",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
Two `variableDeclarations` of the app have the same name.

**Why.** Variables are identified by name, so only one declaration can apply.

**What to do.** Remove one.
""",
    ),
    Code(
        code="CES076",
        title="variable that is not declared",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
A mapping, an override, an example, or a `$context.variables.<name>` refers to a variable that app.yaml does
not declare.

**Why.** The value has no source or no target. The service may predefine variables of its own, which are
not known offline. That is why this is a warning.

**What to do.** Declare it, or correct the name.
""",
    ),
    Code(
        code="CES077",
        title="field without effect",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
According to the API reference, a field has no effect together with another one: all other fields of an agent
with `remoteDialogflowAgent`, and `failOpen` of `llmPromptSecurity` with its `customPolicy`.

**Why.** The file suggests that the field works. In the worst case, a guardrail fails open although its
author did not intend it.

**What to do.** Remove the field, or move it to where it has an effect.
""",
    ),
    Code(
        code="CES078",
        title="two personas with the same name",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
Two `evaluationPersonas` have the same `displayName`.

**Why.** The display name must be unique in the app (API reference of `EvaluationPersona`).

**What to do.** Rename one. Its key, `name`, can stay the same.
""",
    ),
    Code(
        code="CES079",
        title="unresolved merge conflict",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A text file still has the markers of a merge: `<<<<<<<`, `=======`, `>>>>>>>`. `cesplan pull --merge
--conflict-markers` writes them where the tree and the live app changed the same lines, and git writes them
where two branches did.

**Why.** Otherwise the markers and both versions of the text would reach the agent.

**What to do.** Keep one of the two texts, or write a third, and delete the marker lines. The lines between
`||||||| base` and `=======` are the text before both edits. If an agent really needs to know about such
markers, silence this code in the resource file and give that as the reason.

```
- Be kind.
<<<<<<< tree
- Be brief.
||||||| base
- Be quick.
=======
- Be thorough.
>>>>>>> live
```
""",
    ),
    Code(
        code="CES096",
        title="unknown or unavailable model",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`modelSettings.model` names a model that cesplan does not know, or one that the service refused in this
location.

**Why.** The service checks the model for the location, and refuses the resource after others have been written.
No API method lists the models, so cesplan has a dated table from public sources. A model that is not in it may
be newer.

**What to do.** Correct the id, or silence this code if the model is known to work.

```yaml
modelSettings: {model: gemini-2.5-flash}
```
""",
    ),
    Code(
        code="CES099",
        title="ignored field of something that is absent",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`$ignore` names a place inside an element of a list, or an entry of a map, that the file does not have.

**Why.** cesplan ignores a field inside an element that the file has. If the file does not have the element, the
line has no effect. Usually a name is misspelled.

**What to do.** Correct the name, or remove the line. To ignore an element that only live has, name the element
itself.

```yaml
$ignore: ['variableDeclarations[name=locale].description', 'variableDeclarations[name=debug]']
```
""",
    ),
)
