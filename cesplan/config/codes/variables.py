"""Codes of variables and secrets: CES028 to CES031."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

VARIABLE_CODES = (
    Code(
        code="CES028",
        title="variable without a value",
        severity=Severity.ERROR,
        page="""\
A variable is used, and neither cesplan.yaml nor the environment nor the command line gives it a value.

**Why.** An empty text in its place could be sent to the service unnoticed.

**What to do.** Give it one. Later sources win over earlier ones:

    variables: {apiHost: api.dev.acme.example}        in cesplan.yaml, at the top
    variables: {apiHost: api.acme.example}            in an environment
    CESPLAN_VAR_apiHost=…                             in the process's environment
    --var apiHost=…                                   on the command line
    CESPLAN_SECRET_crmKey=…                           for a secret: the only source where CI is set
""",
    ),
    Code(
        code="CES029",
        title="mistake in a variable",
        severity=Severity.ERROR,
        page="""\
A variable is declared or used wrongly: a value that is not of the declared type, a list inside a text, a
`${…}` that holds no name.

**Why.** The type of a variable is that of its default (or its `type`), and texts from outside are read as that
type: `--var limit=3` is a number if the default is one.

**What to do.**

```yaml
variables:
  apiHost: api.dev.acme.example       # a text
  refundLimit: 150                    # an integer
  origins: [https://acme.example]     # a list; from outside it is JSON
  region:                             # a text without a default
  crmKey: {secret: true}
  ratio: {type: number, description: Share of traffic.}
```

`${name}` puts a variable into a text, `{$var: name}` is the value itself, and `$${` is a literal `${`.
""",
    ),
    Code(
        code="CES030",
        title="secret in clear",
        severity=Severity.ERROR,
        page="""\
A value that must stay secret stands in a file.

**Why.** Whatever is in git is known to everybody who can read it, for ever. Secrets come only from secret
variables, which no output ever shows: plans name the variable instead.

**What to do.** Change the secret, since it is known now; then declare a variable and name it:

```yaml
# cesplan.yaml
variables: {whatsappPin: {secret: true}}
# deployments/whatsapp.yaml
whatsappCredentials: {pin: {$var: whatsappPin}}
```

Its value is given as `CESPLAN_SECRET_whatsappPin` when something is applied.
""",
    ),
    Code(
        code="CES031",
        title="unknown variable on the command line",
        severity=Severity.ERROR,
        page="""\
`--var` names a variable that cesplan.yaml does not declare and no file uses.

**Why.** A misspelt `--var` would leave the default in place.

**What to do.** Correct the name, or leave it out.
""",
    ),
)
