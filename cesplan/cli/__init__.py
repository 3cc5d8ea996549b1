"""
The command line: one module a command, each of them parse, one workflow call, render, exit code.

It must not hold logic that a library user would miss: everything that a command does besides text and exit
codes lives in `cesplan.workflow`.
"""
