"""Codes of files and folders: CES001 to CES011, and CES034."""

from cesplan.config.codes.code import Code
from cesplan.domain.diagnostic import Severity

FILE_CODES = (
    Code(
        code="CES001",
        title="file that cannot be read",
        severity=Severity.ERROR,
        page="""\
A file or folder of the tree cannot be opened, is not UTF-8, or is a symbolic link that leads out of the tree.

**Why.** Texts are sent to the service as Unicode, and a wrong encoding would change them without a word. A
link out of the tree would make the same commit mean different things on different machines.

**What to do.** Save the file as UTF-8 without a byte order mark; put what a link points to into the folder of
cesplan.yaml; check the permissions.
""",
    ),
    Code(
        code="CES002",
        title="text that is no YAML",
        severity=Severity.ERROR,
        page="""\
The file breaks a rule of YAML 1.2: a bracket or quote is not closed, a tab stands in the indentation, a `: `
splits what was meant as one text, a control character stands where it may not.

**Why.** What follows such a place cannot be understood, so the rest of this file is not looked at.

**What to do.** Mend the place shown. These often help:

```yaml
description: 'Opening hours: nine to five'   # a colon and a space: quotes
model: {name: "${plannerModel}"}             # ${…} inside braces: quotes
pattern: '@handle'                           # a first sign with a meaning: quotes
```
""",
    ),
    Code(
        code="CES003",
        title="key written twice",
        severity=Severity.ERROR,
        page="""\
A mapping has the same key twice.

**Why.** YAML forbids it, and readers that accept it keep the last value: the first one would vanish
silently.

**What to do.** Remove one of the two.

```yaml
modelSettings:
  temperature: 0.2
  temperature: 0.7    # which one?
```
""",
    ),
    Code(
        code="CES004",
        title="YAML that has no place in a tree",
        severity=Severity.ERROR,
        page="""\
The file is YAML, but not what a tree is made of: an empty file, a list at the top, a second document after
`---`, a key that is a number or a boolean, a tag, an alias that names nothing or itself, nesting deeper than
100 levels, or aliases that multiply to more than 100,000 values.

**Why.** A file is one resource, and a resource is a JSON object: its keys are texts and its values plain.

**What to do.** Write one mapping per file. Quote keys that look like numbers. Anchors, aliases and `<<` are
fine where they name mappings and lists of the same file.

```yaml
customFallbackMessages:
  'no': Beklager, kan du gjenta det?
fieldMappings:
  '404': order.missing
```
""",
    ),
    Code(
        code="CES005",
        title="no project",
        severity=Severity.ERROR,
        page="""\
Neither the folder nor any above it holds a cesplan.yaml.

**Why.** That file says where the tree begins, in which project and location its apps live, and which
environments there are.

**What to do.** Go into the folder of a tree, or begin one:

    cesplan init
""",
    ),
    Code(
        code="CES006",
        title="mistake in cesplan.yaml",
        severity=Severity.ERROR,
        page="""\
cesplan.yaml has an unknown key, a value that the key does not take, or lacks `cesplan`, `project` or
`location`.

**Why.** This file decides where writes go. A key that is misspelt there, and passed over, would be a setting
that nobody has.

**What to do.** These are the keys:

```yaml
cesplan: 1                  # version of this format
project: acme-dev
location: us
apiVersion: v1beta          # or v1
endpoint: https://…         # only where the usual one is wrong
apps: [apps/*]
variables: {apiHost: api.dev.acme.example, crmKey: {secret: true}}
prune: true                 # delete what the tree does not have
adopt: false                # take over apps that carry no stamp of ours
stamp: true                 # note in the app's metadata what was applied
lease: false                # true: applies of one app at the same time exclude each other
tree: acme/support-desk     # what stamps call this tree; default its project and its path in git
maskDepth: nested           # or top
verifyBeforeWrite: true
protect: [support-desk/deployments/*]
environments:
  prod: {project: acme-prod}   # any of the above but `cesplan`, `apps`, `tree` and `environments`
```
""",
    ),
    Code(
        code="CES007",
        title="unknown environment",
        severity=Severity.ERROR,
        page="""\
The environment asked for is not under `environments` in cesplan.yaml.

**Why.** A guess could write to the wrong project.

**What to do.** Name one that exists, or add it.
""",
    ),
    Code(
        code="CES008",
        title="unknown file or folder",
        severity=Severity.ERROR,
        page="""\
A folder of an app is no kind, a YAML file stands where no resource is read, or an app folder lacks app.yaml.

**Why.** Files that are passed over look as if they were applied. Worse, a kind's folder that exists makes the
kind complete: live resources that are not in it are deleted.

**What to do.** Use the layout of the tree:

```
apps/<app>/app.yaml
apps/<app>/agents/<key>.yaml        tools/ toolsets/ guardrails/ examples/ versions/ deployments/
apps/<app>/evaluations/<key>.yaml   evaluationExpectations/ evaluationDatasets/ scheduledEvaluationRuns/
securitySettings.yaml
```

A folder of texts with any other name is welcome as soon as one `$file` takes a text from it.
""",
    ),
    Code(
        code="CES009",
        title="name that cannot be a key",
        severity=Severity.ERROR,
        page="""\
The name of a file or app folder, or of an evaluation persona, holds `@`, `/` or `$`.

**Why.** Keys are parts of addresses such as `support-desk/agents/front-desk`, where `/` divides and `@` marks
locations and ids; `$` marks directives.

**What to do.** Rename it. If the id on the server has to stay, write it as `$id`.
""",
    ),
    Code(
        code="CES010",
        title="two files for one key",
        severity=Severity.ERROR,
        page="""\
A resource has both a `.yaml` and a `.yml` file, or an app two folders.

**Why.** Only one of them could be applied, and which one would be chance.

**What to do.** Remove or rename one.
""",
    ),
    Code(
        code="CES011",
        title="file that nothing uses",
        severity=Severity.WARNING,
        page="""\
A text beside the resource files is taken in by no `$file`.

**Why.** A text reaches a resource only by `$file`; a file beside it with the same name does nothing by itself.

**What to do.** Take it in, or remove it:

```yaml
instruction: {$file: front-desk.md}
```
""",
    ),
    Code(
        code="CES034",
        title="no app",
        severity=Severity.ERROR,
        page="""\
No folder that `apps` in cesplan.yaml matches is an app.

**Why.** A tree without apps asks for nothing, which is hardly what was meant.

**What to do.** Correct the patterns, which are relative to cesplan.yaml, or add an app: a folder with an
app.yaml.
""",
    ),
)
