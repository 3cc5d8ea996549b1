"""One module for each command: parse, one workflow call, render, exit code."""
