"""Codes of the policy and of its cases: CES111 and CES112."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

POLICY_CODES = (
    Code(
        code="CES111",
        title="mistake in the policy",
        severity=Severity.ERROR,
        page="""\
A rule under `policy` in cesplan.yaml cannot be used: a key that it does not have, a name that is taken, or a
condition that is no CEL (Common Expression Language) or names something that rules do not know.

**Why.** A rule that is left out would let through what it is there to stop.

**What to do.** Mend it where it says. A rule has a `name`, either `assert` (must be true) or `deny` (must not
be), and where wanted `when` (which operations), `message` and `severity`:

```yaml
policy:
  - name: guardrails-stay-on
    when: kind == "guardrails"
    deny: action == "delete" || !after.enabled
    message: "{address} would no longer protect anybody"
  - name: calm-models
    when: action != "delete"
    assert: after.?modelSettings.?temperature.orValue(0.0) <= 1.0
    severity: needs-approval        # deny (the default), needs-approval or warn
```

Rules know `address`, `app`, `kind`, `key`, `action`, `reason`, `environment`, `project`, `location`,
`display_name`, `file`, `mask`, `before`, `after` (null: absent), `changes` (each with `path`, `action`,
`before`, `after`, `mask`), `plan` (`create`, `update`, `delete`, and the same by kind in `kinds`) and `runs`:
the newest 100 evaluation runs of the app, newest first, each with `version` (as `after.appVersion` says it;
empty: the draft), `dataset`, `evaluations`, `state`, `total`, `passed`, `failed`, `errors`, `time`, `id` and
`display_name`. They are read only where a rule names them, and v1 of the API has none.

```yaml
  - name: evaluated
    when: kind == "deployments" && action != "delete" && environment == "prod"
    assert: runs.exists(r, r.version == after.appVersion && r.total > 0 && r.passed == r.total)
    severity: needs-approval
```

In `before` and `after`, switches that nobody set are false, and lists and maps are empty. Anything else that is
not set is absent: `after.?field` asks for it, and `orValue` says what it means. A secret is the name of its
variable. A rule that cannot be decided for an operation counts as broken.
""",
    ),
    Code(
        code="CES112",
        title="mistake in a case of the policy",
        severity=Severity.ERROR,
        page="""\
A case in policy_test.yaml cannot be used.

**Why.** A case that is left out proves nothing.

**What to do.** Mend it where it says. A case has a `name`, an `operation`, of which as much is written as the
rules look at, and under `expect` the rules that it breaks with their severity; nothing there means none:

```yaml
- name: a guardrail cannot be switched off
  operation:
    address: support-desk/guardrails/pii
    before: {enabled: true}
    after: {enabled: false}
  expect: {guardrails-stay-on: deny}
- name: a harmless change
  operation: {address: support-desk/agents/billing, before: {}, after: {instruction: Help.}}
  expect: {}
```

With `rules: [guardrails-stay-on]` only these rules are asked.
""",
    ),
)
