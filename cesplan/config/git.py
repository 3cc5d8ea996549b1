"""
The repository that contains a tree, and the only place where cesplan runs git.

A checkout may come from a stranger, and git runs programs that a repository names: fsmonitor, hooks, filters,
 external diffs, fetch helpers. These rules prevent a checkout from configuring git:

- The repository is found here, by its `.git`. git starts in that folder and never treats a folder with `HEAD`,
  `objects`, and `refs` as a bare repository (`safe.bareRepository` says the same to git 2.38 and later).
- Settings on the command line, which override those of any file, turn off everything that runs a program.
- git gets only a few named environment variables. Tokens and secrets are not among them.
- Nothing is fetched: objects that a partial clone lacks are missing.

The user's own configuration (`~/.gitconfig` and the system's) still applies, including `safe.directory`. A
library that reads objects itself would not run programs either, but it would have to keep up with git's formats
(SHA-256, reftable, sparse index, partial clones), and git is available wherever there is a repository.

No other module starts a process.
"""

import os
import shutil
import subprocess
import threading
from pathlib import Path
from tempfile import TemporaryFile

from cesplan.domain.frozen import dataclass

_SECONDS = 60.0
"""The timeout of one git command, in seconds: a slow one must not block a plan forever."""
_MOST_BYTES = 64 << 20
"""The output limit of one git command; callers that expect more pass a larger one."""
_MOST_MESSAGES = 64 << 10
SETTINGS = (
    "safe.bareRepository=explicit",
    "core.fsmonitor=",  # empty is off for every version; before git 2.36 `false` was the name of a program
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.askPass=",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "log.showSignature=false",
    "gc.auto=0",
    "maintenance.auto=false",
)
"""
Settings that can run a program in the git commands that cesplan uses, and in the commands that those start.
"""
_VARIABLES = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",  # wins over `protocol.<name>.allow`, which wins over `protocol.allow`
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_PASSED_ON = (
    *("HOME", "XDG_CONFIG_HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP"),
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
    "SUDO_UID",
)
"""The user's configuration, temporary files, and identity (which git checks under sudo)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitResult:
    """The result of a git command: its exit code, its raw output, and its messages."""

    code: int
    out: bytes
    messages: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """
    The repository that contains a tree.

    `top` is the resolved folder with the `.git`. `folder` is the path of the tree below it, with slashes, empty
    for the top itself.
    """

    top: Path
    folder: str = ""

    @property
    def pathspec(self) -> str:
        """The folder of the tree, for the end of a command."""
        return self.folder or "."

    def run(self, *arguments: str, stdin: bytes = b"", most: int = _MOST_BYTES) -> GitResult | None:
        """
        Run one git command at the top. None if git is missing, takes too long, or writes more than `most`
        bytes.
        """
        search_path = _search_path(self.top)
        program = shutil.which("git", path=search_path)
        if program is None or not os.path.isabs(program):
            return None
        settings = (part for setting in SETTINGS for part in ("-c", setting))
        with TemporaryFile() as input_file, TemporaryFile() as messages:
            input_file.write(stdin)
            input_file.seek(0)
            try:
                process = subprocess.Popen(
                    (program, *settings, *arguments),
                    cwd=self.top,
                    env=_environment(search_path, self.top),
                    stdin=input_file,
                    stdout=subprocess.PIPE,
                    stderr=messages,
                )
            except OSError:
                return None
            out = _output(process, most)
            messages.seek(0)
            error_text = messages.read(_MOST_MESSAGES).decode(errors="replace")
        return None if out is None else GitResult(code=process.returncode, out=out, messages=error_text)

    def output(self, *arguments: str, stdin: bytes = b"", most: int = _MOST_BYTES) -> bytes | None:
        """The output of one git command, or None if it fails."""
        answer = self.run(*arguments, stdin=stdin, most=most)
        return answer.out if answer and answer.code == 0 else None

    def output_text(self, *arguments: str) -> str:
        """The output of one git command as a line, empty if it fails."""
        return (self.output(*arguments) or b"").decode(errors="replace").strip()

    def differs_from(self, commit: str) -> bool:
        """
        Whether the tree differs from a commit (a full id), not counting ignored files. True if git cannot tell.
        """
        disarmed = self._without_filters()
        if disarmed is None:
            return True
        diff = ("diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--name-only")
        changed = self.output(*disarmed, *diff, commit, "--", self.pathspec)
        new = self.output("ls-files", "--others", "--exclude-standard", "--", self.pathspec)
        return changed is None or new is None or bool(changed or new)

    def _without_filters(self) -> tuple[str, ...] | None:
        """
        Settings that turn off all filters, which a `.gitattributes` in the tree could assign to files.

        None if a filter name contains an equals sign, which a command line cannot express.
        """
        answer = self.run("config", "--null", "--name-only", "--get-regexp", r"^filter\.")
        if answer is None or answer.code not in (0, 1):
            return None
        names = {name.rpartition(".")[0] for name in os.fsdecode(answer.out).split("\0") if name}
        if any("=" in name for name in names):
            return None
        off = ("clean=", "smudge=", "process=", "required=false")
        return tuple(part for name in sorted(names) for value in off for part in ("-c", f"{name}.{value}"))


def repository_of(root: Path) -> Repository | None:
    """The repository around a folder: the nearest one with a `.git`. None if there is none."""
    inside = root.resolve()
    ceilings = {Path(item).resolve() for item in _paths("GIT_CEILING_DIRECTORIES")}
    for top in (inside, *inside.parents):
        if top != inside and top in ceilings:
            return None
        if os.path.lexists(top / ".git"):
            return Repository(top=top, folder="" if top == inside else inside.relative_to(top).as_posix())
    return None


def _output(process: subprocess.Popen[bytes], most: int) -> bytes | None:
    """
    The whole output of a process. None if it was killed for writing or taking too much.

    A tree object can nest others many times over, and its listing then does not fit in memory.
    """
    assert process.stdout is not None
    limit = threading.Timer(_SECONDS, process.kill)
    with process:
        limit.start()
        try:
            out = process.stdout.read(most + 1)
        except BaseException:
            process.kill()
            raise
        finally:
            limit.cancel()
        if len(out) > most:
            process.kill()
    return out if len(out) <= most and process.returncode >= 0 else None


def _paths(variable: str, default: str = "") -> list[str]:
    return [item for item in os.environ.get(variable, default).split(os.pathsep) if os.path.isabs(item)]


def _search_path(top: Path) -> str:
    """The folders of PATH outside a checkout, because a program inside may have come with it."""
    folders = _paths("PATH", os.defpath)
    if top == top.parent:
        return os.pathsep.join(folders)  # everything is inside
    return os.pathsep.join(item for item in folders if not Path(item).resolve().is_relative_to(top))


def _environment(search_path: str, top: Path) -> dict[str, str]:
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {**passed_on, **_VARIABLES, "PATH": search_path, "GIT_CEILING_DIRECTORIES": str(top.parent)}
