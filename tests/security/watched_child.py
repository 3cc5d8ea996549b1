"""
The process that `watching` starts: cesplan with an audit hook and limits of memory and time.

Started as a script and isolated, so that nothing of the folder it runs in is imported by the test itself.
"""

import json
import os
import resource
import sys
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_KEPT = (
    *("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "pty.", "os.startfile"),
    *("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.sendto", "socket.bind"),
    *("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.link", "os.truncate", "os.ch"),
    *("os.utime", "shutil.", "ctypes.", "webbrowser."),
)
_UNIMPORTANT = ("os.chdir", "os.chflags", "socket.gethostname")


def main() -> None:
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (asked["memory"], asked["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    result = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    from cesplan.cli.running import run

    events: list[tuple[str, list[Any]]] = []
    here = os.getcwd()

    def notice(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, str | bytes) and isinstance(flags, int) and flags & _WRITING:
                events.append((event, [_plain(path)]))
        elif event == "exec":
            name = getattr(arguments[0], "co_filename", "")
            if not name.startswith("<") and os.path.abspath(name).startswith(here + os.sep):
                events.append((event, [name]))
        elif event.startswith(_KEPT) and event not in _UNIMPORTANT:
            events.append((event, [_plain(item) for item in arguments]))

    sys.addaudithook(notice)
    codes = [run(list(command)) for command in asked["commands"]]
    told = json.dumps({"codes": codes, "events": events})
    _write_all(result, told.encode())


def _write_all(file: int, content: bytes) -> None:
    while content:
        content = content[os.write(file, content) :]


def _plain(value: Any) -> Any:
    """A value as JSON has it: texts that are not UTF-8 in escapes."""
    match value:
        case bytes():
            return os.fsdecode(value).encode(errors="backslashreplace").decode()
        case str():
            return value.encode(errors="backslashreplace").decode()
        case list() | tuple():
            return [_plain(item) for item in value]
        case dict():
            return {str(_plain(name)): _plain(item) for name, item in value.items()}
        case int() | float() | None:
            return value
        case os.PathLike():
            return _plain(os.fspath(value))
    return type(value).__name__


if __name__ == "__main__":
    main()
