"""
The extras of the package: what some commands need and most do not, asked for by name when it is missing.

They are the keys of `[project.optional-dependencies]` in pyproject.toml, apart from `dev`.
"""

from enum import StrEnum


class Extra(StrEnum):
    EMULATOR = "emulator"
    EVALUATION = "evaluation"
    HIGHLIGHT = "highlight"
    MCP = "mcp"
    POLICY = "policy"
    REPORT = "report"

    @property
    def command(self) -> str:
        """What to type to install it."""
        return f"pip install 'cesplan[{self}]'"

    @property
    def advice(self) -> str:
        """The detail of an error: the command, on a line of its own."""
        return f"Install the extra `{self}`:\n\n    {self.command}"
