"""Codes of release files: CES121 and CES122."""

from cesplan.domain.diagnostic import Code, Severity

RELEASE_CODES = (
    Code(
        code="CES121",
        title="invalid release file",
        severity=Severity.ERROR,
        page="""\
A file in `releases/` of an app is invalid: it has an unknown key, a value of the wrong type, or parts that
contradict each other, such as a canary whose percentages do not increase.

**Why.** A release file says what must be proven before a deployment serves a version. Ignoring a part of it
would release an unproven version.

**What to do.** Fix the file at the place shown. It needs `deployment` and `limits`, and `suites` or `smoke`:

```yaml
# apps/support-desk/releases/web.yaml
deployment: web-chat                  # its file names the version to release
suites:
  regression:
    evaluations: {dataset: nightly}   # or tag, name, all
    repeats: 3
    tools: fake                       # or real
    require: {each: 2 of 3, rate: 0.9}
    critical: [refund-above-limit]
scores:
  tool_trajectory_avg_score: {threshold: 1.0, match_type: IN_ORDER}
baseline: deployed                    # what passed for the served version must pass
limits: {sessions: 400, minutes: 30}
canary: [{percent: 5, hold: 1h, conversations: 50}, {percent: 25, hold: 4h}, {percent: 100}]
```

The percentages of a canary increase and end with 100. The total in `each` must equal `repeats`. A deployment
belongs to one release only.
""",
    ),
    Code(
        code="CES122",
        title="release of something that does not exist",
        severity=Severity.ERROR,
        page="""\
A release file refers to a deployment, dataset, evaluation, tag, agent, or tool that the tree does not have, or
its deployment names no version.

**Why.** The gate would run something other than the file says, or nothing. cesplan reports this before it
starts anything.

**What to do.** Use a key of the tree. The deployment of a release names a version of its app in `appVersion`,
the candidate. It has no `experimentConfig`, because the release owns the traffic split. In an environment
without the deployment, leave out the release with `$exclude: true`.
""",
    ),
)
