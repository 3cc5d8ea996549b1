"""
Runs commands of Google's `cxas` in one process, because importing it takes seconds: not a test.

Runs with the Python of the environment in which cxas is installed. Each line of the input is a JSON list of
arguments; each line of the output says how that command ended, what it wrote, and which hosts but loopback it
wanted to reach. It reaches none of them.
"""

import contextlib
import io
import ipaddress
import json
import sys

ELSEWHERE = []


def _stay_here(event, args):
    """Let no connection leave this machine, and no name be looked up."""
    if event == "socket.getaddrinfo":
        host = args[0]
    elif event == "socket.connect" and isinstance(args[1], tuple):
        host = args[1][0]
    else:
        return
    try:
        loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = host == "localhost"
    if not loopback:
        ELSEWHERE.append(str(host))
        raise OSError(f"{host} is not this machine")


def _run(main, arguments):
    out, code = io.StringIO(), 0
    sys.argv = ["cxas", "--no-input", *arguments]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except Exception as error:
            code = 70
            print(f"{type(error).__name__}: {error}")
    reached, ELSEWHERE[:] = list(ELSEWHERE), []
    return {"code": code, "text": out.getvalue(), "elsewhere": reached}


def run_all(answers):
    sys.addaudithook(_stay_here)
    from cxas_scrapi.cli.main import main

    for line in sys.stdin:
        answers.write(json.dumps(_run(main, json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    run_all(sys.stdout)
