"""Codes of files and folders: CES001 to CES011, and CES034."""

from cesplan.domain.diagnostic import Code, Severity
from cesplan.domain.settings import SETTINGS

_SETTINGS = "\n".join(
    f"- `{key}`: {item.description}{'' if item.in_environment else ' Not in an environment.'}"
    for key, item in SETTINGS.items()
)

FILE_CODES = (
    Code(
        code="CES001",
        title="file that cannot be read",
        severity=Severity.ERROR,
        page="""\
A file or folder of the tree cannot be opened, is not UTF-8, or is a symbolic link that leads out of the tree.

**Why.** cesplan sends text to the service as Unicode, and a wrong encoding would change it silently. With a
link out of the tree, the same commit could mean different things on different machines.

**What to do.** Save the file as UTF-8 without a byte order mark. Move the target of the link into the folder
of cesplan.yaml. Check the permissions.
""",
    ),
    Code(
        code="CES002",
        title="invalid YAML",
        severity=Severity.ERROR,
        page="""\
The file is not valid YAML 1.2: for example, a bracket or quote is not closed, the indentation contains a tab,
an unquoted text contains `: `, or the file contains a control character.

**Why.** cesplan cannot interpret the file after such a place, so the rest of the file is not checked.

**What to do.** Fix the place shown. These changes often help:

```yaml
description: 'Opening hours: nine to five'   # quote a colon followed by a space
model: {name: "${plannerModel}"}            # quote ${…} inside braces
pattern: '@handle'                          # quote a special first character
```
""",
    ),
    Code(
        code="CES003",
        title="duplicate key",
        severity=Severity.ERROR,
        page="""\
A mapping has the same key twice.

**Why.** YAML does not allow it. Parsers that accept it keep the last value and silently drop the first one.

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
        title="unsupported YAML",
        severity=Severity.ERROR,
        page="""\
The file is valid YAML but not valid in a tree: an empty file, a list at the top level, a second document after
`---`, a key that is a number or a boolean, a tag, an alias without an anchor or to itself, nesting deeper than
100 levels, or aliases that expand to more than 100,000 values.

**Why.** A file is one resource, and a resource is a JSON object with string keys and plain values.

**What to do.** Write one mapping per file. Quote keys that look like numbers. You can use anchors, aliases, and
`<<` for mappings and lists of the same file.

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
        title="no cesplan.yaml",
        severity=Severity.ERROR,
        page="""\
Neither this folder nor any of its parent folders contains a cesplan.yaml.

**Why.** The file marks the root of the tree and defines the project and location of its apps and the
environments.

**What to do.** Change to the folder of a tree, or create one:

    cesplan init
""",
    ),
    Code(
        code="CES006",
        title="invalid cesplan.yaml",
        severity=Severity.ERROR,
        page=f"""\
cesplan.yaml has an unknown key or an invalid value, or lacks `cesplan`, `project`, or `location`.

**Why.** This file decides where cesplan writes. Ignoring a misspelled key would silently drop a setting.

**What to do.** Use these keys:

- `cesplan`: the version of the file format, 1. Required.
{_SETTINGS}
- `variables`: variables by name, with a default or `{{secret: true}}`.
- `policy`: rules for the operations of a plan.
- `drift`: with `ignore`, rules that keep accepted differences out of the drift alarm.
- `environments`: environments by name, each with its own `variables` and any setting that is not marked.

```yaml
cesplan: 1
project: acme-dev
location: us
variables: {{apiHost: api.dev.acme.example, crmKey: {{secret: true}}}}
environments:
  prod: {{project: acme-prod}}
```
""",
    ),
    Code(
        code="CES007",
        title="unknown environment",
        severity=Severity.ERROR,
        page="""\
The requested environment is not defined under `environments` in cesplan.yaml.

**Why.** Guessing could write to the wrong project.

**What to do.** Use an existing environment, or add it.
""",
    ),
    Code(
        code="CES008",
        title="unknown file or folder",
        severity=Severity.ERROR,
        page="""\
A folder of an app is not a resource folder, a YAML file is in a place where cesplan reads no resources, or an
app folder lacks app.yaml.

**Why.** An ignored file looks as if it were applied. Also, cesplan deletes live resources of a kind that are
not in the kind's folder, so a misplaced file can cause a delete.

**What to do.** Use the layout of the tree:

```
apps/<app>/app.yaml
apps/<app>/agents/<key>.yaml        tools/ toolsets/ guardrails/ examples/ versions/ deployments/
apps/<app>/evaluations/<key>.yaml   evaluationExpectations/ evaluationDatasets/ scheduledEvaluationRuns/
securitySettings.yaml
```

A folder with any other name is allowed if at least one `$file` includes a text from it.
""",
    ),
    Code(
        code="CES009",
        title="invalid key",
        severity=Severity.ERROR,
        page="""\
The name of a file, app folder, or evaluation persona contains `@`, `/`, or `$`.

**Why.** Keys are parts of addresses such as `support-desk/agents/front-desk`, where `/` is the separator and
`@` marks locations and ids; `$` marks directives.

**What to do.** Rename it. To keep the id on the server, set it with `$id`.
""",
    ),
    Code(
        code="CES010",
        title="duplicate files for one key",
        severity=Severity.ERROR,
        page="""\
A resource has both a `.yaml` and a `.yml` file, or an app has two folders.

**Why.** Only one of them could be applied, and the choice would be arbitrary.

**What to do.** Remove or rename one.
""",
    ),
    Code(
        code="CES011",
        title="unused file",
        severity=Severity.WARNING,
        page="""\
No `$file` includes this text file.

**Why.** A resource includes a text file only with `$file`. A file of the same name next to it has no effect.

**What to do.** Include the file, or remove it:

```yaml
instruction: {$file: front-desk.md}
```
""",
    ),
    Code(
        code="CES034",
        title="no apps",
        severity=Severity.ERROR,
        page="""\
The `apps` patterns in cesplan.yaml do not match any app.

**Why.** A tree without apps has nothing to apply, which is probably not intended.

**What to do.** Correct the patterns, which are relative to cesplan.yaml, or add an app: a folder with an
app.yaml.
""",
    ),
)
