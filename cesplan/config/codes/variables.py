"""Codes of variables and secrets: CES028 to CES031."""

from cesplan.domain.diagnostic import Code, Severity

VARIABLE_CODES = (
    Code(
        code="CES028",
        title="variable without a value",
        severity=Severity.ERROR,
        page="""\
A variable is used, but cesplan.yaml, the environment, and the command line do not set it.

**Why.** An empty string in its place could be sent to the service unnoticed.

**What to do.** Set the variable. Later sources override earlier ones:

    variables: {apiHost: api.dev.acme.example}        in cesplan.yaml, at the top level
    variables: {apiHost: api.acme.example}            in an environment
    CESPLAN_VAR_apiHost=…                             environment variable
    --var apiHost=…                                   on the command line
    CESPLAN_SECRET_crmKey=…                           for a secret: the only source if CI is set
""",
    ),
    Code(
        code="CES029",
        title="invalid variable",
        severity=Severity.ERROR,
        page="""\
A variable is declared or used incorrectly: its value does not match the declared type, a list is used inside a
string, or `${…}` does not contain a name.

**Why.** A variable has the type of its default (or its `type`), and values from outside are parsed as that
type: `--var limit=3` is a number if the default is a number.

**What to do.**

```yaml
variables:
  apiHost: api.dev.acme.example       # a string
  refundLimit: 150                    # an integer
  origins: [https://acme.example]     # a list; values from outside are JSON
  region:                            # a string without a default
  crmKey: {secret: true}
  crmToken: {secret: {from: projects/acme-dev/secrets/crm/versions/3}}   # or file:/run/secrets/crm
  ratio: {type: number, description: Share of traffic.}
```

`${name}` inserts a variable into a string, `{$var: name}` is the value itself, and `$${` is a literal `${`.
""",
    ),
    Code(
        code="CES030",
        title="plaintext secret",
        severity=Severity.ERROR,
        page="""\
A file contains a secret value.

**Why.** Everyone who can read the git repository can read the secret, and it stays in the history. Set secrets
only with secret variables. No output shows their values: plans show the name of the variable instead.

**What to do.** Rotate the secret, because it is exposed. Then declare a variable and use it:

```yaml
# cesplan.yaml
variables: {whatsappPin: {secret: true}}
# deployments/whatsapp.yaml
whatsappCredentials: {pin: {$var: whatsappPin}}
```

Set its value with the environment variable `CESPLAN_SECRET_whatsappPin` when you apply.
""",
    ),
    Code(
        code="CES031",
        title="unknown variable on the command line",
        severity=Severity.ERROR,
        page="""\
`--var` sets a variable that cesplan.yaml does not declare and no file uses.

**Why.** A misspelled `--var` would silently leave the default in place.

**What to do.** Correct the name, or remove the option.
""",
    ),
)
