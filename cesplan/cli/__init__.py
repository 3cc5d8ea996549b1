"""
The command line: one module a command, each of them parse, one workflow call, render, exit code.

It must not hold logic that a library user would miss: whatever a command does beyond words and exit codes
lives in `cesplan.workflow`.
"""
