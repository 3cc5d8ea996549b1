"""Trees that a stranger may send: a small one that is in order, and random ones that are not."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SMALL_TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\napiVersion: v1beta\n",
    "apps/help-desk/app.yaml": "displayName: Help desk\nrootAgent: front-desk\n",
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front desk\ninstruction: {$file: front-desk.md}\n",
    "apps/help-desk/agents/front-desk.md": "Greet the caller.\n",
}


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link in a tree."""

    target: str


@dataclass(frozen=True, slots=True)
class Pipe:
    """
    A named pipe in a tree: anyone who reads it waits for ever. Git keeps none, but an archive may hold one.
    """


Entry = str | bytes | Link | Pipe


def write_tree(root: Path, entries: Mapping[str, Entry]) -> None:
    """Write a tree. What cannot be written because another entry is in its way is left out."""
    root.mkdir(parents=True, exist_ok=True)
    for name in sorted(entries, key=lambda name: (isinstance(entries[name], Link), name)):
        path = root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, entries[name])
        except OSError:
            continue


def _write(path: Path, entry: Entry) -> None:
    match entry:
        case str():
            path.write_text(entry, encoding="utf-8", errors="surrogateescape")
        case bytes():
            path.write_bytes(entry)
        case Link(target):
            path.symlink_to(target)
        case Pipe():
            os.mkfifo(path)


AGENT = "apps/help-desk/agents/front-desk.yaml"
TEXT = "apps/help-desk/agents/front-desk.md"
TOOL = "apps/help-desk/tools/odd-tool.yaml"
PROJECT = SMALL_TREE["cesplan.yaml"]

CANARY = "canary-4f2a77: this text is outside of every tree"
"""In a file beside each tree, which no output may show."""

SECRET = "s3cret-4f2a77-of-the-pipeline"
"""In the environment of each run, as `CESPLAN_SECRET_token`."""

_LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
_MERGES = "b0: &b0 {x: 1}\n" + "".join(
    f"b{n}: &b{n} {{<<: [{', '.join([f'*b{n - 1}'] * 9)}]}}\n" for n in range(1, 12)
)
_BARE = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch sprung\n"
_TOOLSET = "displayName: x\nopenApiToolset: {openApiSchema: {$file: api.openapi.yaml}}\n"
_IMPORTED = 'open("sprung", "w").close()\n'


def _agent(value: str) -> dict[str, Entry]:
    return {AGENT: f"displayName: Front desk\ninstruction: {value}\n"}


def _project(more: str) -> dict[str, Entry]:
    return {"cesplan.yaml": PROJECT + more}


ATTACKS: dict[str, Mapping[str, Entry]] = {
    # files that lead elsewhere
    "absolute $file": _agent("{$file: /etc/passwd}"),
    "outward $file": _agent("{$file: ../../../../canary}"),
    "endless $file": _agent("{$file: /dev/zero}"),
    "environment as $file": _agent("{$file: /proc/self/environ}"),
    "$file of git": _agent("{$file: ../../../.git/config}"),
    "$file with a null byte": _agent('{$file: "a\\0b"}'),
    "$file that is a folder": _agent("{$file: .}"),
    "$file without end": _agent("{$file: " + "a" * 5000 + "}"),
    "$file as an address": _agent("{$file: 'file:///etc/passwd'}"),
    "$file that is a list": _agent("{$file: [a, b]}"),
    "linked text": {TEXT: Link("../../../../canary")},
    "linked text, absolute": {TEXT: Link("/etc/passwd")},
    "linked to zero": {TEXT: Link("/dev/zero")},
    "linked to itself": {TEXT: Link("front-desk.md")},
    "linked resource": {AGENT: Link("../../../../canary")},
    "linked folder": {"apps/help-desk/tools": Link("/etc")},
    "linked app": {"apps/other": Link("..")},
    "linked apps": {"apps/up": Link("/")},
    "linked environments": {"environments": Link("/etc")},
    "linked cache": {".cesplan": Link("..")},
    "ring of links": {"apps/a": Link("b"), "apps/b": Link("a")},
    "pipe as text": {TEXT: Pipe()},
    "pipe as resource": {AGENT: Pipe()},
    "pipe as app": {"apps/other/app.yaml": Pipe()},
    # bombs
    "aliases that multiply": {AGENT: _LAUGHS},
    "aliases in the project": _project(_LAUGHS),
    "merges that multiply": {AGENT: _MERGES},
    "alias of itself": {AGENT: "&a [*a]\n"},
    "deep lists": {AGENT: "description: " + "[" * 20_000},
    "deep maps": {AGENT: "description: " + "{a: " * 20_000},
    "deep blocks": {AGENT: "".join(f"{' ' * n}a:\n" for n in range(1500))},
    "deep JSON in YAML": {AGENT: "instruction: " + "[" * 900 + "]" * 900},
    "wide list": {AGENT: "tools: [" + "x, " * 20_000 + "x]\n"},
    "many keys": {AGENT: "".join(f"k{n}: 1\n" for n in range(20_000))},
    "same key again": {AGENT: "displayName: x\n" * 5_000},
    "many findings": {TEXT: "{@TOOL: x}\n" * 8_000},
    "many variables": {AGENT: "instruction: '" + "${nothing}" * 20_000 + "'\n"},
    "one long line": {TEXT: "x" * 5_000_000},
    "number of many digits": {AGENT: "timeout: " + "9" * 10_000 + "\n"},
    "number with an exponent": {AGENT: "timeout: 1e999999999\n"},
    "regular expression": {TOOL: "pythonFunction: {name: x, pythonCode: '" + "(" * 3_000 + "'}\n"},
    "many files": {f"apps/help-desk/agents/a{n}.yaml": "displayName: x\n" for n in range(300)},
    # YAML that is more than data
    "object of Python": {AGENT: "!!python/object/apply:os.system ['touch sprung']\n"},
    "name of Python": {AGENT: "instruction: !!python/name:os.system\n"},
    "unknown tag": {AGENT: "instruction: !evil x\n"},
    "several documents": {AGENT: "a: 1\n---\nb: 2\n"},
    "another YAML": {AGENT: "%YAML 9.9\n---\na: 1\n"},
    "not UTF-8": {AGENT: b"\xff\xfe\x00displayName\xff"},
    "UTF-16": {AGENT: "displayName: x\n".encode("utf-16")},
    "null bytes": {AGENT: b"displayName: \0\0\0\n"},
    "nothing": {AGENT: ""},
    "a scalar": {AGENT: "hello\n"},
    "odd keys": {AGENT: "? [a, b]\n: c\n1: d\nnull: e\n~: f\n"},
    "half a surrogate": {AGENT: 'displayName: "\\ud800"\n'},
    # directives
    "unknown directive": {AGENT: "$evil: x\n"},
    "wrong directives": {AGENT: "$id: [1]\n$protect: maybe\n$ignore: {a: b}\n$extra: x\n$silence: 1\n"},
    "id that is a path": {AGENT: "$id: ../../../other\ndisplayName: x\n"},
    "id that is an address": {AGENT: "$id: 'x@evil.invalid:1/?a#b'\ndisplayName: x\n"},
    "extra that is everything": {AGENT: "$extra: {'*': 1, name: x, '': 2, 'a.b.c.d': {}}\ndisplayName: x\n"},
    "reference elsewhere": {AGENT: "tools: [{$ref: ../../x}, projects/x/locations/y/apps/z/tools/t]\n"},
    "variable of a variable": _project("variables: {a: '${b}', b: '${a}', c: {secret: true}}\n"),
    "expanded text": {**_agent("{$file: front-desk.md, $expand: true}"), TEXT: "${" * 5_000 + "}" * 5_000},
    # secrets of the pipeline, `token`
    "secret that is declared as plain": {
        **_project("variables: {token: plain}\n"),
        AGENT: "displayName: x\ninstruction: 'Say ${token}.'\n",
    },
    "secret that is not declared": {AGENT: "displayName: x\ninstruction: {$var: token}\n"},
    "secret in a name": {
        **_project("variables: {token: {secret: true}}\n"),
        AGENT: "$id: '${token}'\ndisplayName: '${token}'\ntools: ['${token}']\n",
    },
    "secret as text": {
        **_project("variables: {token: {secret: true}}\n"),
        **_agent("{$file: front-desk.md, $expand: true}"),
        TEXT: "a ${token} b\n" * 50,
    },
    # the project
    "host": _project("endpoint: https://evil.invalid\n"),
    "host of two readings": _project("endpoint: 'http://127.0.0.2:1\\@localhost'\n"),
    "location": {"cesplan.yaml": PROJECT.replace("location: us", 'location: "x@127.0.0.1:1/a?"')},
    "location above": {"cesplan.yaml": PROJECT.replace("location: us", "location: ../../..")},
    "project above": {"cesplan.yaml": PROJECT.replace("acme-dev", "../../x")},
    "apps above": {"cesplan.yaml": PROJECT + "apps: ['../*', '/*', '**/**/**/**/*']\n"},
    "environment above": _project("environments: {'../../x': {project: y}}\n"),
    "project that is a list": {"cesplan.yaml": "- 1\n"},
    "project that is a link": {"cesplan.yaml": Link("/etc/passwd")},
    # policies and overlays
    "policy message": _project("policy: [{name: x, deny: 'true', message: '{address:>900000000}'}]\n"),
    "policy that runs long": _project(
        "policy: [{name: x, deny: 'operations.all(a, operations.all(b, operations.all(c, true)))'}]\n"
    ),
    "patch": {
        "environments/prod/apps/help-desk/agents/front-desk.patch.yaml": "- {op: copy, from: '', path: /a}\n"
        * 40
    },
    "policy that opens a file": _project(
        "policy: [{name: x, deny: \"timestamp('2026-01-01T00:00:00Z').getHours('/proc/self/fd/0') > 1\"}]\n"
    ),
    "policy of many rules": _project(
        "policy:\n" + "".join(f"- {{name: r{n}, deny: 'after.size() > {n}'}}\n" for n in range(600))
    ),
    # patterns
    "protection that tries every way": {
        **_project("protect: ['" + "*a" * 30 + "*b/agents/*']\n"),
        f"apps/{'a' * 200}/app.yaml": "displayName: x\n",
    },
    "apps through a link": {
        "cesplan.yaml": PROJECT + "apps: ['up/*/*/*/*/*', 'apps/*']\n",
        "up": Link("/"),
    },
    "apps of brackets": _project("apps: ['" + "[" * 50_000 + "']\n"),
    "apps that are the tree": _project("apps: ['.', '']\n"),
    "rings of links": {
        "cesplan.yaml": PROJECT + "apps: ['" + "*/" * 20 + "*']\n",
        **{f"apps/ring-{n}": Link("..") for n in range(6)},
    },
    "variables that repeat": {
        **_project(
            "variables: {a: {secret: true}, token: {secret: true}, "
            + ", ".join(f"v{n}: {'x' * 50}" for n in range(20))
            + "}\n"
        ),
        **_agent("{$file: front-desk.md, $expand: true}"),
        TEXT: "${token}" + "".join(f"${{v{n}}}" for n in range(20)) * 20 + "${token}\n",
    },
    # names
    "name of control characters": {"apps/help-desk/agents/\x1b[2J\x9b1m.yaml": "displayName: x\n"},
    "name with a line feed": {"apps/help-desk/agents/a\n::set-output name=x::y.yaml": "displayName: x\n"},
    "name that is not UTF-8": {"apps/help-desk/agents/\udcff.yaml": "displayName: x\n"},
    "name that is turned around": {"apps/\u202exyz/app.yaml": "displayName: x\n"},
    "name of a command": {"apps/help-desk/agents/$(touch sprung).yaml": "displayName: x\n"},
    "name of an option": {"apps/--help/app.yaml": "displayName: x\n"},
    "name that is long": {f"apps/{'a' * 250}/app.yaml": "displayName: x\n"},
    # programs
    "repository": {"HEAD": "ref: refs/heads/x\n", "config": _BARE, "objects/a": "", "refs/a": ""},
    "attributes": {".gitattributes": "* filter=evil diff=evil export-subst\n[attr]x y\n"},
    "modules of git": {
        ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = ext::touch sprung\n\tupdate = !touch sprung\n'
    },
    "repository below": {
        "apps/.git/HEAD": "ref: refs/heads/x\n",
        "apps/.git/config": _BARE,
        "apps/.git/refs/a": "",
    },
    "link of git": {"apps/.git": "gitdir: /etc\n"},
    "modules of Python": {
        f"{name}.py": _IMPORTED
        for name in ("json", "secrets", "click", "sitecustomize", "usercustomize", "yaml", "cesplan")
    },
    "program named git": {"git": "#!/bin/sh\ntouch sprung\n"},
    # documents in documents
    "document elsewhere": {
        "apps/help-desk/toolsets/api.yaml": _TOOLSET,
        "apps/help-desk/toolsets/api.openapi.yaml": "openapi: 3.0.0\npaths: {/: {$ref: 'http://evil.invalid/x'}}\n"
        "components: {schemas: {A: {$ref: '#/components/schemas/A'}, B: {$ref: '/etc/passwd'}}}\n",
    },
    "bomb in a document": {
        "apps/help-desk/toolsets/api.yaml": _TOOLSET,
        "apps/help-desk/toolsets/api.openapi.yaml": _LAUGHS,
    },
    "code that is deep": {
        TOOL: "pythonFunction: {name: odd_tool, pythonCode: {$file: odd-tool.py}}\n",
        "apps/help-desk/tools/odd-tool.py": "x = " + "(" * 5_000 + ")" * 5_000 + "\n",
    },
    "code with a null byte": {
        TOOL: "pythonFunction: {name: odd_tool, pythonCode: {$file: odd-tool.py}}\n",
        "apps/help-desk/tools/odd-tool.py": b"x = '\0'\n# coding: rot13\n",
    },
}
"""What a pull request may add to a tree, by what it tries. Files of the small tree are replaced."""
