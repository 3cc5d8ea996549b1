"""
Stand-ins for what a pipeline calls: gh, curl, gcloud, and python where it would install something.

They remember every call, and keep the comments, pull requests, runs and objects of one imaginary service in the
folder that FAKES names. An address that no pipeline should use ends with an error.

python is the real one; only `-m pip install` installs the cesplan of this repository, whatever it is asked for,
and `-m venv` may be a fork as well.
They and cesplan are forks of processes that have imported everything (`tests.warm`). With FAKES_COLD, as where
starting is the point, `-m venv`, `cesplan plan`, and `cesplan drift` are interpreters of their own. Before the
stand-in for pip, and before another command of cesplan, an interpreter starts as theirs would, and imports what
they do and a hostile checkout has as well.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.warm import Warm

NAMES = ("gh", "curl", "gcloud", "python")
INSTALLED = "installed-cesplan"
"""What the stand-in for pip installs, in the folder of the stand-ins."""
_MODULE = "tests.pipelines.fakes"
_CESPLAN = Path(sys.executable).parent / "cesplan"
_IMPORTS = "import json, secrets, subprocess, venv"
BOT, BOT_ID = "github-actions[bot]", 9


class World:
    """What the stand-ins know, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "state.json"

    def read(self) -> dict[str, Any]:
        if not self._file.exists():
            return {"comments": [], "pulls": [], "runs": [], "jobs": [], "builds": []}
        found: dict[str, Any] = json.loads(self._file.read_text(encoding="utf-8"))
        return found

    def change(self, **values: Any) -> None:
        new = self.folder / f"state.{os.getpid()}"
        new.write_text(json.dumps({**self.read(), **values}), encoding="utf-8")
        new.replace(self._file)  # what is on the other side of a pipe reads the old or the new

    def bodies(self) -> list[str]:
        """The texts of all comments."""
        return [item["body"] for item in self.read()["comments"]]

    def remember(self, call: list[str]) -> None:
        with (self.folder / "calls").open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(call)}\n")

    def calls(self, *beginning: str) -> list[list[str]]:
        """The calls that begin with these words."""
        rows = (self.folder / "calls").read_text(encoding="utf-8").splitlines()
        return [call for call in map(json.loads, rows) if call[: len(beginning)] == [*beginning]]

    def artifact(self, run: int | str, name: str) -> Path:
        return self.folder / "artifacts" / str(run) / name

    def object(self, address: str) -> Path:
        return self.folder / "objects" / address.removeprefix("gs://")


def install(folder: Path, cesplan: Warm, stand_ins: Warm) -> None:
    """Write the scripts into a folder for PATH: they call forks that have imported what they need."""
    folder.mkdir()
    calls = {name: stand_ins.script(f"{_MODULE}:main", name) for name in NAMES}
    real = f'exec {shlex.quote(sys.executable)} "$@"'
    calls["python"] = (
        f'case " $* " in *" -m pip "*) {calls["python"]} ;; esac\n'
        f'case "$FAKES_COLD $* " in " "*" -m venv "*) {calls["python"]} ;; esac\n'
        f"{real}"
    )
    (folder / "imports.py").write_text(f"{_IMPORTS}, click, cesplan.__main__", encoding="utf-8")
    python, program, imports = map(shlex.quote, map(str, (sys.executable, _CESPLAN, folder / "imports.py")))
    calls[INSTALLED] = (
        f'case "$FAKES_COLD $1" in "yes plan" | "yes drift") exec {program} "$@" ;;\n'
        f'"yes "*) {python} {imports} || exit ;; esac\n'
        f"{cesplan.script('cesplan.cli.main:main')}"
    )
    for name, call in calls.items():
        script = folder / name
        script.write_text(f"#!/bin/sh\n{call}\n", encoding="utf-8")
        script.chmod(0o755)


def gh(world: World, words: list[str]) -> int:
    match words:
        case ["run", "download", run, *_]:
            found = world.artifact(run, _option(words, "--name"))
            if not found.exists():
                print("no artifact matches any of the names or patterns provided", file=sys.stderr)
                return 1
            shutil.copytree(found, _option(words, "--dir"), dirs_exist_ok=True)
        case ["api", *_]:
            address = next(word for word in words if word.startswith("repos/"))
            method = _option(words, "--method") or "GET"
            fields = dict(
                words[at + 1].split("=", 1) for at, word in enumerate(words) if word == "--field"
            )  # with GET they are the query
            file = fields.pop("body", "").removeprefix("@")
            body = Path(file).read_text(encoding="utf-8") if file else ""
            answer = rest(world, method, f"/{address}", body, {name: [text] for name, text in fields.items()})
            if "--silent" not in words:
                print(_jq(_option(words, "--jq"), answer))
        case _:
            raise SystemExit(f"gh: {words}")
    return 0


def python(world: World, words: list[str]) -> int:
    """`python -m pip --python FOLDER install`, which finds cesplan without asking anyone; a real `-m venv`."""
    flags = words[: words.index("-m")]
    if words[len(flags) + 1] == "venv":
        venv.main(words[len(flags) + 2 :])
        return 0
    if os.environ.get("FAKES_COLD"):
        subprocess.run([sys.executable, *flags, "-c", f"{_IMPORTS}, pip.__main__"], check=True)
    assert "install" in words
    target = Path(_option(words, "--python")) / "bin/cesplan"
    target.unlink(missing_ok=True)
    target.symlink_to(Path(os.environ["FAKES_FOLDER"]) / INSTALLED)
    (packages,) = target.parents[1].glob("lib/python3.*/site-packages")
    (packages / "jinja2.py").write_text("", encoding="utf-8")  # the extra `report` was asked for
    return 0


def curl(world: World, words: list[str]) -> int:
    address = urlsplit(next(word for word in words if word.startswith("https://")))
    assert words[0] == "--disable", "a .curlrc counts"
    assert "--fail" in words
    assert (_option(words, "--proto"), _option(words, "--max-redirs")) == ("=https", "0")
    assert "t0ken" not in " ".join(words), "every process can read it"
    files = [
        Path(words[at + 1][1:])
        for at, word in enumerate(words)
        if word == "--header" and words[at + 1][0] == "@"
    ]
    assert [file.read_text() for file in files] in (
        ["PRIVATE-TOKEN: t0ken\n"],
        ["Authorization: Bearer t0ken\n"],
    )
    given = _option(words, "--data-urlencode").removeprefix("body") or _option(words, "--data")
    body = Path(given.removeprefix("@")).read_text(encoding="utf-8") if given else ""
    if _option(words, "--data"):
        body = json.loads(body)["body"]
    path = address.path.removeprefix("/api/v4").replace("/projects/42", "/repos/acme/desk")
    answer = rest(world, _option(words, "--request") or "GET", path, body, parse_qs(address.query))
    text = answer if isinstance(answer, str) else json.dumps(answer)
    output = _option(words, "--output")
    if output:
        Path(output).write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


def gcloud(world: World, words: list[str]) -> int:
    match words:
        case ["storage", "cp", source, target]:
            there = [
                world.object(word) if word.startswith("gs://") else Path(word) for word in (source, target)
            ]
            there[1].parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(*there)
        case ["storage", "objects", "describe", address]:
            return 0 if world.object(address).exists() else 1
        case ["builds", "list", *_]:
            first, *rest = world.read()["builds"] or [""]
            world.change(builds=rest)
            print(first)
        case _:
            raise SystemExit(f"gcloud: {words}")
    return 0


def rest(world: World, method: str, path: str, body: str, query: dict[str, list[str]]) -> Any:
    """The few addresses of GitHub and GitLab that the pipelines use; a page has two entries."""
    state = world.read()
    match (method, *path.strip("/").split("/")):
        case ("GET", "user"):
            return {"id": BOT_ID}
        case ("GET", "repos", "acme", "desk", "issues" | "merge_requests", "7", "comments" | "notes"):
            page = int(query["page"][0]) if query else 0
            comments: list[Any] = state["comments"]
            return comments[2 * page - 2 : 2 * page] if page else comments
        case ("POST", "repos", "acme", "desk", "issues" | "merge_requests", "7", "comments" | "notes"):
            made = {"id": 100 + len(state["comments"]), **written_by(BOT, BOT_ID), "body": body}
            world.change(comments=[*state["comments"], made])
            return made
        case ("PATCH", "repos", "acme", "desk", "issues", "comments", number) | (
            "PUT",
            "repos",
            "acme",
            "desk",
            "merge_requests",
            "7",
            "notes",
            number,
        ):
            (old,) = [item for item in state["comments"] if item["id"] == int(number)]
            assert old["user"]["id"] == BOT_ID, "403: somebody else's"
            world.change(
                comments=[
                    {**item, "body": body} if item["id"] == int(number) else item for item in state["comments"]
                ]
            )
            return {}
        case ("GET", "repos", "acme", "desk", "actions", "workflows", workflow, "runs"):
            asked = {name: query[name] for name in ("event", "status", "head_sha")}
            runs = [
                run
                for run in state["runs"]
                if run["path"].endswith(f"/{workflow}")
                and asked
                == {"event": [run["event"]], "status": [run["conclusion"]], "head_sha": [run["head_sha"]]}
            ]
            return {"workflow_runs": runs}
        case ("GET", "repos", "acme", "desk", "commits", _, "pulls") | (
            "GET",
            "repos",
            "acme",
            "desk",
            "repository",
            "commits",
            _,
            "merge_requests",
        ):
            return state["pulls"]
        case ("GET", "repos", "acme", "desk", "merge_requests", "7"):
            return state["pulls"][0]
        case ("GET", "repos", "acme", "desk", "pipelines", number, "jobs"):
            return [job for job in state["jobs"] if job["pipeline"] == int(number)]
        case ("GET", "repos", "acme", "desk", "jobs", number, "artifacts", *parts):
            job = next(job for job in state["jobs"] if job["id"] == int(number))
            return (world.artifact(job["id"], job["name"]) / "/".join(parts)).read_text(encoding="utf-8")
    raise SystemExit(f"{method} {path}")


def written_by(name: str, number: int) -> dict[str, Any]:
    """Whose comment it is, as GitHub says it and as GitLab does."""
    return {"user": {"login": name, "id": number}, "author": {"username": name, "id": number}}


def _option(words: list[str], name: str) -> str:
    return words[words.index(name) + 1] if name in words else ""


def _jq(expression: str, value: Any) -> str:
    """As `gh --jq` does: texts bare, nothing for nothing."""
    import jq

    found = jq.compile(expression).input_value(value).all()
    return "\n".join(item if isinstance(item, str) else json.dumps(item) for item in found)


def main() -> int:
    name, *words = sys.argv[1:]
    world = World(Path(os.environ["FAKES"]))
    world.remember([name, *words])
    return {"gh": gh, "curl": curl, "gcloud": gcloud, "python": python}[name](world, words)
