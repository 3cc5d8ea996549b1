"""Codes of single values and their neighbors: CES060 to CES078, CES096."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

VALUE_CODES = (
    Code(
        code="CES060",
        title="text that is no regular expression",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
With `matchType: REGEXP_MATCH` every banned content is a regular expression, and this one cannot be
read.

**Why.** A filter that cannot be read filters nothing.

**What to do.** Mend it at the character shown. A sign that stands for itself needs a backslash: `\\(`,
`\\.`, `\\+`. In YAML, single quotes leave backslashes alone: `'\\b\\d{4}\\b'`.
""",
    ),
    Code(
        code="CES061",
        title="regular expression beyond RE2",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The expression uses what RE2 does not have: looking ahead or behind, references back to a group,
possessive or atomic groups, or more than 1000 repetitions.

**Why.** The reference says "regular expression" without naming a dialect. Google's services commonly
use RE2, which leaves these out so that matching stays fast. That is why this is a warning.

**What to do.** Say it without them; often two expressions serve instead of one.
""",
    ),
    Code(
        code="CES062",
        title="number outside its range",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The reference of the API gives a range for this field, and the value is outside it. Where a field cannot
tell 0 from absent, 0 is accepted and means: not set.

**Why.** For some fields the service is known to refuse such values; for none is it known to accept
them.

**What to do.** Choose a value in the range. If the service has widened it since, silence this code.
""",
    ),
    Code(
        code="CES063",
        title="too many, or too long",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A list has more entries, or a text more characters, than the reference of the API allows.

**What to do.** Shorten it; spread it over several resources. If the service has raised the limit since,
silence this code.
""",
    ),
    Code(
        code="CES064",
        title="text that has not its form",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The reference of the API gives a form for this text, such as `gs://…` for a bucket, and the value has
another.

**What to do.** Write it in the form that the message names.
""",
    ),
    Code(
        code="CES065",
        title="word that is none of the choices",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The field takes one of a few documented words, although its type is a plain text.

**What to do.** Use one of them. If the service has learned a new one since, silence this code.
""",
    ),
    Code(
        code="CES066",
        title="traffic that does not sum to 100",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
The `trafficPercentage` of all `trafficAllocations` of a deployment must sum to 100.

**Why.** Stated in the product guide. An allocation without a percentage has 0.

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
`schedulingConfig.daysOfWeek` stands beside a frequency other than WEEKLY or BIWEEKLY.

**Why.** The reference of `SchedulingConfig` allows days for these two only.

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

**Why.** The reference asks for a name of that database. Where a machine has none, nothing is checked.

**What to do.** Write a name such as `Europe/Stockholm`; abbreviations such as CET change their meaning.
""",
    ),
    Code(
        code="CES069",
        title="languages that do not fit together",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
A language code has not the form of one, stands twice, or is used for voices or fallback messages
without being among `defaultLanguageCode` and `supportedLanguageCodes`.

**Why.** The list names languages beside the default one (reference of `LanguageSettings`), and what is
written for a language that is not spoken is never used.

**What to do.** Add the language, or remove what is written for it.
""",
    ),
    Code(
        code="CES070",
        title="shape that refers to nothing",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
In a `Schema`, `ref: '#/defs/<name>'` names no entry of `defs` at the root, or `defs` stands further
inside.

**Why.** The reference of `Schema` allows `defs` at the root only, and `ref` to its children only.

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
A scheduled run names both `evaluations` and an `evaluationDataset`.

**Why.** The two exclude each other (reference of `EvaluationRun`).

**What to do.** Keep one; put single evaluations into a dataset of their own.
""",
    ),
    Code(
        code="CES072",
        title="required property that does not exist",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`required` of a `Schema` names a key that its `properties` do not have.

**Why.** Mostly a slip or a renamed property. JSON Schema would allow it, and what the service does is
not documented.

**What to do.** Use the key as it stands under `properties`, or add the property.
""",
    ),
    Code(
        code="CES073",
        title="token in clear",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
A token or header takes `$context.variables.<name>` and nothing else: the service puts in the value of
that session variable.

**Why.** Stated in the reference of `BearerTokenConfig`, `EndUserAuthConfig` and `customHeaders`.
Anything else would be a token that everybody who may read the app can read.

**What to do.** Declare a variable in app.yaml, name it here, and set it when a session begins.

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

**Why.** Variables are known by their names: only one declaration can hold.

**What to do.** Remove one.
""",
    ),
    Code(
        code="CES076",
        title="variable that is not declared",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
A mapping, an override, an example or a `$context.variables.<name>` names a variable that app.yaml does
not declare.

**Why.** Such a value goes nowhere or comes from nowhere. The service may predefine variables of its
own, which are not known offline: hence a warning.

**What to do.** Declare it, or correct the name.
""",
    ),
    Code(
        code="CES077",
        title="field that is ignored here",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
The reference says that a field has no effect beside another one: every other field of an agent beside
`remoteDialogflowAgent`, and `failOpen` of `llmPromptSecurity` beside its `customPolicy`.

**Why.** Whoever reads the file believes that it works. A guardrail that fails open against the wish of
its author is the worst case.

**What to do.** Remove the field, or move it to where it counts.
""",
    ),
    Code(
        code="CES078",
        title="two personas of one name",
        severity=Severity.ERROR,
        silenceable=True,
        page="""\
Two `evaluationPersonas` have the same `displayName`.

**Why.** It must be unique in the app (reference of `EvaluationPersona`).

**What to do.** Rename one. Its key, `name`, may stay.
""",
    ),
    Code(
        code="CES096",
        title="model that is not known here",
        severity=Severity.WARNING,
        silenceable=True,
        page="""\
`modelSettings.model` names a model that cesplan does not know, or one that the service refused in this
location.

**Why.** The service checks the model for the location, and refuses the resource after others have been written.
No method lists the models, so cesplan has a table with a date, made from public material: a model that is not
in it may be newer.

**What to do.** Correct the id, or silence this code where the model is known to work.

```yaml
modelSettings: {model: gemini-2.5-flash}
```
""",
    ),
)
