"""Codes of the policy and its test cases: CES111 and CES112."""

from cesplan.domain.diagnostic import Code, Severity

POLICY_CODES = (
    Code(
        code="CES111",
        title="invalid policy rule",
        severity=Severity.ERROR,
        page="""\
A rule under `policy` in cesplan.yaml is invalid: it has an unknown key, a duplicate name, or a condition that
is not valid CEL (Common Expression Language) or uses an unknown name.

**Why.** Ignoring a rule would allow the operations that it is meant to stop.

Rules need the extra `policy` of cesplan: `pip install 'cesplan[policy]'`. Without it, a tree with rules has
this error.

**What to do.** Fix the rule at the place shown. A rule has a `name` and either `assert` (must be true) or
`deny` (must not be true). Optional keys are `when` (which operations), `message` and `severity`:

```yaml
policy:
  - name: guardrails-stay-on
    when: kind == "guardrails"
    deny: action == "delete" || !after.enabled
    message: "{address} would be disabled"
  - name: calm-models
    when: action != "delete"
    assert: after.?modelSettings.?temperature.orValue(0.0) <= 1.0
    severity: needs-approval        # deny (the default), needs-approval or warn
```

Conditions can use `address`, `app`, `kind`, `key`, `action`, `reason`, `environment`, `project`, `location`,
`display_name`, `file`, `mask`, `before`, `after` (null if absent), `changes` (each with `path`, `action`,
`before`, `after`, `mask`), `weakens` (where protection is weakened, each with `code`, `path`, `text`),
`used_by` (addresses), `impact` (what it reaches: `is_reached`, `agents`, `deployments`, `evaluations`, …),
`plan` (`create`, `update`, `delete`, and the same by kind in `kinds`) and `runs`: the newest 100 evaluation
runs of the app, newest first, each with `version` (in the form of `after.appVersion`; empty for the draft),
`dataset`, `evaluations`, `state`, `total`, `passed`, `failed`, `errors`, `time`, `id`, and `display_name`.
Runs are read only if a rule uses them; v1 of the API has none. `release` is what the release of a deployment
has shown: `verdict` (`passed`, `failed`, `inconclusive`, `void`, or `none`), `version`, `age` in seconds,
`name`, and `action` (`start`, `step`, or `abort`; empty in a plan).

```yaml
  - name: gated
    when: kind == "deployments" && action == "update" && environment == "prod" && release.action != "abort"
    assert: release.verdict == "passed" || !changes.exists(c, c.path.startsWith("appVersion"))
    severity: needs-approval
```

In `before` and `after`, unset booleans are false, and unset lists and maps are empty. Any other unset field
is absent: use `after.?field` to test for it and `orValue` to give a default. The value of a secret is the
name of its variable. A rule that cannot be evaluated for an operation counts as violated.

A policy can have 500 rules. A condition can have 10,000 characters, all of them together 200,000, and a message
1,000. A condition that may take too much work or memory is refused, and so is a plan for which all rules
together do. Time zones are names in quotes, such as `'Europe/Berlin'`.
""",
    ),
    Code(
        code="CES112",
        title="invalid policy test case",
        severity=Severity.ERROR,
        page="""\
A case in policy_test.yaml cannot be used.

**Why.** Ignoring a case would leave the rule untested.

**What to do.** Fix the case at the place shown. A case has a `name`, an `operation` with the fields that the
rules use, and under `expect` the rules that it violates, each with its severity (`{}` for none):

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

With `rules: [guardrails-stay-on]`, only these rules are checked.
""",
    ),
)
